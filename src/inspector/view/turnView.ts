import { eventsOf } from '../../core/ledger/events';
import type { LedgerEvent } from '../../core/ledger/ledger';
import { asksNoModel, turnTokens, withModel } from '../../core/ledger/turnTokens';
import { costOf } from '../../core/usage/cacheCost';
import { balanceOf, sumRounds } from '../../core/usage/roundTokens';
import { sumTokens } from '../../core/usage/tokens';
import type { RoundTokens } from '../../core/usage/types';
import type { ViewInputs } from '../protocol/inputs';
import type { CostView, PartsView, RoundView, TurnView } from '../protocol/view';
import { cutBytes } from '../text/bytes';
import type { Text } from '../text/text';
import { lossOf } from './loss';

/** The maximum number of bytes of a question that are shown. Long pasted text is cut. */
const MAX_PROMPT = 1_000;
const MAX_MESSAGE = 2_000;

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
  const ended = events.filter((event) => event.type === 'roundEnded');
  const rounds = asksNoModel(start)
    ? []
    : ended.map((event): RoundView => ({ round: event.round, ...partsView(event.tokens), ...readAgainOf([event]) }));
  const sums = partsView(sumRounds(turnTokens(events)));
  return {
    turn,
    prompt: cutBytes(start.prompt, MAX_PROMPT),
    model: start.model.name,
    strategy: start.strategy.name,
    delivery: start.delivery.name,
    running: end === undefined,
    ms: end ? end.ms : Math.max(0, inputs.now - start.at),
    rounds,
    ...sums,
    ...readAgainOf(ended),
    loss: lossOf({ events, rounds, sums }, inputs, text),
    withModel: withModel(events),
    ofAgent: eventsOf(events, 'turnEnded').some(({ agentTokens }) => agentTokens) || undefined,
    end: end && { status: end.status, message: end.message && cutBytes(end.message, MAX_MESSAGE) },
  };
}

function partsView(round: RoundTokens): PartsView {
  const { cost, cacheWrite: _, baselineCache: __, usualOverhead: ___, ...tokens } = round;
  return { ...tokens, net: balanceOf(tokens).net, ...(cost ? { cost: costView({ ...tokens, cost }) } : {}) };
}

function costView(tokens: Parameters<typeof costOf>[0]): CostView {
  const { parts, usd } = tokens.cost ?? {};
  return { ...costOf(tokens), ...(parts ? { parts } : {}), ...(usd ? { usd } : {}) };
}

/** Returns the tokens that all rounds read again because of cache misses. */
function readAgainOf(rounds: readonly (LedgerEvent & { type: 'roundEnded' })[]): Pick<PartsView, 'readAgain'> {
  const lost = rounds.flatMap(({ prefix }) => (prefix?.broke ? [prefix.lost] : []));
  return lost.length > 0 ? { readAgain: sumTokens(lost) } : {};
}
