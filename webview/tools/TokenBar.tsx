import type { Standing } from '../../src/inspector/protocol/view';

/**
 * The tokens at which a bar is full. Few definitions are larger, and a scale for those would make all other bars tiny.
 */
const FULL = 1100;

/** A bar for a definition's size, at the right next to its number. */
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
