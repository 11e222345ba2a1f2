// The gate that limits the time of a call.

import type { Tool } from '../core/catalog/tool';
import { CANCELLED_BEFORE, CANCELLED_MEANWHILE, type Gate, type ToolRun, toolMessage } from '../core/ports';
import { compileIdTable } from '../core/settings/glob';
import type { Settings } from '../core/settings/settings';
import { onAbort } from '../core/util/signals';
import { systemTimer } from '../core/util/timers';

/**
 * The minimum time limit of a call if VS Code may be asking the user. A call must not be aborted while they decide, and
 * VS Code doesn't report when they have, so that time can't be subtracted.
 */
const CONFIRMATION_MS = 10 * 60_000;

interface CallTimeOptions {
  readonly settings: Pick<Settings, 'toolTimeoutSeconds' | 'toolTimeouts'>;
  /** Whether VS Code may ask the user before this tool runs. */
  readonly mayAsk: (tool: Tool) => boolean;
  /** Returns the limit from the server's definition. It overrides `toolTimeoutSeconds`, but not `toolTimeouts`. */
  readonly limitSecondsOf: (tool: Tool) => number | undefined;
  /** Whether the tool's server is asking the user something. A call isn't aborted meanwhile. */
  readonly isAsking: (tool: Tool) => boolean;
  /** Called once for a call that is over its limit and isn't aborted, because the user may be deciding. */
  readonly onSlow: (tool: Tool, seconds: number) => void;
}

export function createTimeGate({ settings, limitSecondsOf, mayAsk, isAsking, onSlow }: CallTimeOptions): Gate {
  const secondsFor = compileIdTable(settings.toolTimeouts);
  const limitOf = (tool: Tool) => secondsFor(tool.id) ?? limitSecondsOf(tool) ?? settings.toolTimeoutSeconds;
  return (call, goOn) => {
    const { tool, signal } = call;
    if (signal.aborted) return Promise.resolve(CANCELLED_BEFORE);
    const limitMs = limitOf(tool) * 1000;
    const endMs = mayAsk(tool) ? Math.max(limitMs, CONFIRMATION_MS) : limitMs;
    return new Promise<ToolRun>((resolve) => {
      const inner = new AbortController();
      const stops: (() => void)[] = [];
      const finish = (run: ToolRun) => {
        for (const stop of stops) stop();
        resolve(run);
      };
      const expire = () => {
        if (isAsking(tool)) {
          // Nobody knows how long the server works after the user's answer, so the call gets its whole limit again.
          stops.push(systemTimer(expire, endMs));
          return;
        }
        inner.abort();
        const seconds = Math.round(endMs / 1000);
        const message = `${tool.modelName} did not answer within ${seconds} seconds and was given up. It may still have had an effect.`;
        finish(toolMessage('failed', message));
      };
      stops.push(systemTimer(expire, endMs));
      if (endMs > limitMs) stops.push(systemTimer(() => onSlow(tool, limitMs / 1000), limitMs));
      stops.push(
        onAbort(signal, () => {
          inner.abort();
          finish(CANCELLED_MEANWHILE);
        }),
      );
      void goOn({ ...call, signal: inner.signal }).then(finish);
    });
  };
}
