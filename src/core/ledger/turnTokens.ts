/** Reads the tokens of turns from the ledger, for any sum over them. */
import { sumRounds, withoutSaving } from '../usage/roundTokens';
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

/** Returns events in which no failed turn claims a saving. */
export function asClaimed(events: readonly LedgerEvent[]): readonly LedgerEvent[] {
  const failed = new Set(
    eventsOf(events, 'turnEnded').flatMap(({ turn, status }) => (status === 'failed' ? [turn] : [])),
  );
  if (failed.size === 0) return events;
  return events.map((event) =>
    event.type === 'roundEnded' && failed.has(event.turn) ? { ...event, tokens: withoutSaving(event.tokens) } : event,
  );
}

function callsOf(events: readonly LedgerEvent[]): readonly RoundTokens[] {
  return [
    ...eventsOf(asClaimed(events), 'roundEnded').map(({ tokens }) => tokens),
    ...eventsOf(events, 'turnEnded').flatMap(({ agentTokens }) => agentTokens ?? []),
  ];
}
