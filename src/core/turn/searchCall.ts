// Answers a call of `search_tools`: searches, records the search, and writes the answer for the model.

import { howToRead } from '../code/keptResults';
import type { ToolResult } from '../conversation/transcript';
import { missingSetWords } from '../planning/hidden';
import { MAX_QUERIES } from '../planning/ownTools';
import { toolMessage } from '../ports';
import { cut } from '../util/cut';
import { firstNames } from '../util/firstNames';
import { oneLine } from '../util/plainText';
import { type CallContext, type OpenCall, recordingOf } from './callContext';
import { mostTools, parseSearchInput } from './ownToolInputs';
import { recordDiscovered, searchEntry, searchedEntry, unavailable } from './recordSearch';
import { type AnsweredQuery, answerSearch, type SearchView } from './searchAnswer';

/** Answers a call of `search_tools`. The tools found count as discovered from now on. */
export async function answerSearchCall({ call, context, found, signal }: OpenCall): Promise<ToolResult> {
  const { turn, round, offer, sink } = context;
  const { settings, services, record } = turn;
  const recording = recordingOf(context);
  const parsed = parseSearchInput(call.input, offer.prefix);
  if (!parsed.ok) {
    record({
      ...searchEntry(call.callId, JSON.stringify(call.input) ?? '', offer.strategy, recording),
      limit: settings.maxResults,
      note: parsed.message,
      failed: true,
    });
    return { callId: call.callId, ...toolMessage('failed', parsed.message) };
  }
  // A conversation keeps the tools that it began with, so a model can search when nothing is deferred any more.
  const missing = missingSetWords({ settings, pins: services.user.pins() });
  if (round.deferred.length === 0 && (missing !== undefined || offer.prefix === undefined)) {
    const all = `All tools are in your list now. Call them without a search.${unavailable(round.catalog)}`;
    return { callId: call.callId, ...toolMessage('ok', missing ?? all) };
  }
  const { queries, left = [], server, readOnly } = parsed.value;
  const limit = settings.maxResults;
  const strategy = parsed.value.strategy ?? offer.strategy;
  sink.searching(queries);
  const asked = {
    ...(server ? { server } : {}),
    ...(readOnly ? { readOnly } : {}),
    queries,
    strategy,
    limit,
    namedLimit: mostTools(settings),
    candidates: new Set(round.deferred.map((tool) => tool.id)),
    asker: { turn: turn.info, discovered: round.discovered },
    // With delivery `bridge`, a search may return tools again: the conversation may have lost their descriptions.
    ...(offer.delivery === 'bridge' ? {} : { discovered: round.discovered }),
  };
  const answers: AnsweredQuery[] = await Promise.all(
    queries.map(async (query) => ({ query, outcome: await services.search.search({ ...asked, query }, signal) })),
  );
  const view: SearchView = {
    catalog: round.catalog,
    tools: [...round.eager, ...round.deferred],
    delivery: offer.delivery,
    discovered: round.discovered,
    searched: round.searched,
    eager: await namedEager(queries, context, signal),
    limit,
    maxTools: mostTools(settings),
    shapes: context.code?.shapes,
    howToRead: (id) => (context.code?.kept.get(id) ? howToRead(id, context.code.kept, offer.prefix) : undefined),
  };
  const answer = answerSearch(answers, view);
  const ending = leftOut(left);
  const remarks = `${answer.remarks}${ending}`.trim();
  for (const { query, outcome } of answers) {
    record(searchedEntry(outcome, { callId: call.callId, query, limit, server }, recording));
    if (!outcome.ok || !outcome.warning) continue;
    sink.warn(outcome.warning.user);
    // The strategy failed, so another strategy answers for the rest of the turn.
    record({ type: 'replanned', strategy: { name: outcome.strategy, why: outcome.why ?? outcome.warning.user } });
  }
  recordDiscovered(answer.found, found, recording);
  return {
    callId: call.callId,
    outcome: answers.every(({ outcome }) => !outcome.ok) ? 'failed' : 'ok',
    parts: [{ type: 'text', text: `${answer.text}${ending}` }],
    search: {
      queries,
      strategy: answers.find(({ outcome }) => outcome.ok)?.outcome.strategy ?? strategy,
      found: answer.found.map((tool) => tool.id),
    },
    ...(remarks === '' ? {} : { remarks }),
  };
}

/** Returns a line on the queries over the limit; empty if there are none. */
function leftOut(queries: readonly string[]): string {
  if (queries.length === 0) return '';
  const named = firstNames(
    queries.map((query) => `"${cut(oneLine(query), 80)}"`),
    MAX_QUERIES,
  );
  return `\nNot searched, over the limit of ${MAX_QUERIES} phrases: ${named}. Search for these by themselves.`;
}

/** Returns the eager tools that a query names. Otherwise the answer would say that a tool in the list doesn't exist. */
async function namedEager(
  queries: readonly string[],
  { round, turn }: CallContext,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (round.eager.length === 0) return [];
  const candidates = new Set(round.eager.map((tool) => tool.id));
  const outcomes = await Promise.all(
    queries.map((query) => turn.services.search.search({ query, strategy: 'exact', limit: 3, candidates }, signal)),
  );
  return [...new Set(outcomes.flatMap((outcome) => (outcome.ok ? outcome.hits.map((hit) => hit.tool.modelName) : [])))];
}
