import type { RoundTokens } from '../usage/types';
import { eventsOf, type LedgerEvent } from './events';

/**
 * Returns the tokens of events by model call, for any sum over them. The estimate for another agent's turn counts as
 * one call.
 */
export function turnTokens(events: readonly LedgerEvent[]): readonly RoundTokens[] {
  return [
    ...eventsOf(events, 'roundEnded').map(({ tokens }) => tokens),
    ...eventsOf(events, 'turnEnded').flatMap(({ agentTokens }) => agentTokens ?? []),
  ];
}
