import * as vscode from 'vscode';
import type { Tool } from '../../core/catalog/tool';
import { ALL_SERVERS, createMatcher } from '../../core/planning/toolPatterns';
import { type PinTarget, pinOf } from '../../core/settings/pins';
import { isObject } from '../../core/util/objects';
import { plainLabel } from '../../core/util/plainText';
import { counted } from '../../vscode/counted';
import type { PinStore } from '../../vscode/pinStore';
import type { SettingsStore } from '../../vscode/settings';
import type { FindToolsDeps } from './findTools';
import { searchBox } from './searchBox';

interface HideToolsDeps extends Pick<FindToolsDeps, 'tools' | 'createFilter'> {
  readonly settings: Pick<SettingsStore, 'change'>;
  readonly pins: Pick<PinStore, 'current' | 'set'>;
}

type HideItem = vscode.QuickPickItem & { readonly run: () => Promise<unknown> };

const MAX_SHOWN = 200;

/** Shows a box to hide tools and servers or show hidden ones again. A typed pattern hides all tools that match. */
export async function hideTools(deps: HideToolsDeps): Promise<void> {
  const filter = await deps.createFilter(deps.tools);
  const picked = await searchBox(
    vscode.l10n.t('Which tools should models never get? A name, or a pattern such as github/delete_*'),
    (text) => ({ items: itemsFor(deps, text.trim(), filter) }),
  );
  await picked?.run();
}

function itemsFor(deps: HideToolsDeps, text: string, filter: (text: string) => readonly Tool[]): readonly HideItem[] {
  const pattern = patternItem(deps, text);
  if (pattern) return [pattern];
  const servers = [...new Set(deps.tools.map(({ server }) => server))];
  const named = servers.filter((server) => server.toLowerCase().includes(text.toLowerCase()));
  const edit: HideItem = {
    label: `$(gear) ${vscode.l10n.t('Edit the patterns of hidden tools in the settings')}`,
    description: 'toolsearch.hiddenTools',
    run: async () => vscode.commands.executeCommand('workbench.action.openSettings', 'toolsearch.hiddenTools'),
  };
  return [
    ...named.map((id) => pinItem(deps, { kind: 'server', id }, vscode.l10n.t('All tools of {0}', plainLabel(id)))),
    ...filter(text)
      .slice(0, MAX_SHOWN)
      .map(({ id, title = '' }) => pinItem(deps, { kind: 'tool', id }, plainLabel(id), plainLabel(title))),
    edit,
  ];
}

/** Returns the item that hides a tool or server, or shows it again. */
function pinItem({ pins }: HideToolsDeps, target: PinTarget, label: string, description = ''): HideItem {
  const isOff = pinOf(pins.current, target) === 'off';
  return {
    label: `$(${isOff ? 'eye' : 'eye-closed'}) ${label}`,
    description: isOff ? vscode.l10n.t('hidden: choose it to show it again') : description,
    run: () => pins.set(target, isOff ? 'auto' : 'off'),
  };
}

/**
 * Returns the item that adds a pattern such as `github/delete_*` to the setting; undefined if the text isn't a pattern.
 */
function patternItem({ tools, settings }: HideToolsDeps, text: string): HideItem | undefined {
  if (!text.includes('*') && !text.includes('?')) return undefined;
  const slash = text.lastIndexOf('/');
  const server = slash < 0 ? ALL_SERVERS : text.slice(0, slash).trim();
  const glob = text.slice(slash + 1).trim();
  if (server === '' || glob === '') return undefined;
  const matches = createMatcher([glob]);
  const isOf = (tool: Tool) => server === ALL_SERVERS || tool.server.toLowerCase() === server.toLowerCase();
  const hit = tools.filter((tool) => isOf(tool) && matches(tool.name)).length;
  return {
    label: `$(eye-closed) ${vscode.l10n.t('Hide {0}', plainLabel(`${server}/${glob}`))}`,
    description: counted(vscode.l10n.t('{0, plural, one {# tool} other {# tools}}'), hit),
    detail: vscode.l10n.t('Adds the pattern to toolsearch.hiddenTools.'),
    run: () => settings.change('hiddenTools', (value) => withPattern(value, server, glob)),
  };
}

function withPattern(value: unknown, server: string, glob: string): { readonly [server: string]: unknown } {
  const before = isObject(value) ? value : {};
  const own = Object.hasOwn(before, server) && Array.isArray(before[server]) ? before[server] : [];
  return Object.fromEntries([...Object.entries(before), [server, [...new Set([...own, glob])]]]);
}
