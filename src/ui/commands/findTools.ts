import * as vscode from 'vscode';
import { isListedItem, type Tool } from '../../core/catalog/tool';
import type { PinTarget, PinValue } from '../../core/settings/pins';
import { cut } from '../../core/util/cut';
import { plainLabel } from '../../core/util/plainText';
import { searchBox } from './searchBox';

/** The tools, resources and prompts to choose from, and the actions for the chosen one. */
export interface FindToolsDeps {
  readonly tools: readonly Tool[];
  /** Creates the filter that runs at each keystroke. The first call loads what the search needs. */
  readonly createFilter: (tools: readonly Tool[]) => Promise<(text: string) => readonly Tool[]>;
  /** Returns how a tool is loaded (such as `deferred`) and why. */
  readonly loadingOf: (id: string) => { readonly loading: string; readonly reason: string } | undefined;
  readonly pinOf: (target: PinTarget) => PinValue;
  readonly pin: (target: PinTarget, pin: PinValue) => Promise<void>;
  /** Inserts a resource or prompt into the chat. */
  readonly use: (item: Tool) => Promise<void>;
}

/** The maximum number of tools in the list. A longer one would slow the box down. */
const MAX_SHOWN = 200;
const DESCRIPTION_CHARS = 160;

/** Shows a box that searches while the user types. Choosing a tool shows its actions. */
export async function findTools(deps: FindToolsDeps): Promise<void> {
  const filter = await deps.createFilter(deps.tools);
  const chosen = await searchBox(vscode.l10n.t('Find a tool by name, server or description'), (text) => {
    const found = filter(text);
    const title = deps.tools.some(isListedItem)
      ? vscode.l10n.t('{0} of {1} tools, resources and prompts', found.length, deps.tools.length)
      : vscode.l10n.t('{0} of {1} tools', found.length, deps.tools.length);
    return { items: found.slice(0, MAX_SHOWN).map((tool) => toItem(deps, tool)), title };
  });
  if (!chosen) return;
  const { tool } = chosen;
  const { kind, address = tool.id } = isListedItem(tool) ? (tool.item ?? {}) : {};
  const copy = { label: `$(copy) ${vscode.l10n.t('Copy name')}`, run: () => vscode.env.clipboard.writeText(address) };
  const insert =
    kind === undefined
      ? { label: `$(comment) ${vscode.l10n.t('Ask in the chat')}`, run: () => askAbout(tool) }
      : {
          label:
            kind === 'prompt'
              ? `$(comment) ${vscode.l10n.t('Use in the chat')}`
              : `$(attach) ${vscode.l10n.t('Attach to the chat')}`,
          run: () => deps.use(tool),
        };
  const picked = await vscode.window.showQuickPick([insert, copy, ...pinItems(deps, { kind: 'tool', id: tool.id })], {
    placeHolder: tool.id,
  });
  await picked?.run();
}

/** Opens the chat with the beginning of a question that names the tool. */
export async function askAbout(tool: Tool | undefined): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query: `@toolsearch ${tool ? `${tool.name} ` : ''}`,
    isPartialQuery: true,
  });
}

function pinItems(deps: FindToolsDeps, target: PinTarget): (vscode.QuickPickItem & { run: () => Promise<void> })[] {
  const current = deps.pinOf(target);
  const item = (icon: string, label: string, description: string, pin: PinValue) => ({
    label: `$(${icon}) ${label}`,
    description: pin === current ? vscode.l10n.t('{0} (current)', description) : description,
    run: () => deps.pin(target, pin),
  });
  return [
    item('pinned', vscode.l10n.t('Pin eager'), vscode.l10n.t('in every request'), 'eager'),
    item('archive', vscode.l10n.t('Pin deferred'), vscode.l10n.t('found by search'), 'deferred'),
    item('eye-closed', vscode.l10n.t('Hide'), vscode.l10n.t('not sent to models, can’t be found or called'), 'off'),
    item('sparkle', vscode.l10n.t('Auto'), vscode.l10n.t('as the settings say'), 'auto'),
  ];
}

function toItem(deps: FindToolsDeps, tool: Tool): vscode.QuickPickItem & { readonly tool: Tool } {
  const loading = deps.loadingOf(tool.id);
  return {
    tool,
    label: isListedItem(tool)
      ? `$(${tool.item?.kind === 'prompt' ? 'comment' : 'file'}) ${plainLabel(tool.title ?? tool.name)}`
      : plainLabel(tool.name),
    description: plainLabel(
      [tool.server, loading && `${loading.loading} (${loading.reason})`].filter(Boolean).join(' · '),
    ),
    detail: cut(plainLabel(tool.description), DESCRIPTION_CHARS),
  };
}
