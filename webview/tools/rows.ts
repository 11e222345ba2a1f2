import type { ServerView, ToolView } from '../../src/inspector/protocol/view';
import type { Nav } from '../nav';
import { COLUMNS } from './columns';
import { filterTools } from './filter';
import type { Row, ServerSums } from './row';

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

/** Returns the grid's rows: filtered, sorted and grouped. The details of an open tool follow its row. */
export function rowsOf(tools: readonly ToolView[], servers: readonly ServerView[], nav: View): Rows {
  const passing = filterTools(tools, nav.filter);
  const open = new Set(nav.openTools);
  const sign = nav.sort.descending ? -1 : 1;
  const by = COLUMNS.find(({ id }) => id === nav.sort.key)?.sort;
  const toolOrder = (a: ToolView, b: ToolView) =>
    sign * compare(by?.tool(a) ?? 0, by?.tool(b) ?? 0) || compare(a.name, b.name) || compare(a.server, b.server);
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
    .map((group) => ({ ...group, shown: sumsOf(group.tools) }))
    .sort(
      (a, b) => sign * compare(by?.server?.(a) ?? 0, by?.server?.(b) ?? 0) || compare(a.server.name, b.server.name),
    );
  for (const { server, tools: list, shown: sums } of shown) {
    const start = rows.length;
    // A server without tools can't be opened.
    const isOpen = list.length > 0 ? !closed.has(server.name) : undefined;
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

function compare(a: string | number, b: string | number): number {
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
