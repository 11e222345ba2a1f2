import { eventsOf } from '../../core/ledger/events';
import type { LedgerEvent } from '../../core/ledger/ledger';
import { asksNoModel, turnTokens, withModel } from '../../core/ledger/turnTokens';
import { cacheReadShare, sumRounds } from '../../core/usage/roundTokens';
import { sumTokens } from '../../core/usage/tokens';
import type { RoundTokens } from '../../core/usage/types';
import type { ViewInputs } from '../protocol/inputs';
import type { TurnView } from '../protocol/view';
import { cutBytes } from '../text/bytes';
import type { Text } from '../text/text';
import { lossOf } from './loss';

/** The maximum number of bytes of a question that are shown. Long pasted text is cut. */
const MAX_PROMPT = 1_000;
const MAX_MESSAGE = 2_000;
/** The maximum number of tools of a turn that the search of turns knows. */
const MAX_TOOLS = 50;

/** Returns a turn without its timeline; undefined if the turn's beginning is missing from the ledger. */
export function turnView(
  turn: number,
  events: readonly LedgerEvent[],
  inputs: ViewInputs,
  text: Text,
): TurnView | undefined {
  const start = events.find((event) => event.type === 'turnStarted');
  if (!start) return undefined;
  const end = events.find((event) => event.type === 'turnEnded');
  const ended = eventsOf(events, 'roundEnded');
  const rounds = turnTokens(events);
  const sums = sumRounds(rounds);
  const { eager, discovered, deferred } = start.counts;
  return {
    turn,
    prompt: cutBytes(start.prompt, MAX_PROMPT),
    model: start.model.name,
    strategy: start.strategy,
    delivery: start.delivery,
    tools: eager + discovered + deferred,
    running: end === undefined,
    requests: asksNoModel(start) ? 0 : ended.length,
    compared: end?.status === 'answered' && sums.sent.value + sums.baseline.value > 0,
    sent: sums.sent,
    baseline: sums.baseline,
    usd: sums.cost?.usd,
    overhead: overheadOf(sums),
    calls: callsOf(events),
    searches: eventsOf(events, 'searched').length,
    cacheReadShare: cacheReadShare(rounds),
    ...readAgainOf(ended),
    loss: lossOf({ events, rounds, sums }, inputs, text),
    withModel: withModel(events),
    ofAgent: eventsOf(events, 'turnEnded').some(({ agentTokens }) => agentTokens) || undefined,
    end: end && { status: end.status, message: end.message && cutBytes(end.message, MAX_MESSAGE) },
  };
}

/** Returns what searching added. In US dollars, it is the same share of the price as of the cost. */
function overheadOf({ searchOverhead, cost }: RoundTokens): TurnView['overhead'] {
  const { parts, usd, sent = 0 } = cost ?? {};
  return {
    tokens: searchOverhead,
    ...(parts && usd && sent > 0 ? { usd: (usd.sent * parts.searchOverhead) / sent } : {}),
  };
}

function callsOf(events: readonly LedgerEvent[]): TurnView['calls'] {
  const calls = eventsOf(events, 'called');
  const found = eventsOf(events, 'discovered').flatMap(({ ids }) => ids);
  return {
    total: calls.length,
    failed: calls.filter(({ outcome }) => outcome !== 'ok').length,
    tools: [...new Set([...calls.map(({ tool }) => tool), ...found])].slice(0, MAX_TOOLS),
  };
}

/** Returns the tokens that all rounds read again because of cache misses. */
function readAgainOf(rounds: readonly (LedgerEvent & { type: 'roundEnded' })[]): Pick<TurnView, 'readAgain'> {
  const lost = rounds.flatMap(({ prefix }) => (prefix?.broke ? [prefix.lost] : []));
  return lost.length > 0 ? { readAgain: sumTokens(lost) } : {};
}
