// Estimates the savings of another agent that uses our tools. The agent's own requests aren't known. Only the
// definitions that our tools keep out of these requests, and the answers that our tools add, are known. The baseline is
// the same agent with the tools of these servers ticked in its picker.

import { groupBy } from '../util/groupBy';
import { NOTHING } from './roundTokens';
import type { RoundTokens } from './types';

/** One call of our tools by an agent. All sizes are in tokens. */
export interface AgentUse {
  /** The number of the agent's reply. Calls that ran at the same time belong to one reply. */
  readonly reply: number;
  /** Whether the reply only searched. An agent with every definition wouldn't send such a request. */
  readonly isSearch: boolean;
  readonly answer: number;
  /** The servers' definitions that the request didn't contain. */
  readonly definitions: number;
  /** The definitions of our tools, which the request contained. */
  readonly ours: number;
}

/**
 * Returns the tokens of an agent's turn without its prompt and history. Each request contains our definitions and the
 * answers of earlier searches. Without our tools, each request that isn't a search would contain all definitions. After
 * the last call, one more request is counted, for the agent's answer.
 */
export function estimateAgent(uses: readonly AgentUse[]): RoundTokens {
  const last = uses.at(-1);
  if (!last) return NOTHING;
  let sent = 0;
  let baseline = 0;
  let answers = 0;
  const replies = [...groupBy(uses, ({ reply }) => reply).values()];
  for (const calls of [...replies, [{ ...last, isSearch: false, answer: 0 }]]) {
    const { definitions, ours } = calls[0] ?? last;
    sent += ours + answers;
    for (const { isSearch, answer } of calls) answers += isSearch ? answer : 0;
    if (calls.some(({ isSearch }) => !isSearch)) baseline += definitions;
  }
  const estimated = (value: number) => ({ value, certainty: 'estimated' as const });
  return { ...NOTHING, searchOverhead: estimated(sent), sent: estimated(sent), baseline: estimated(baseline) };
}
