import type { CallOutcome } from '../conversation/transcript';
import type { ResultMeta } from '../ports';
import { costOf } from '../usage/cacheCost';
import { toolsInRequest } from '../usage/inRequest';
import { balanceOf, keptFromModel, PARTS, type Part, scriptTokens, sumRounds } from '../usage/roundTokens';
import type { CacheMissCause, RoundTokens } from '../usage/types';
import { asRun } from './asRun';
import { type EventType, eventsOf, type LedgerEvent, type TurnStatus } from './events';
import { turnTokens, withModel } from './turnTokens';

// A turn in figures, for other programs.

/** The report on a turn, which `npm start -- --ask --json` prints and other extensions get. */
export interface TurnReport {
  readonly answer: string;
  /** `vendor/id` */
  readonly model: string;
  readonly strategy: string;
  readonly delivery: string;
  /**
   * The number of eager tools in the first request, and the number of deferred tools. Discovered tools count as
   * deferred here.
   */
  readonly eager: number;
  readonly deferred: number;
  /** The number of tools whose definitions the last request contained, and the number that it could have contained. */
  readonly inRequest: number;
  readonly tools: number;
  /** The number of VS Code's tools that were neither in the request nor found by searches. */
  readonly unsent: number;
  /** Ids of the tools that this turn's searches found for the first time. */
  readonly discovered: readonly string[];
  /** Each search, with the number of tools it returned. */
  readonly queries: readonly { readonly query: string; readonly hits: number }[];
  /** Each call. `outcome` is `invalid` if the arguments didn't fit the schema, so that the tool didn't run. */
  readonly calls: readonly {
    readonly tool: string;
    readonly ok: boolean;
    readonly outcome: CallOutcome;
    readonly ms: number;
    /** MCP's `_meta` of the result, which no model gets. Present only for servers that Tool Search runs itself. */
    readonly meta?: ResultMeta;
  }[];
  /** The scripts, in the order in which they ended. `calls` and `queries` include the calls and searches of scripts. */
  readonly scripts: readonly ScriptReport[];
  readonly rounds: number;
  /** The number of rounds that only searched. The same turn with every definition wouldn't have these rounds. */
  readonly searchRounds: number;
  /**
   * Sums over the turn's rounds. The baseline is the same turn with every definition in each request and no search. All
   * sums are 0 if no model was asked.
   */
  readonly baselineTokens: number;
  readonly sentTokens: number;
  readonly netSavedTokens: number;
  /** The tokens of `sentTokens` and of `baselineTokens` by kind. */
  readonly sentParts: { readonly [part in Part]: number };
  readonly baselineParts: { readonly promptAndHistory: number; readonly definitions: number };
  /** The tokens that a model would have read. Present only if no model was asked. */
  readonly withModel?: { readonly sentTokens: number; readonly baselineTokens: number };
  /** Whether every number is the provider's own. */
  readonly measured: boolean;
  /**
   * The estimated cost by the prices of the provider's cache, in units of one fresh input token; absent if the prices
   * aren't known. `usd` is in US dollars, and absent if the list price isn't known.
   */
  readonly cost?: {
    readonly baseline: number;
    readonly sent: number;
    readonly netSaved: number;
    readonly sentParts?: { readonly [part in Part]: number };
    readonly usd?: { readonly baseline: number; readonly sent: number; readonly netSaved: number };
  };
  /** Tokens read from the cache and written to it, as the provider reports them; absent if it reports none. */
  readonly cache?: { readonly read: number; readonly write: number };
  /** The tokens that the baseline would have read from the provider's cache and written to it. */
  readonly baselineCache?: { readonly read: number; readonly write: number };
  /** The requests for which the provider's cache didn't hold the whole previous request. */
  readonly cacheMisses: readonly CacheMissReport[];
  /** The messages that the user saw besides the answer, in order. */
  readonly warnings: readonly string[];
  readonly status: TurnStatus;
  readonly message?: string;
}

/**
 * The reason why a request missed the cache, and the tokens that were read again because of it. `tool` is the id of the
 * tool that caused the miss, and `said` the reason in the service's own word.
 */
interface CacheMissReport {
  readonly round: number;
  readonly cause: CacheMissCause;
  readonly tool?: string;
  readonly said?: string;
  readonly lostTokens: number;
  readonly measured: boolean;
}

