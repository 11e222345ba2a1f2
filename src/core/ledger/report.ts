import type { CallOutcome } from '../conversation/transcript';
import { balanceOf, keptFromModel, scriptTokens, sumRounds } from '../usage/arithmetic';
import { asRun } from './asRun';
import { type EventType, eventsOf, type LedgerEvent, type TurnStatus } from './events';

/** A turn in figures: what `npm start -- --ask --json` prints and other extensions hear. */
export interface TurnReport {
  readonly answer: string;
  /** `vendor/id` */
  readonly model: string;
  readonly strategy: string;
  readonly delivery: string;
  /** Tools in the first request, and those that were not; discovered ones are counted as deferred here. */
  readonly eager: number;
  readonly deferred: number;
  /** Ids that this turn's searches returned for the first time. */
  readonly discovered: readonly string[];
  /** Each search, and how many tools it returned. */
  readonly queries: readonly { readonly query: string; readonly hits: number }[];
  readonly calls: readonly { readonly tool: string; readonly ok: boolean; readonly ms: number }[];
  /** Scripts, in the order in which they ended; their calls and searches are among those above. */
  readonly scripts: readonly ScriptReport[];
  readonly rounds: number;
  /** Sums over the turn's rounds. */
  readonly baselineTokens: number;
  readonly sentTokens: number;
  readonly netSavedTokens: number;
  /** True only where every number is the provider's own. */
  readonly measured: boolean;
  /** What the user was told besides the answer, in order. */
  readonly warnings: readonly string[];
  readonly status: TurnStatus;
  readonly message?: string;
}

/** A script in figures: see `stayedOf`. */
interface ScriptReport {
  readonly title: string;
  readonly outcome: CallOutcome;
  readonly calls: number;
  readonly failed: number;
  readonly servers: readonly string[];
  /** Of all that its calls returned, of what the model was answered, and of what stayed; estimates. */
  readonly returnedTokens: number;
  readonly outputTokens: number;
  readonly stayedTokens: number;
  readonly ms: number;
  readonly computeMs: number;
}

/** Folds one turn's events into its report; undefined while there is no such turn or it runs. */
export function reportTurn(events: readonly LedgerEvent[], turn: number, answer: string): TurnReport | undefined {
  const own = asRun(events.filter((event) => event.turn === turn));
  const of = <Type extends EventType>(type: Type) => eventsOf(own, type);
  const started = of('turnStarted')[0];
  const ended = of('turnEnded')[0];
  if (!started || !ended) return undefined;
  // A refusal of the service can change the plan; the last one answered.
  const replanned = of('replanned').at(-1);
  const rounds = of('roundEnded');
  const sums = sumRounds(rounds.map((round) => round.tokens));
  const { net } = balanceOf(sums);
  return {
    answer,
    model: `${started.model.vendor}/${started.model.id}`,
    strategy: (replanned?.strategy ?? started.strategy).name,
    delivery: (replanned?.delivery ?? started.delivery).name,
    eager: started.counts.eager,
    deferred: started.counts.deferred + started.counts.discovered,
    discovered: of('discovered').flatMap((event) => event.ids),
    queries: of('searched').map((event) => ({ query: event.query, hits: event.hits.length })),
    calls: of('called').map((event) => ({ tool: event.tool, ok: event.outcome === 'ok', ms: event.ms })),
    scripts: of('scriptEnded').map((end): ScriptReport => {
      const { outcome, calls, failed, servers, ms, computeMs } = end;
      return {
        title:
          of('scriptStarted').find(({ callId, round }) => callId === end.callId && round === end.round)?.title ?? '',
        outcome,
        calls,
        failed,
        servers,
        returnedTokens: scriptTokens(end.returnedChars),
        outputTokens: scriptTokens(end.outputChars),
        stayedTokens: keptFromModel(end).value,
        ms,
        computeMs,
      };
    }),
    rounds: rounds.length,
    baselineTokens: sums.baseline.value,
    sentTokens: sums.sent.value,
    netSavedTokens: net.value,
    measured: rounds.length > 0 && net.certainty === 'measured',
    warnings: [...new Set(of('warned').map((event) => event.message))],
    status: ended.status,
    ...(ended.message === undefined ? {} : { message: ended.message }),
  };
}
