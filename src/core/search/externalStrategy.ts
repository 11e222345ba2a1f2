import type { ExternalSearch, ExternalStrategy, OfferedTool } from '../../../tool-search';
import type { Tool } from '../catalog/tool';
import { l10n } from '../util/l10n';
import { messageOf } from '../util/messageOf';
import { untilAborted } from '../util/signals';
import { systemTimer } from '../util/timers';
import { trimEndOf } from '../util/trim';
import { cutHits, nearestTools } from './rank/orderHits';
import type { ToolIndex } from './toolIndex';
import type { SearchHit, SearchOutcome, SearchRequest } from './types';

/** The time limit for a strategy of another extension, in milliseconds. A search waits that long at most. */
const LIMIT_MS = 2_000;

/**
 * Runs code of another extension, which may throw, hang or ignore its signal. If `signal` has already aborted, the code
 * doesn't run. The code's own signal aborts when its answer is no longer needed.
 * @throws the error of the code, or an error if it took too long or was cancelled
 */
export async function runOutside<Value>(
  work: (signal: AbortSignal) => Value | Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const cancelled = new Error('it was cancelled');
  if (signal.aborted) throw cancelled;
  const inner = new AbortController();
  const late = new Error(`no answer within ${LIMIT_MS / 1000} s`);
  const stopTimer = systemTimer(() => inner.abort(late), LIMIT_MS);
  const either = AbortSignal.any([signal, inner.signal]);
  try {
    return await untilAborted(
      Promise.resolve().then(() => work(either)),
      either,
    );
  } catch (error) {
    throw signal.aborted && error === signal.reason ? cancelled : error;
  } finally {
    stopTimer();
    inner.abort();
  }
}

/** Returns the copy of a tool that a strategy of another extension gets, with the name that models use. */
function copyOf(tool: Tool): OfferedTool & { readonly modelName: string } {
  const { id, server, name, title, description, inputSchema, annotations, modelName } = tool;
  return {
    id,
    server,
    name,
    ...(title === undefined ? {} : { title }),
    description,
    // Copied only when it is read, since there may be thousands of tools.
    get inputSchema() {
      return structuredClone(inputSchema);
    },
    ...(annotations ? { annotations: { ...annotations } } : {}),
    modelName,
  };
}

interface ExternalQuestion {
  readonly request: SearchRequest;
  /** The tools that may be found. */
  readonly scope: readonly Tool[];
  /** The time at which the search began, by `performance.now()`. */
  readonly started: number;
}

/**
 * Creates the search with strategies that other extensions registered. If a strategy fails, bm25 answers instead, and
 * the outcome's `warning` says so. The search returns undefined if it was cancelled.
 */
export function createExternalSearch(index: ToolIndex) {
  /** The answers of registered strategies. The key is the list of queries of the call. */
  const asked = new WeakMap<readonly string[], Promise<readonly string[]>>();
  /** Returns the hits of a registered strategy, or the reason why it has none. */
  async function hitsOf(
    external: ExternalStrategy,
    request: SearchRequest,
    scope: readonly Tool[],
    signal: AbortSignal,
  ): Promise<readonly SearchHit[] | string> {
    const queries = request.queries ?? [request.query];
    const run = (stopped: AbortSignal) => external([...queries], scope.map(copyOf), stopped, aimOf(request, scope));
    try {
      const answer = asked.get(queries) ?? runOutside(run, signal).then(namesIn);
      asked.set(queries, answer);
      return resolve(await answer, index, new Set(scope.map(({ id }) => id))) ?? 'named tools that do not exist';
    } catch (error) {
      return `failed: ${messageOf(error)}`;
    }
  }
  return async (
    external: ExternalStrategy,
    { request, scope, started }: ExternalQuestion,
    signal: AbortSignal,
  ): Promise<SearchOutcome | undefined> => {
    const { strategy } = request;
    const hits = await hitsOf(external, request, scope, signal);
    if (typeof hits !== 'string')
      return {
        ok: true,
        strategy,
        ...cutHits(request, hits),
        matched: hits.length,
        searched: scope.length,
        nearest: hits.length === 0 ? nearestTools(request.query, scope) : [],
        ms: performance.now() - started,
      };
    if (signal.aborted) return undefined;
    const fallback = index.search({ ...request, strategy: 'bm25' });
    const ms = performance.now() - started;
    const problem = trimEndOf(hits, '. \t\n\r');
    const warning = {
      user: l10n.t('The search strategy “{0}” could not answer, so bm25 searched instead: {1}.', strategy, problem),
      model: `The search strategy "${strategy}" ${problem}; bm25 searched instead.`,
    };
    return fallback.ok
      ? { ...fallback, why: l10n.t('“{0}” could not answer.', strategy), warning, ms }
      : { ...fallback, ms };
  };
}

/** Returns a search's conditions for a registered strategy. Sets are copies, so that the strategy can't change ours. */
function aimOf(
  { server, readOnly = false, limit, shown = limit, candidates, asker }: SearchRequest,
  tools: readonly Tool[],
): ExternalSearch {
  return {
    limit: shown,
    readOnly,
    deferred: new Set(candidates ?? tools.map((tool) => tool.id)),
    discovered: new Set(asker?.discovered),
    ...(asker?.turn ? { turn: { ...asker.turn } } : {}),
    ...(server === undefined ? {} : { server }),
  };
}

/** Returns a strategy's answer if it is a list of names. @throws otherwise */
function namesIn(answer: unknown): readonly string[] {
  if (!Array.isArray(answer) || !answer.every((name) => typeof name === 'string'))
    throw new Error('its answer is not a list of names');
  return answer;
}

/** Returns the tools with these names that may be found, each once; undefined if a name belongs to no tool. */
function resolve(names: readonly string[], index: ToolIndex, scope: ReadonlySet<string>): SearchHit[] | undefined {
  const found = new Map<string, SearchHit>();
  for (const [i, name] of names.entries()) {
    const tools = index.named(name);
    if (tools.length === 0) return undefined;
    for (const tool of tools) {
      if (!scope.has(tool.id) || found.has(tool.id)) continue;
      found.set(tool.id, { tool, score: names.length - i, matchType: 'external', terms: [] });
    }
  }
  return [...found.values()];
}
