import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import type { Row } from './row';

interface GridKeyOptions {
  readonly rows: readonly Row[];
  /** The index of the row that is the tab stop. */
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly grid: RefObject<HTMLElement | null>;
  /** Returns the number of rows on a page. */
  readonly page: () => number;
  readonly scrollTo: (index: number) => void;
  /** Opens or closes a row, if it can be opened. */
  readonly onToggle: (row: Row) => void;
}

/**
 * Keyboard navigation of a treegrid. The grid is one tab stop; the arrow keys, Home, End, PageUp and PageDown move it.
 */
export function useGridKeys({ rows, active, onActive, grid, page, scrollTo, onToggle }: GridKeyOptions) {
  const wanted = useRef(false);

  // A row may not be drawn until it is scrolled into view. The focus follows when it is drawn.
  useEffect(() => {
    if (!wanted.current) return;
    const row = grid.current?.querySelector<HTMLElement>(`[data-index="${active}"]`);
    if (!row) return;
    wanted.current = false;
    row.focus({ preventScroll: true });
  });

  function move(index: number): void {
    const target = Math.min(rows.length - 1, Math.max(0, index));
    if (!rows[target]) return;
    wanted.current = true;
    onActive(target);
    scrollTo(target);
  }

  /** Moves from a tool's details back to the tool's row. */
  function close(index: number): void {
    const row = rows[index];
    if (row) onToggle(row);
    move(index);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const target = event.target as HTMLElement;
    if (event.key === 'Escape' && target.getAttribute('role') !== 'row') {
      target.closest<HTMLElement>('[role=row]')?.focus();
      return;
    }
    const row = rows[active];
    if (!row || target.dataset.index === undefined) return;
    const step = stepOf(event.key, row, { rows, index: active, page: page() });
    if (step === undefined) return;
    event.preventDefault();
    if (step === 'toggle') onToggle(row);
    else if (step === 'close') close(active - 1);
    else move(step);
  }

  function onFocus(event: FocusEvent<HTMLElement>): void {
    const index = Number(event.target.closest<HTMLElement>('[data-index]')?.dataset.index);
    const row = rows[index];
    if (row && row !== rows[active]) onActive(index);
  }

  return { onKeyDown, onFocus };
}

/**
 * Returns the effect of a key in a row: an index to move to, opening or closing the row, or closing the tool whose
 * details the row shows.
 */
function stepOf(
  key: string,
  row: Row,
  { rows, index, page }: { readonly rows: readonly Row[]; readonly index: number; readonly page: number },
): number | 'toggle' | 'close' | undefined {
  const open = row.kind === 'server' || row.kind === 'tool' ? row.open : undefined;
  switch (key) {
    case 'ArrowDown':
      return index + 1;
    case 'ArrowUp':
      return index - 1;
    case 'PageDown':
      return index + page;
    case 'PageUp':
      return index - page;
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'Enter':
    case ' ':
      return open === undefined ? undefined : 'toggle';
    case 'ArrowRight':
      return open === undefined ? undefined : open ? index + 1 : 'toggle';
    case 'ArrowLeft':
      return open ? 'toggle' : parentOf(rows, index);
    case 'Escape':
      return row.kind === 'detail' ? 'close' : row.kind === 'tool' && open ? 'toggle' : undefined;
    default:
      return undefined;
  }
}

function parentOf(rows: readonly Row[], index: number): number | undefined {
  const level = rows[index]?.level ?? 1;
  for (let above = index - 1; above >= 0; above--) if ((rows[above]?.level ?? 1) < level) return above;
  return undefined;
}
