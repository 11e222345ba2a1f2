/** Replays of recorded turns with the models that they asked. A part of the bundle that is read when somebody asks. */
import { pause } from '../core/util/signals';
import { yieldToEventLoop } from '../core/util/yieldToEventLoop';
import type { WhatIf } from '../core/whatIf/table';
import { type WhatIfInputs, whatIf } from '../core/whatIf/whatIf';
import { recordedModel } from '../providers/capabilities';

/** A piece of work after which the host rests as long as it took, in milliseconds. */
const LONG_MS = 10;

export function replayTable(
  inputs: Omit<WhatIfInputs, 'modelOf' | 'yieldToEventLoop'>,
  signal: AbortSignal,
  onProgress: (table: WhatIf) => void,
): Promise<WhatIf> {
  let since = performance.now();
  const rest = async () => {
    const worked = performance.now() - since;
    await (worked > LONG_MS ? pause(worked) : yieldToEventLoop());
    since = performance.now();
  };
  return whatIf({ ...inputs, modelOf: recordedModel, yieldToEventLoop: rest }, signal, onProgress);
}
