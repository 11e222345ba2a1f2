// Quick picks that change a setting.

import * as vscode from 'vscode';
import type { Tool } from '../../core/catalog/tool';
import { hiddenBy } from '../../core/planning/hidden';
import { BUILT_IN_STRATEGIES } from '../../core/search/types';
import { plainLabel } from '../../core/util/plainText';
import { counted } from '../../vscode/counted';
import type { PinStore } from '../../vscode/pinStore';
import type { SettingsStore } from '../../vscode/settings';

/** A value of a setting in a quick pick. */
interface SettingChoice {
  readonly value: string;
  readonly description: string;
}

/**
 * Lets the user choose the search strategy.
 * @param registered the strategies of other extensions
 */
export function selectStrategy(settings: SettingsStore, registered: readonly string[]): Promise<void> {
  const builtIn: { readonly [name in (typeof BUILT_IN_STRATEGIES)[number]]: string } = {
    bm25: vscode.l10n.t('ranks by words in names, descriptions and arguments'),
    regex: vscode.l10n.t('a pattern over names and descriptions'),
    keywords: vscode.l10n.t('counts shared words'),
    exact: vscode.l10n.t('names only'),
  };
  const choices: SettingChoice[] = [
    { value: 'auto', description: vscode.l10n.t('the strategy that fits the query') },
    ...BUILT_IN_STRATEGIES.map((value) => ({ value, description: builtIn[value] })),
    ...registered.map((value) => ({ value, description: vscode.l10n.t('from another extension') })),
  ];
  return choose(settings, 'strategy', vscode.l10n.t('Strategy: how a query is matched with tools'), choices);
}

/** Lets the user choose how found tools reach the model. */
export function selectDelivery(settings: SettingsStore): Promise<void> {
  return choose(settings, 'delivery', vscode.l10n.t('Delivery: how found tools reach the model'), [
    { value: 'auto', description: vscode.l10n.t('the best delivery that the model supports') },
    { value: 'server', description: vscode.l10n.t("the model's provider searches (Anthropic, OpenAI)") },
    { value: 'client', description: vscode.l10n.t('Tool Search searches, the provider expands (Anthropic, OpenAI)') },
    { value: 'local', description: vscode.l10n.t('found tools join the next request (any model)') },
    { value: 'bridge', description: vscode.l10n.t('three fixed tools that search, describe and call (any model)') },
  ]);
}

/** Lets the user choose when tools are deferred. */
export function selectMode(settings: SettingsStore): Promise<void> {
  const { autoContextPercent, autoMaxTools } = settings.current;
  return choose(settings, 'mode', vscode.l10n.t('Mode: when tools are kept out of requests'), [
    {
      value: 'auto',
      description: vscode.l10n.t("above {0} tools, or {1} % of the model's context", autoMaxTools, autoContextPercent),
    },
    { value: 'on', description: vscode.l10n.t('always') },
    { value: 'off', description: vscode.l10n.t('never: every request contains all tools') },
  ]);
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

async function choose(
  settings: SettingsStore,
  key: 'strategy' | 'delivery' | 'mode',
  placeHolder: string,
  choices: readonly SettingChoice[],
): Promise<void> {
  const current = settings.current[key];
  const items = choices.map(({ value, description }) => ({
    label: value === current ? `$(check) ${value}` : `$(blank) ${value}`,
    description: value === current ? vscode.l10n.t('{0} (current)', description) : description,
    value,
  }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  if (picked) await settings.update(key, picked.value);
}
