import type { LedgerEvent } from './ledger';

/** Whether the user found a turn helpful, by their last thumb; undefined if they gave none. */
export function helpful(events: readonly LedgerEvent[]): boolean | undefined {
  const rated = events.findLast((event) => event.type === 'rated');
  return rated?.type === 'rated' ? rated.helpful : undefined;
}
