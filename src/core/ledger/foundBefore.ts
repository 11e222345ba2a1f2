import type { Tokens } from '../usage/types';
import type { LedgerEvent } from './ledger';

/** What a turn found with the user's own words before the model was asked, and what came of it. */
export interface FoundBefore {
  readonly tools: readonly string[];
  /** Its definitions, which each of the turn's requests held. */
  readonly tokens: Tokens;
  readonly used: boolean;
  /** A model call: the one that would have searched. None is saved where the model searched before it called the tool. */
  readonly roundsSaved: 0 | 1;
}

/** Undefined where the turn found nothing so. @param events a turn's */
export function foundBefore(events: readonly LedgerEvent[]): FoundBefore | undefined {
  const search = events.find((event) => event.type === 'searched' && event.before);
  if (search?.type !== 'searched') return undefined;
  const tools = search.hits.map(({ id }) => id);
  const discovered = events.find((event) => event.type === 'discovered' && event.seq > search.seq);
  const call = events.find((event) => event.type === 'called' && tools.includes(event.tool));
  const searchedFirst = (round: number) =>
    events.some(
      (event) => event.type === 'searched' && !event.before && event.script === undefined && event.round < round,
    );
  return {
    tools,
    tokens: discovered?.type === 'discovered' ? discovered.tokens : { value: 0, certainty: 'estimated' },
    used: call !== undefined,
    roundsSaved: call?.type === 'called' && !searchedFirst(call.round) ? 1 : 0,
  };
}
