import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import type { ServerView, Tokens, ToolDetail, TriedView, ViewState } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import type { Nav } from '../nav';
import { TABS_HEIGHT } from '../parts/Tabs';
import { useOffset } from '../parts/useOffset';
import type { Store } from '../store';
import { COLUMNS } from './columns';
import { DetailRow } from './DetailRow';
import { GridHead } from './GridHead';
import { GridRow } from './GridRow';
import type { Row } from './row';
import type { Group, Rows } from './rows';
import { useGridKeys } from './useGridKeys';

/**
 * The heights of rows in pixels. The style sheet has the same values. A detail row's height is an estimate until it is
 * measured.
 */
const HEIGHTS: { readonly [kind in Row['kind']]: number } = { all: 26, server: 26, tool: 22, detail: 220 };
/** The height in pixels of the area above the rows that never scrolls away: tabs, filter, heads and a server's row. */
const STICKY = TABS_HEIGHT + 40 + 24 + HEIGHTS.server;

/** Whether a key undoes a pin. In a form it undoes the typing. */
function isUndo({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && key === 'z' && !(target as HTMLElement).matches('[type="text"], textarea');
}

/** The style sheet adds the widths of the columns that are always shown. */
const WIDTHS = { '--wide-columns': COLUMNS.map(({ width }) => width ?? '').join(' ') } as CSSProperties;

/** The number of tokens from which columns of figures must be wider. */
const LARGE = 1_000_000;

interface Props {
  readonly state: ViewState;
  readonly laidOut: Rows;
  readonly details: ReadonlyMap<string, ToolDetail>;
  readonly tried: ReadonlyMap<string, TriedView | undefined>;
  readonly nav: Nav;
  readonly store: Store;
  /** The element that scrolls; null until it exists. */
  readonly scroller: HTMLElement | null;
  readonly onToggle: (row: Row) => void;
}

/**
 * The virtual treegrid of all tools. Only the visible rows and the active one are drawn, however many tools there are.
 */
export function ToolGrid({ state, laidOut, details, tried, nav, store, scroller, onToggle }: Props) {
  const { t } = useText();
  const { rows, groups } = laidOut;
  const usual = rows[0]?.kind === 'all' ? rows[0].reason : '';
  const body = useRef<HTMLDivElement>(null);
  const margin = useOffset(body, scroller, state);
  const [place, setPlace] = useState({ key: 'all', index: 0 });
  const found = rows.findIndex((row) => row.key === place.key);
  // If the active row has disappeared, the next row becomes active.
  const active = found >= 0 ? found : Math.min(place.index, rows.length - 1);
  const keepActive = useCallback(
    (range: Range) => withIndex(defaultRangeExtractor(range), active, range.count),
    [active],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: (index) => HEIGHTS[rows[index]?.kind ?? 'tool'],
    // Must be the same function while the rows are the same. With another function, all rows are measured again at each
    // scroll.
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    rangeExtractor: keepActive,
    overscan: 12,
    scrollMargin: margin,
    scrollPaddingStart: STICKY,
  });
  const { onKeyDown, onFocus } = useGridKeys({
    rows,
    active,
    onActive: (index) => setPlace({ key: rows[index]?.key ?? 'all', index }),
    grid: body,
    page: () => Math.max(1, Math.floor(((virtualizer.scrollRect?.height ?? 0) - STICKY) / HEIGHTS.tool) - 1),
    scrollTo: (index) => virtualizer.scrollToIndex(index),
    onToggle,
  });

  const { mode } = state.header;
  const tokens = useMemo(() => sizeOf(state.servers), [state.servers]);
  const context = useMemo(() => ({ mode, tokens, usual, store, onToggle }), [mode, tokens, usual, store, onToggle]);

  function draw(index: number, top: number | undefined) {
    const row = rows[index];
    if (!row) return null;
    const frame = { index, active: index === active, top };
    if (row.kind !== 'detail') return <GridRow key={row.key} {...frame} row={row} grid={context} />;
    return (
      <DetailRow
        key={row.key}
        frame={{ ...frame, level: row.level }}
        ref={virtualizer.measureElement}
        tool={row.tool}
        detail={details.get(row.tool.id)}
        tried={tried.has(row.tool.id) ? { run: tried.get(row.tool.id) } : undefined}
        onTry={store.tryTool}
        onAsk={store.requestTool}
        copy={store.copy}
        run={store.run}
        onFindIt={(tool) => store.openPlayground({ mode: 'tool', tool, query: '' })}
      />
    );
  }

  const items = virtualizer.getVirtualItems().map((item) => item.index);
  return (
    <div
      role="treegrid"
      className={`tools ${tokens.value >= LARGE ? 'large' : ''}`}
      style={WIDTHS}
      aria-label={t('section.tools')}
      aria-rowcount={rows.length + 1}
      onKeyDown={(event) => (isUndo(event) ? store.undoPin() : onKeyDown(event))}
      onFocus={onFocus}
    >
      <GridHead
        sort={nav.sort}
        estimated={tokens.certainty === 'estimated'}
        onSort={(sort) => store.navigate({ sort })}
      />
      <div ref={body} role="presentation" className="rows" style={{ height: virtualizer.getTotalSize() }}>
        {groups.map((group) => {
          const inside = items.filter((index) => index >= group.start && index < group.end);
          return (
            inside.length > 0 && <GroupBox key={group.key} group={group} inside={inside} spanOf={spanOf} draw={draw} />
          );
        })}
      </div>
    </div>
  );

  /** Returns the start and end of a row, in pixels from the start of the first row. */
  function spanOf(index: number): { start: number; end: number } {
    const item = virtualizer.measurementsCache[index];
    return { start: (item?.start ?? margin) - margin, end: (item?.end ?? margin) - margin };
  }
}

interface GroupBoxProps {
  readonly group: Group;
  /** Indexes of the rows that are drawn. */
  readonly inside: readonly number[];
  readonly spanOf: (index: number) => { start: number; end: number };
  readonly draw: (index: number, top: number | undefined) => ReactNode;
}

/**
 * A group of rows. It is as high as all of them together, so that a server's row sticks while one of its tools is
 * visible.
 */
function GroupBox({ group, inside, spanOf, draw }: GroupBoxProps) {
  const { start } = spanOf(group.start);
  const { end } = spanOf(group.end - 1);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a `tbody` can't be placed, as its rows can't.
    <div role="rowgroup" className="group" style={{ top: start, height: end - start }}>
      {group.sticky && draw(group.start, undefined)}
      {inside.map((index) => (group.sticky && index === group.start ? null : draw(index, spanOf(index).start - start)))}
    </div>
  );
}

function sizeOf(servers: readonly ServerView[]): Tokens {
  const estimated = servers.some((server) => server.tokens.certainty === 'estimated');
  const value = servers.reduce((sum, server) => sum + server.tokens.value, 0);
  return { value, certainty: estimated ? 'estimated' : 'measured' };
}

function withIndex(indexes: number[], index: number, count: number): number[] {
  if (index >= count || indexes.includes(index)) return indexes;
  return [...indexes, index].sort((a, b) => a - b);
}
