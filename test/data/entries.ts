// Invented entries of a ledger. A test changes its own part.
import type { EntryOf, LedgerEntry, LedgerEvent } from '../../src/core/ledger/events';
import type { RoundTokens, Tokens } from '../../src/core/usage/types';

export const measured = (value: number): Tokens => ({ value, certainty: 'measured' });
export const estimated = (value: number): Tokens => ({ value, certainty: 'estimated' });

interface Sent {
  readonly promptAndHistory?: number;
  readonly eager?: number;
  readonly discovered?: number;
  readonly searchOverhead?: number;
}

/** The tokens of a request with these parts. `all`: the tokens of every definition. */
export function sentTokens(parts: Sent, all: number, as = measured): RoundTokens {
  const { promptAndHistory = 0, eager = 0, discovered = 0, searchOverhead = 0 } = parts;
  return {
    promptAndHistory: as(promptAndHistory),
    eager: as(eager),
    discovered: as(discovered),
    searchOverhead: as(searchOverhead),
    sent: as(promptAndHistory + eager + discovered + searchOverhead),
    baseline: as(promptAndHistory + all),
  };
}

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

/** A search, by default one that found nothing. */
export function searched(query: string, change: Partial<EntryOf<'searched'>> = {}): EntryOf<'searched'> {
  return {
    ...{ type: 'searched', round: 1, callId: 'c', query, strategy: 'bm25', ms: 1, searched: 3 },
    ...{ matched: 0, limit: 5, hits: [], below: [], failed: false },
    ...change,
  };
}

/** A hit of a search. */
export const hit = (id: string, score = 1) => ({ id, score, matchType: 'bm25', terms: [] });

/** Entries as a ledger keeps them in one turn. */
export function inTurn(entries: readonly LedgerEntry[], turn = 1, first = 1): LedgerEvent[] {
  return entries.map((entry, index) => ({ ...entry, turn, seq: first + index, at: first + index }) as LedgerEvent);
}
