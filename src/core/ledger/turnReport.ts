import type { CacheMissReport, ScriptReport, TurnReport } from '../../../tool-search';
import { keptFromModel, PARTS, type Part, scriptTokens } from '../usage/roundTokens';
import type { RoundTokens } from '../usage/types';
import { type EventType, eventsOf, type LedgerEvent } from './events';
import { turnFigures } from './turnFigures';

// A turn's figures for other programs.

/** Reports one turn from its events. Returns undefined if there is no such turn, or if it is still running. */
export function reportTurn(events: readonly LedgerEvent[], turn: number, answer: string): TurnReport | undefined {
  const figures = turnFigures(events.filter((event) => event.turn === turn));
  if (!figures?.ended) return undefined;
  const { started, ended, rounds, tokens, net, withModel } = figures;
  const of = <Type extends EventType>(type: Type) => eventsOf(figures.events, type);
  return {
    answer,
    model: `${started.model.vendor}/${started.model.id}`,
    strategy: started.strategy.name,
    delivery: started.delivery.name,
    eager: started.counts.eager,
    deferred: started.counts.deferred + started.counts.discovered,
    inRequest: figures.inRequest,
    tools: figures.tools,
    unsent: started.unsent ?? 0,
    discovered: of('discovered').flatMap((event) => event.ids),
    queries: of('searched').map((event) => ({ query: event.query, hits: event.hits.length })),
    calls: of('called').map(({ tool, outcome, ms }) => ({ tool, ok: outcome === 'ok', outcome, ms })),
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
    searchRounds: rounds.filter((round) => round.tokens.usualOverhead).length,
    baselineTokens: tokens.baseline.value,
    sentTokens: tokens.sent.value,
    netSavedTokens: net.value,
    sentParts: Object.fromEntries(PARTS.map((part) => [part, tokens[part].value])) as { [part in Part]: number },
    baselineParts: {
      promptAndHistory: tokens.promptAndHistory.value,
      definitions: tokens.baseline.value - tokens.promptAndHistory.value,
    },
    ...(withModel && { withModel: { sentTokens: withModel.sent.value, baselineTokens: withModel.baseline.value } }),
    measured: rounds.length > 0 && net.certainty === 'measured' && !withModel,
    ...costReport(tokens),
    cacheMisses: figures.misses.map(
      ({ round, broke, lost }): CacheMissReport => ({
        ...{ round, ...broke },
        ...{ lostTokens: lost.value, measured: lost.certainty === 'measured' },
      }),
    ),
    warnings: [...new Set(of('warned').map((event) => event.message))],
    status: ended.status,
    ...(ended.message === undefined ? {} : { message: ended.message }),
  };
}

function costReport(tokens: RoundTokens): Pick<TurnReport, 'cost' | 'cache' | 'baselineCache'> {
  const { cost, cacheRead, cacheWrite = 0, baselineCache } = tokens;
  const withNet = ({ sent, baseline }: { readonly sent: number; readonly baseline: number }) => {
    return { baseline, sent, netSaved: baseline - sent };
  };
  const parts = cost?.parts && { sentParts: cost.parts };
  return {
    ...(cost && { cost: { ...withNet(cost), ...parts, ...(cost.usd && { usd: withNet(cost.usd) }) } }),
    ...(cacheRead === undefined ? {} : { cache: { read: cacheRead, write: cacheWrite } }),
    ...(baselineCache && { baselineCache }),
  };
}
