import type { ViewState } from '../../src/inspector/protocol/view';

/** The number of tokens from which columns of figures must be wider. */
export const LARGE = 1_000_000;

/** The scale of the bars. All rounds of the session share it, so that turns can be compared. */
export interface Scale {
  /** The number of tokens at the right end. */
  readonly max: number;
  /** The positions of the grid lines, from 0 on, in tokens. */
  readonly ticks: readonly number[];
}

/** The factor that makes room for the text beside a bar that exceeds its baseline. */
const OVER_ROOM = 1.3;
const ROOM = 1.06;
const MAX_TICKS = 8;

export function scaleOf({ baseline, over }: ViewState['widest']): Scale {
  const max = Math.max(1000, baseline * ROOM, over * OVER_ROOM);
  const step = stepFor(max);
  const ticks: number[] = [];
  for (let tick = 0; tick <= max; tick += step) ticks.push(tick);
  return { max, ticks };
}

/** Returns a value's place on the scale, in percent. */
export function percentOf(scale: Scale, value: number): number {
  return (value / scale.max) * 100;
}

/** Returns the distance of grid lines: 1, 2 or 5 times a power of ten. */
function stepFor(max: number): number {
  const power = 10 ** Math.floor(Math.log10(max / MAX_TICKS));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => max / step <= MAX_TICKS) ?? power * 10;
}
