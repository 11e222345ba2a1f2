import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';

/**
 * The part of a turn's time in the waterfall. The turn is divided into `factor` equal parts, and `at` parts come before
 * this one.
 */
interface ZoomState {
  readonly factor: number;
  readonly at: number;
}

/** A span of a turn, in milliseconds since its start. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const WHOLE: ZoomState = { factor: 1, at: 0 };
const MOST = 64;

export function spanOf({ factor, at }: ZoomState, total: number): Span {
  const part = Math.max(total, 1) / factor;
  return { from: at * part, to: (at + 1) * part };
}

interface Props {
  /** The turn's length in milliseconds. */
  readonly total: number;
  readonly zoom: ZoomState;
  readonly onZoom: (zoom: ZoomState) => void;
}

/** The waterfall's time axis, with buttons that zoom into a part of it. */
export function Zoom({ total, zoom, onZoom }: Props) {
  const { t, duration } = useText();
  const { factor, at } = zoom;
  const { from, to } = spanOf(zoom, total);
  const buttons = [
    ['timeline.earlier', 'chevron-left', at > 0, { factor, at: at - 1 }],
    ['timeline.zoomOut', 'zoom-out', factor > 1, { factor: factor / 2, at: Math.floor(at / 2) }],
    ['timeline.zoomIn', 'zoom-in', factor < MOST, { factor: factor * 2, at: at * 2 }],
    ['timeline.later', 'chevron-right', at < factor - 1, { factor, at: at + 1 }],
  ] as const;
  return (
    <span className="wf zoom">
      <span>{from === 0 ? '0' : duration(from)}</span>
      <span className="zooms">
        {buttons.map(([label, icon, enabled, next]) => (
          <button
            key={label}
            type="button"
            className="icon"
            title={t(label)}
            aria-label={t(label)}
            aria-disabled={!enabled}
            onClick={() => enabled && onZoom(next)}
          >
            <Codicon name={icon} />
          </button>
        ))}
      </span>
      <span>{duration(to)}</span>
    </span>
  );
}