/** A script's figures: see `keptFromModel`. */
interface ScriptReport {
  readonly title: string;
  readonly outcome: CallOutcome;
  readonly calls: number;
  readonly failed: number;
  readonly servers: readonly string[];
  /**
   * Estimated tokens of the results of the script's calls, of its output, and of the part that the model never read.
   */
  readonly returnedTokens: number;
  readonly outputTokens: number;
  readonly stayedTokens: number;
  readonly ms: number;
  readonly computeMs: number;
}

/**
 * Summarizes the events of one turn in a report. Returns undefined if there is no such turn, or if it is still running.
 */
export function reportTurn(
  events: readonly LedgerEvent[],
  turn: number,
  answer: string,
  metaOf: (event: LedgerEvent) => ResultMeta | undefined = () => undefined,
): TurnReport | undefined {
  const own = asRun(events.filter((event) => event.turn === turn));
  const of = <Type extends EventType>(type: Type) => eventsOf(own, type);
  const started = of('turnStarted')[0];
  const ended = of('turnEnded')[0];
  if (!started || !ended) return undefined;
  const rounds = of('roundEnded');
  const sums = sumRounds(turnTokens(own));
  const { net } = balanceOf(sums);
  const spared = withModel(own);
  const counts = of('roundStarted').at(-1)?.counts ?? started.counts;
  const { inRequest, total } = toolsInRequest(counts, started.delivery.name);
  return {
    answer,
    model: `${started.model.vendor}/${started.model.id}`,
    strategy: started.strategy.name,
    delivery: started.delivery.name,
    eager: started.counts.eager,
    deferred: started.counts.deferred + started.counts.discovered,
    inRequest,
    tools: total,
    unsent: started.unsent ?? 0,
    discovered: of('discovered').flatMap((event) => event.ids),
    queries: of('searched').map((event) => ({ query: event.query, hits: event.hits.length })),
    calls: of('called').map((event) => {
      const { tool, outcome, ms } = event;
      const meta = metaOf(event);
      return { tool, ok: outcome === 'ok', outcome, ms, ...(meta ? { meta } : {}) };
    }),
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
    searchRounds: rounds.filter(({ tokens }) => tokens.usualOverhead).length,
    baselineTokens: sums.baseline.value,
    sentTokens: sums.sent.value,
    netSavedTokens: net.value,
    sentParts: partValues(sums),
    baselineParts: {
      promptAndHistory: sums.promptAndHistory.value,
      definitions: sums.baseline.value - sums.promptAndHistory.value,
    },
    ...(spared ? { withModel: { sentTokens: spared.sent.value, baselineTokens: spared.baseline.value } } : {}),
    measured: rounds.length > 0 && net.certainty === 'measured' && !spared,
    ...costReport(sums),
    cacheMisses: rounds.flatMap(({ round, prefix }): CacheMissReport[] => {
      if (!prefix?.broke) return [];
      const { value: lostTokens, certainty } = prefix.lost;
      return [{ round, ...prefix.broke, lostTokens, measured: certainty === 'measured' }];
    }),
    warnings: [...new Set(of('warned').map((event) => event.message))],
    status: ended.status,
    ...(ended.message === undefined ? {} : { message: ended.message }),
  };
}

function partValues(tokens: RoundTokens): TurnReport['sentParts'] {
  return Object.fromEntries(PARTS.map((part) => [part, tokens[part].value])) as { [part in Part]: number };
}

function costReport(sums: RoundTokens): Pick<TurnReport, 'cost' | 'cache' | 'baselineCache'> {
  const { sent, baseline, net } = costOf(sums);
  const { cost, cacheRead, cacheWrite = 0, baselineCache } = sums;
  return {
    ...(cost
      ? {
          cost: {
            baseline: baseline.value,
            sent: sent.value,
            netSaved: net.value,
            ...(cost.parts ? { sentParts: cost.parts } : {}),
            ...(cost.usd ? { usd: { ...cost.usd, netSaved: cost.usd.baseline - cost.usd.sent } } : {}),
          },
        }
      : {}),
    ...(cacheRead === undefined ? {} : { cache: { read: cacheRead, write: cacheWrite } }),
    ...(baselineCache ? { baselineCache } : {}),
  };
}
