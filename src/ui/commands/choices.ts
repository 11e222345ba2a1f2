import * as vscode from 'vscode';
import type { Tool } from '../../core/catalog/tool';
import { hiddenBy } from '../../core/planning/hidden';
import { type Settings, STRATEGIES } from '../../core/settings/settings';
import { plainLabel } from '../../core/util/plainText';
import { counted } from '../../vscode/counted';
import type { PinStore } from '../../vscode/pinStore';
import type { SettingsStore } from '../../vscode/settings';

/**
 * Lets the user choose the search strategy.
 * @param registered the strategies of other extensions
 */
export function selectStrategy(settings: SettingsStore, registered: readonly string[]): Promise<void> {
  return choose(settings, 'strategy', vscode.l10n.t('Strategy: how a query is matched with tools'), {
    auto: vscode.l10n.t('the strategy that fits the query'),
    ...Object.fromEntries(Object.entries(STRATEGIES).map(([name, { command }]) => [name, command()])),
    ...Object.fromEntries(registered.map((name) => [name, vscode.l10n.t('from another extension')])),
  });
}

/** Lets the user choose how found tools reach the model. */
export function selectDelivery(settings: SettingsStore): Promise<void> {
  return choose(settings, 'delivery', vscode.l10n.t('Delivery: how found tools reach the model'), {
    auto: vscode.l10n.t('the best delivery that the model supports'),
    server: vscode.l10n.t("the model's provider searches (Anthropic, OpenAI)"),
    client: vscode.l10n.t('Tool Search searches, the provider expands (Anthropic, OpenAI)'),
    local: vscode.l10n.t('found tools join the next request (any model)'),
    bridge: vscode.l10n.t('three fixed tools that search, describe and call (any model)'),
  });
}

/** Lets the user choose when tools are deferred. */
export function selectMode(settings: SettingsStore): Promise<void> {
  const { autoContextPercent, autoMaxTools } = settings.current;
  return choose(settings, 'mode', vscode.l10n.t('Mode: when tools are kept out of requests'), {
    auto: vscode.l10n.t("above {0} tools, or {1} % of the model's context", autoMaxTools, autoContextPercent),
    on: vscode.l10n.t('always'),
    off: vscode.l10n.t('never: every request contains all tools'),
  });
}

/** Lets the user choose a set of `toolsearch.sets`, for this workspace. */
export async function selectSet(settings: SettingsStore, pins: PinStore, tools: readonly Tool[]): Promise<void> {
  const { sets } = settings.current;
  const { set: current } = pins.current;
  const count = (set: string | undefined) => {
    const hides = hiddenBy({ settings: settings.current, pins: { tools: {}, servers: {}, ...(set ? { set } : {}) } });
    return tools.filter((tool) => tool.origin === 'mcp' && hides(tool) === undefined).length;
  };
  const items = [undefined, ...Object.keys(sets)].map((set) => ({
    label: `${set === current ? '$(check)' : '$(blank)'} ${set === undefined ? vscode.l10n.t('All') : plainLabel(set)}`,
    description: counted(vscode.l10n.t('{0, plural, one {# tool} other {# tools}}'), count(set)),
    run: () => pins.choose(set),
  }));
  const edit = {
    label: `$(gear) ${vscode.l10n.t('Edit the sets')}`,
    description: 'toolsearch.sets',
    run: async () => void vscode.commands.executeCommand('workbench.action.openSettings', 'toolsearch.sets'),
  };
  const placeHolder = vscode.l10n.t('Tool set: the tools that models can use in this workspace');
  const picked = await vscode.window.showQuickPick([...items, edit], { placeHolder });
  await picked?.run();
}

/** Lets the user choose a setting's value from all values, each with its description. */
async function choose<Key extends 'strategy' | 'delivery' | 'mode'>(
  settings: SettingsStore,
  key: Key,
  placeHolder: string,
  descriptions: { readonly [value in Settings[Key]]: string },
): Promise<void> {
  const current = settings.current[key];
  const items = Object.entries<string>(descriptions).map(([value, description]) => ({
    label: value === current ? `$(check) ${value}` : `$(blank) ${value}`,
    description: value === current ? vscode.l10n.t('{0} (current)', description) : description,
    value,
  }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  if (picked) await settings.update(key, picked.value);
}
