import type { ServerView, Standing, ToolView } from '../../src/inspector/protocol/view';
import type { Nav } from '../nav';
import { filterTools } from './filter';

/** A row of the grid. `key` identifies the row in every state. */
export type Row = {
  readonly key: string;
  readonly level: number;
} /** `reason`: the most frequent reason of all tools, which their own rows don't repeat. */ & (
  | { readonly kind: 'all'; readonly calls: number; readonly reason: string }
  | { readonly kind: 'server'; readonly server: ServerView; readonly shown: ServerSums; readonly open: boolean }
  | { readonly kind: 'tool'; readonly tool: ToolView; readonly open: boolean }
  | { readonly kind: 'detail'; readonly tool: ToolView }
);

/** Sums over the tools of a server that pass the filter. */
export interface ServerSums {
  readonly tools: number;
  readonly calls: number;
  readonly loading: { readonly [loading in Standing]: number };
}

/**
 * Rows that belong together. A server's own row, if there is one, is the first and stays visible while the others
 * scroll.
 */
export interface Group {
  readonly key: string;
  /** The index of the first row, and the index after the last. */
  readonly start: number;
  readonly end: number;
  readonly sticky: boolean;
}

export interface Rows {
  readonly rows: readonly Row[];
  readonly groups: readonly Group[];
  /** The number of tools that pass the filter. */
  readonly shown: number;
}

type View = Pick<Nav, 'filter' | 'sort' | 'grouped' | 'closedServers' | 'openTools'>;

const LOADING_ORDER: { readonly [loading in Standing]: number } = { eager: 0, discovered: 1, deferred: 2, omitted: 3 };

/** Returns the grid's rows: filtered, sorted and grouped. The details of an open tool follow its row. */
export function rowsOf(tools: readonly ToolView[], servers: readonly ServerView[], nav: View): Rows {
  const passing = filterTools(tools, nav.filter);
  const open = new Set(nav.openTools);
  const sign = nav.sort.descending ? -1 : 1;
  const toolOrder = (a: ToolView, b: ToolView) =>
    sign * compareTools(a, b, nav.sort.key) || compare(a.name, b.name) || compare(a.server, b.server);
  const rows: Row[] = [
    { kind: 'all', key: 'all', level: 1, calls: sum(tools.map((tool) => tool.calls)), reason: usualReason(tools) },
  ];
  const groups: Group[] = [{ key: 'all', start: 0, end: 1, sticky: false }];
  const addTools = (list: readonly ToolView[], level: number) => {
    for (const tool of [...list].sort(toolOrder)) {
      rows.push({ kind: 'tool', key: `tool ${tool.id}`, level, tool, open: open.has(tool.id) });
      if (open.has(tool.id)) rows.push({ kind: 'detail', key: `detail ${tool.id}`, level: level + 1, tool });
    }
  };
  if (!nav.grouped) {
    addTools(passing, 1);
    groups.push({ key: 'tools', start: 1, end: rows.length, sticky: false });
    return { rows, groups, shown: passing.length };
  }
  const own = byServer(passing);
  const closed = new Set(nav.closedServers);
  const shown = servers
    .map((server) => ({ server, tools: own.get(server.name) ?? [] }))
    .filter((group) => nav.filter.trim() === '' || group.tools.length > 0)
    .map((group) => ({ ...group, sums: sumsOf(group.tools) }))
    .sort((a, b) => sign * compareServers(a, b, nav.sort.key) || compare(a.server.name, b.server.name));
  for (const { server, tools: list, sums } of shown) {
    const start = rows.length;
    const isOpen = list.length > 0 && !closed.has(server.name);
    rows.push({ kind: 'server', key: `server ${server.name}`, level: 1, server, shown: sums, open: isOpen });
    if (isOpen) addTools(list, 2);
    groups.push({ key: server.name, start, end: rows.length, sticky: true });
  }
  return { rows, groups, shown: passing.length };
}

/** Returns the most frequent reason; empty if all reasons are different. */
function usualReason(tools: readonly ToolView[]): string {
  const times = new Map<string, number>();
  for (const { reason } of tools) times.set(reason, (times.get(reason) ?? 0) + 1);
  const [reason = '', most = 0] = [...times].reduce((best, each) => (each[1] > best[1] ? each : best), ['', 1]);
  return most > 1 ? reason : '';
}

export function sumsOf(tools: readonly ToolView[]): ServerSums {
  const loading = { eager: 0, discovered: 0, deferred: 0, omitted: 0 };
  for (const tool of tools) loading[tool.loading]++;
  return { tools: tools.length, calls: sum(tools.map((tool) => tool.calls)), loading };
}

function compareTools(a: ToolView, b: ToolView, key: Nav['sort']['key']): number {
  switch (key) {
    case 'name':
      return compare(a.name, b.name);
    case 'tokens':
      return a.tokens.value - b.tokens.value;
    case 'loading':
      return LOADING_ORDER[a.loading] - LOADING_ORDER[b.loading];
    case 'calls':
      return a.calls - b.calls;
  }
}

interface Sortable {
  readonly server: ServerView;
  readonly sums: ServerSums;
}

/** Compares servers. If the grid is sorted by loading, servers are ordered by name, since they have no loading. */
function compareServers(a: Sortable, b: Sortable, key: Nav['sort']['key']): number {
  switch (key) {
    case 'name':
      return compare(a.server.name, b.server.name);
    case 'tokens':
      return a.server.tokens.value - b.server.tokens.value;
    case 'loading':
      return 0;
    case 'calls':
      return a.sums.calls - b.sums.calls;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function byServer(tools: readonly ToolView[]): Map<string, ToolView[]> {
  const own = new Map<string, ToolView[]>();
  for (const tool of tools) {
    const known = own.get(tool.server);
    if (known) known.push(tool);
    else own.set(tool.server, [tool]);
  }
  return own;
}
