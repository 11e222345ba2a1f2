import type { LedgerEvent } from './ledger';
import { asClaimed } from './turnTokens';

/**
 * Returns a turn's events with the turn's final plan, without the requests that a service refused, and without savings
 * if the turn failed. All views of a turn use these events, so that no view shows a delivery whose request was refused.
 */
export function asRun(events: readonly LedgerEvent[]): readonly LedgerEvent[] {
  if (!events.some((event) => event.type === 'replanned')) return asClaimed(events);
  const run: LedgerEvent[] = [];
  for (const event of events) {
    if (event.type !== 'replanned') {
      run.push(event);
      continue;
    }
    const { strategy, delivery, counts, refused } = event;
    const start = run.findIndex((other) => other.type === 'turnStarted');
    const started = run[start];
    if (started?.type === 'turnStarted') {
      run[start] = {
        ...started,
        ...(strategy && { strategy }),
        ...(delivery && { delivery }),
        ...(counts && { counts }),
      };
    }
    const request = run.findLastIndex((other) => other.type === 'roundStarted' && other.round === refused);
    if (request >= 0) run.splice(request, 1);
  }
  return asClaimed(run);
}
