import type { LedgerEvent } from '../core/ledger/ledger';
import { balanceOf, sumRounds } from '../core/tokens/arithmetic';
import { cut } from './cut';
import { lossOf } from './loss';
import type { Text } from './text';
import type { ViewInputs } from './viewInputs';
import type { RoundView, TurnView } from './viewProtocol';

/** Bytes. The inspector shows what was asked, not all that was pasted. */
const MAX_PROMPT = 1_000;
const MAX_MESSAGE = 2_000;

/** One turn of the ledger, without its timeline; undefined where its beginning is missing. */
export function turnView(turn: number, events: readonly LedgerEvent[], inputs: ViewInputs, text: Text): TurnView | undefined {
  const start = events.find((event) => event.type === 'turnStarted');
  if (!start) return undefined;
  const end = events.find((event) => event.type === 'turnEnded');
  const rounds = events.flatMap((event): RoundView[] =>
    event.type === 'roundEnded' ? [{ round: event.round, ...event.tokens, net: balanceOf(event.tokens).net }] : [],
  );
  const sums = sumRounds(rounds);
  const { net } = balanceOf(sums);
  return {
    turn,
    prompt: cut(start.prompt, MAX_PROMPT),
    model: start.model.name,
    strategy: start.strategy.name,
    delivery: start.delivery.name,
    running: end === undefined,
    ms: end ? end.ms : Math.max(0, inputs.now - start.at),
    rounds,
    ...sums,
    net,
    loss: net.value < 0 ? lossOf(events, rounds, inputs, text) : undefined,
    end: end && { status: end.status, message: end.message && cut(end.message, MAX_MESSAGE) },
  };
}
