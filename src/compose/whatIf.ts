/**
 * Replays recorded turns under other settings, with the same models. Bundled separately and loaded at the first replay.
 */
import { pause } from '../core/util/signals';
import { yieldToEventLoop } from '../core/util/yieldToEventLoop';
import type { WhatIf } from '../core/whatIf/types';
import { type WhatIfInputs, whatIf } from '../core/whatIf/whatIf';
import { recordedModel } from '../providers/capabilities';
import { viewRequest } from '../providers/requestView';

/** Work longer than this, in milliseconds, is followed by a pause of the same length. */
const LONG_MS = 10;

export function replayTable(
  inputs: Omit<WhatIfInputs, 'models' | 'yieldToEventLoop'>,
  signal: AbortSignal,
  onProgress: (table: WhatIf) => void,
): Promise<WhatIf> {
  let since = performance.now();
  const rest = async () => {
    const worked = performance.now() - since;
    await (worked > LONG_MS ? pause(worked) : yieldToEventLoop());
    since = performance.now();
  };
  const models = { of: recordedModel, viewRequest };
  return whatIf({ ...inputs, models, yieldToEventLoop: rest }, signal, onProgress);
}
