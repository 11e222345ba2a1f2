import type { ViewState } from '../../src/inspector/protocol/view';

/** The number of tokens from which figures need wider columns. */
export const LARGE = 1_000_000;

/** One scale for all rounds of the session, so that turns can be compared. */
export interface Scale {
  /** Tokens at the right end. */
  readonly max: number;
  /** The positions of grid lines, from 0 on. */
  readonly ticks: readonly number[];
}

/** Room for the words beside a bar that goes over its baseline. */
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

/** Returns a step of 1, 2 or 5 times a power of ten. */
function stepFor(max: number): number {
  const power = 10 ** Math.floor(Math.log10(max / MAX_TICKS));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => max / step <= MAX_TICKS) ?? power * 10;
}
