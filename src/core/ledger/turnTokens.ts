/** Reads the tokens of turns from the ledger, for any sum over them. */
import { sumRounds } from '../usage/roundTokens';
import type { RoundTokens } from '../usage/types';
import { eventsOf, type LedgerEvent } from './events';

/** The model "Search only (no AI)". It isn't a language model, so its turns send nothing and save nothing. */
export const SEARCH_ONLY = { vendor: 'toolsearch', id: 'search-only' } as const;

/** Whether a turn asked no model. */
export function asksNoModel({ model }: { readonly model: { readonly vendor: string; readonly id: string } }): boolean {
  return model.vendor === SEARCH_ONLY.vendor && model.id === SEARCH_ONLY.id;
}

/**
 * Returns the tokens of each model call in these events. The estimate for another agent's turn counts as one call.
 * Turns that asked no model have none.
 */
export function turnTokens(events: readonly LedgerEvent[]): readonly RoundTokens[] {
  const without = new Set(eventsOf(events, 'turnStarted').flatMap((start) => (asksNoModel(start) ? [start.turn] : [])));
  return callsOf(events.filter(({ turn }) => !without.has(turn)));
}

/** Returns the tokens that a model would have read in a turn that asked no model; undefined if the turn asked one. */
export function withModel(events: readonly LedgerEvent[]): RoundTokens | undefined {
  const calls = callsOf(events);
  return eventsOf(events, 'turnStarted').some(asksNoModel) && calls.length > 0 ? sumRounds(calls) : undefined;
}

function callsOf(events: readonly LedgerEvent[]): readonly RoundTokens[] {
  return [
    ...eventsOf(events, 'roundEnded').map(({ tokens }) => tokens),
    ...eventsOf(events, 'turnEnded').flatMap(({ agentTokens }) => agentTokens ?? []),
  ];
}
