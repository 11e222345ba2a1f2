import * as vscode from 'vscode';
import type { Catalog } from '../../core/catalog/catalog';
import type { Tool } from '../../core/catalog/tool';
import { SEARCH_ONLY } from '../../core/models/searchOnly';
import { type PinTarget, type PinValue, pinOf } from '../../core/settings/pins';
import { messageOf } from '../../core/util/messageOf';
import { asObject } from '../../core/util/objects';
import { plainMessage } from '../../core/util/plainText';
import { counted } from '../../vscode/counted';
import type { PinStore } from '../../vscode/pinStore';
import type { SettingsStore } from '../../vscode/settings';
import { askAbout, type FindToolsDeps, findTools } from './findTools';

// The commands of the palette, of menus and of buttons.

/** Commands by their names without `toolsearch.`. */
interface Commands {
  readonly [name: string]: (...given: unknown[]) => unknown;
}

interface ToolCommandsDeps extends Pick<FindToolsDeps, 'createFilter' | 'loadingOf' | 'use'> {
  readonly settings: SettingsStore;
  readonly pins: PinStore;
  readonly catalog: () => Catalog;
  /** Reads the files that define the servers again, and then the servers' tools. */
  readonly refresh: () => Promise<Catalog>;
  readonly registeredStrategies: () => readonly string[];
}

/** Registers commands. If one fails, the user sees the message, and the details are in the log. */
export function registerCommands(
  commands: Commands,
  log: vscode.LogOutputChannel,
  redact: (text: string) => string,
): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`toolsearch.${name}`, async (...given: unknown[]) => {
        try {
          await run(...given);
        } catch (error) {
          log.error(`toolsearch.${name}`, error instanceof Error ? error : String(error));
          const message = messageOf(error);
          void vscode.window.showErrorMessage(vscode.l10n.t('Tool Search: {0}', plainMessage(redact(message))));
        }
      }),
    ),
  );
}

/** The commands that find, pin and list tools, or choose how they are searched and delivered. */
export function toolCommands({ settings, pins, catalog, refresh, ...deps }: ToolCommandsDeps): Commands {
  const finding = (): FindToolsDeps => ({
    ...deps,
    tools: withItems(catalog()),
    pinOf: (target) => pinOf(pins.current, target),
    pin: (target, pin) => pins.set(target, pin),
  });
  const pinClicked = (pin: PinValue) => (place: unknown) => {
    const id = clickedTool(place);
    return id === undefined ? findTools(finding()) : pins.set({ kind: 'tool', id } satisfies PinTarget, pin);
  };
  return {
    selectStrategy: async () => (await import('./choices')).selectStrategy(settings, deps.registeredStrategies()),
    selectDelivery: async () => (await import('./choices')).selectDelivery(settings),
    selectMode: async () => (await import('./choices')).selectMode(settings),
    selectSet: async () => (await import('./choices')).selectSet(settings, pins, catalog().tools),
    findTools: () => findTools(finding()),
    'tool.pinEager': pinClicked('eager'),
    'tool.pinDeferred': pinClicked('deferred'),
    'tool.pinOff': pinClicked('off'),
    'tool.unpin': pinClicked('auto'),
    hideTools: async () => (await import('./hideTools')).hideTools({ ...finding(), settings, pins }),
    'tool.ask': (place) => askAbout(catalog().tools.find(({ id }) => id === clickedTool(place))),
    resetPins: () => resetPins(pins),
    refreshCatalog: async () => {
      const { tools, servers } = await refresh();
      const text = vscode.l10n.t(
        '{0, plural, one {# tool} other {# tools}} of {1, plural, one {# server} other {# servers}}',
      );
      vscode.window.setStatusBarMessage(counted(text, tools.length, servers.length), 5000);
    },
  };
}

/** Returns everything that a user can find, including resources and prompts that models may not see. */
function withItems({ tools, byId, items = [] }: Catalog): readonly Tool[] {
  return [...tools, ...items.filter(({ id }) => !byId.has(id))];
}

/** Tells how many answers to `${input:…}` in mcp.json were deleted. */
export function tellForgotten(inputs: number): void {
  const text = vscode.l10n.t(
    'Deleted {0, plural, one {# input} other {# inputs}} of mcp.json. Servers ask again when they start.',
  );
  void vscode.window.showInformationMessage(counted(text, inputs));
}

/** Shows "Search only (no AI)" in the model picker if necessary, and opens the chat with it. */
export async function useSearchOnly(settings: SettingsStore): Promise<void> {
  const isOffered = async () => (await vscode.lm.selectChatModels(SEARCH_ONLY)).length > 0;
  if (!(await isOffered())) {
    const offered = new Promise<void>((resolve) => {
      const listening = vscode.lm.onDidChangeChatModels(async () => {
        if (!(await isOffered())) return;
        listening.dispose();
        resolve();
      });
    });
    await settings.update('searchOnlyModel', 'on');
    await offered;
  }
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query: '@toolsearch ',
    isPartialQuery: true,
    modelSelector: SEARCH_ONLY,
  });
}

/** Returns the tool of a row in the inspector. VS Code passes the row when a command is run from its context menu. */
function clickedTool(place: unknown): string | undefined {
  const id = asObject(place)?.tool;
  return typeof id === 'string' ? id : undefined;
}

async function resetPins(pins: PinStore): Promise<void> {
  const count = Object.keys(pins.current.tools).length + Object.keys(pins.current.servers).length;
  if (count === 0) return void vscode.window.showInformationMessage(vscode.l10n.t('There are no pins.'));
  const reset = vscode.l10n.t('Reset');
  const answer = await vscode.window.showWarningMessage(
    counted(vscode.l10n.t('{0, plural, one {Reset the pin} other {Reset all # pins}} of this workspace?'), count),
    { modal: true },
    reset,
  );
  if (answer === reset) await pins.reset();
}
