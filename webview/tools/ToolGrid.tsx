import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import type { Pin, ToolDetail, TriedView, ViewState } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import type { Nav } from '../nav';
import { TABS_HEIGHT } from '../parts/Tabs';
import { useOffset } from '../parts/useOffset';
import type { Store } from '../store';
import { AllRow } from './AllRow';
import { DetailRow } from './DetailRow';
import { GridHead } from './GridHead';
import type { FrameProps } from './RowFrame';
import type { Group, Row, Rows } from './rows';
import { ServerRow } from './ServerRow';
import { ToolRow } from './ToolRow';
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

  const toggleTool = useCallback(
    (id: string) => {
      const { openTools } = store.getSnapshot().nav;
      store.navigate({
        openTools: openTools.includes(id) ? openTools.filter((open) => open !== id) : [...openTools, id],
      });
    },
    [store],
  );
  const pinTool = useCallback((id: string, pin: Pin) => store.pin({ kind: 'tool', id }, pin), [store]);

  const total = { value: 0, certainty: 'measured' as 'measured' | 'estimated' };
  for (const server of state.servers) {
    total.value += server.tokens.value;
    if (server.tokens.certainty === 'estimated') total.certainty = 'estimated';
  }

  function draw(index: number, top: number | undefined) {
    const row = rows[index];
    if (!row) return null;
    const frame: FrameProps = { index, level: row.level, active: index === active, top };
    switch (row.kind) {
      case 'all':
        return (
          <AllRow
            key={row.key}
            frame={frame}
            mode={state.header.mode}
            tokens={total}
            calls={row.calls}
            reason={row.reason}
            onPin={(pin) => store.pin({ kind: 'all', id: '' }, pin)}
          />
        );
      case 'server':
        return (
          <ServerRow
            key={row.key}
            frame={frame}
            server={row.server}
            shown={row.shown}
            open={row.open}
            onToggle={() => onToggle(row)}
            onPin={(pin) => store.pin({ kind: 'server', id: row.server.name }, pin)}
            run={store.run}
          />
        );
      case 'tool':
        return (
          <ToolRow
            key={row.key}
            {...frame}
            top={top ?? 0}
            tool={row.tool}
            usual={row.tool.reason === usual}
            open={row.open}
            onToggle={toggleTool}
            onPin={pinTool}
          />
        );
      case 'detail':
        return (
          <DetailRow
            key={row.key}
            frame={frame}
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
  }

  const items = virtualizer.getVirtualItems().map((item) => item.index);
  return (
    <div
      role="treegrid"
      className={`tools ${total.value >= LARGE ? 'large' : ''}`}
      aria-label={t('tools.grid')}
      aria-rowcount={rows.length + 1}
      onKeyDown={(event) => (isUndo(event) ? store.undoPin() : onKeyDown(event))}
      onFocus={onFocus}
    >
      <GridHead
        sort={nav.sort}
        estimated={total.certainty === 'estimated'}
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

function withIndex(indexes: number[], index: number, count: number): number[] {
  if (index >= count || indexes.includes(index)) return indexes;
  return [...indexes, index].sort((a, b) => a - b);
}
