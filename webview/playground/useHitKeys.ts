import { type KeyboardEvent, useState } from 'react';
import type { PlayColumn } from '../../src/inspector/protocol/playground';

/** The keyboard's position among the hits. */
export interface HitPlace {
  readonly column: number;
  readonly row: number;
}

/**
 * Keyboard navigation over the hits. All columns are one tab stop: up and down move inside a column, left and right
 * between columns, Home and End to the column's ends.
 */
export function useHitKeys(columns: readonly PlayColumn[]) {
  const [place, setPlace] = useState<HitPlace>({ column: 0, row: 0 });
  const active = nearest(columns, place);
  return {
    isActive: (column: number, row: number) => column === active.column && row === active.row,
    onFocus: setPlace,
    onKeyDown(event: KeyboardEvent<HTMLElement>): void {
      const next = step(event.key, active, columns);
      if (!next) return;
      event.preventDefault();
      event.currentTarget.querySelector<HTMLElement>(`[data-hit="${next.column} ${next.row}"]`)?.focus();
    },
  };
}

/** Returns the closest position in another answer, which may have fewer hits. */
function nearest(columns: readonly PlayColumn[], { column, row }: HitPlace): HitPlace {
  const count = columns[column]?.hits.length ?? 0;
  if (count > 0) return { column, row: Math.min(row, count - 1) };
  const first = columns.findIndex(({ hits }) => hits.length > 0);
  return { column: Math.max(0, first), row: 0 };
}

function step(key: string, { column, row }: HitPlace, columns: readonly PlayColumn[]): HitPlace | undefined {
  const count = columns[column]?.hits.length ?? 0;
  switch (key) {
    case 'ArrowDown':
      return { column, row: Math.min(row + 1, count - 1) };
    case 'ArrowUp':
      return { column, row: Math.max(row - 1, 0) };
    case 'Home':
      return { column, row: 0 };
    case 'End':
      return { column, row: count - 1 };
    case 'ArrowRight':
    case 'ArrowLeft': {
      const by = key === 'ArrowRight' ? 1 : -1;
      for (let to = column + by; to >= 0 && to < columns.length; to += by) {
        const there = columns[to]?.hits.length ?? 0;
        if (there > 0) return { column: to, row: Math.min(row, there - 1) };
      }
      return undefined;
    }
    default:
      return undefined;
  }
}
