import type { LedgerEvent } from './ledger';

/** The user's thumb for a turn, the last that they gave: whether it helped. Undefined where they gave none. */
export function helpful(events: readonly LedgerEvent[]): boolean | undefined {
  const rated = events.findLast((event) => event.type === 'rated');
  return rated?.type === 'rated' ? rated.helpful : undefined;
}
