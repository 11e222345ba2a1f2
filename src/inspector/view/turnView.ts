import { helpful } from '../../core/ledger/helpful';
import type { LedgerEvent } from '../../core/ledger/ledger';
import { turnTokens } from '../../core/ledger/turnTokens';
import { balanceOf, sumRounds } from '../../core/usage/arithmetic';
import { costOf } from '../../core/usage/cacheCost';
import { sumTokens } from '../../core/usage/tokens';
import type { RoundTokens } from '../../core/usage/types';
import type { ViewInputs } from '../protocol/inputs';
import type { PartsView, RoundView, TurnView } from '../protocol/view';
import { cutBytes } from '../text/bytes';
import type { Text } from '../text/text';
import { lossOf } from './loss';

/** Bytes. The inspector shows what was asked, not all that was pasted. */
const MAX_PROMPT = 1_000;
const MAX_MESSAGE = 2_000;

/** One turn of the ledger, without its timeline; undefined if its beginning is missing. */
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
  const rounds = ended.map(
    (event): RoundView => ({ round: event.round, ...partsView(event.tokens), ...anewOf([event]) }),
  );
  const sums = partsView(sumRounds(turnTokens(events)));
  const { net, price } = sums;
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
    ...anewOf(ended),
    dear: price && price.net.value < 0 && net.value >= 0 ? { ...price.net, value: -price.net.value } : undefined,
    loss: net.value < 0 && rounds.length > 0 ? lossOf(events, rounds, inputs, text) : undefined,
    helpful: helpful(events),
    end: end && { status: end.status, message: end.message && cutBytes(end.message, MAX_MESSAGE) },
  };
}

function partsView(round: RoundTokens): PartsView {
  const { cost, cacheWrite: _, baselineCache: __, usualOverhead: ___, ...tokens } = round;
  return { ...tokens, net: balanceOf(tokens).net, ...(cost ? { price: costOf({ ...tokens, cost }) } : {}) };
}

/** Tokens that the rounds read again in full, together. */
function anewOf(rounds: readonly (LedgerEvent & { type: 'roundEnded' })[]): Pick<PartsView, 'anew'> {
  const lost = rounds.flatMap(({ prefix }) => (prefix?.broke ? [prefix.lost] : []));
  return lost.length > 0 ? { anew: sumTokens(lost) } : {};
}
