import type { CacheMissReport, ScriptReport, TurnReport } from '../../../tool-search';
import type { ResultMeta } from '../ports';
import { costOf } from '../usage/cacheCost';
import { toolsInRequest } from '../usage/inRequest';
import { balanceOf, keptFromModel, PARTS, type Part, scriptTokens, sumRounds } from '../usage/roundTokens';
import type { RoundTokens } from '../usage/types';
import { asRun } from './asRun';
import { type EventType, eventsOf, type LedgerEvent } from './events';
import { turnTokens, withModel } from './turnTokens';

// A turn in figures, for other programs.

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
