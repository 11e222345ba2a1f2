import type { EntryOf } from '../../../src/core/ledger/events';

/** The beginning of a turn. */
export function started(change: Partial<EntryOf<'turnStarted'>> = {}): EntryOf<'turnStarted'> {
  return {
    type: 'turnStarted',
    prompt: 'q',
    model: { id: 'm', vendor: 'v', name: 'M' },
    strategy: { name: 'bm25', why: '' },
    delivery: { name: 'local', why: '' },
    counts: { eager: 1, discovered: 0, deferred: 156 },
    ...change,
  };
}

/** A call of a known tool that succeeded. */
export function called(tool: string, change: Partial<EntryOf<'called'>> = {}): EntryOf<'called'> {
  return {
    ...{ type: 'called', round: 1, callId: 'c', tool, known: true, args: '{}', outcome: 'ok', summary: '' },
    ...{ resultBytes: 0, withoutDiscovery: false, retry: 0, ms: 1 },
    ...change,
  };
}

/** A search that found nothing. */
export function missed(query: string): EntryOf<'searched'> {
  return {
    ...{ type: 'searched', round: 1, callId: 'c', query, strategy: 'bm25', ms: 1, searched: 3 },
    ...{ matched: 0, limit: 5, hits: [], below: [], failed: false },
  };
}
