// The limits at which a script is stopped: computing time, calls of tools, and other requests; and those of its thread.

import { MAX_OTHER_REQUESTS, type ScriptLimits } from '../core/code/sandboxPort';

/** The memory limits of a thread without the engine, in MB. */
export const THREAD_MEMORY = {
  maxOldGenerationSizeMb: 128,
  maxYoungGenerationSizeMb: 32,
  codeRangeSizeMb: 32,
  stackSizeMb: 4,
};
/** The time after a script's limit, in milliseconds, at which its thread is ended if the engine didn't end it. */
const WATCHDOG_MS = 1_000;

/** The computing time and the numbers of requests that a script has used so far. */
interface Used {
  readonly computeMs: number;
  readonly calls: number;
  /** The number of requests other than calls. */
  readonly others: number;
}

/** The limit that a script has exceeded, if the thread counts it. */
export type Exceeded = 'calls' | 'requests' | 'time';

/** Returns the limit that a script has exceeded; undefined if none. The engine itself limits its memory. */
export function exceeded({ computeMs, calls, others }: Used, limits: ScriptLimits): Exceeded | undefined {
  if (calls > limits.calls) return 'calls';
  if (others > MAX_OTHER_REQUESTS) return 'requests';
  return computeMs > limits.computeMs ? 'time' : undefined;
}

/** Whether a script has computed so long that its thread must be ended from outside. */
export function isOverdue(computeMs: number, limits: ScriptLimits): boolean {
  return computeMs > limits.computeMs + WATCHDOG_MS;
}
