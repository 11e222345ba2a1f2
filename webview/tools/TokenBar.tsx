import type { Standing } from '../../src/inspector/protocol/view';

/** Tokens at which a bar is full; few definitions are larger, and those would flatten all others. */
const FULL = 1100;

/** A definition's size, right-aligned to its number. */
export function TokenBar({ value, loading }: { readonly value: number; readonly loading: Standing }) {
  const width = Math.min(100, (value / FULL) * 100);
  return (
    <svg className="track" aria-hidden="true">
      <rect
        className={loading === 'eager' || loading === 'discovered' ? `seg ${loading}` : 'quiet'}
        x={`${100 - width}%`}
        y=".5"
        width={`${width}%`}
        height="5"
      />
    </svg>
  );
}
