import type { ExternalSearch, ExternalStrategy, OfferedTool } from '../../../tool-search';
import type { Tool } from '../catalog/tool';
import { l10n } from '../util/l10n';
import { messageOf } from '../util/messageOf';
import { trimEndOf } from '../util/trim';
import { problemOfLength } from './query/queryLength';
import { cutHits, nearestTools, unknownStrategy } from './rank/orderHits';
import { runOutside } from './strategies/outside';
import type { StrategyRegistry } from './strategies/registry';
import type { ToolIndex } from './toolIndex';
import {
  BUILT_IN_STRATEGIES,
  isBuiltIn,
  type SearchError,
  type SearchHit,
  type SearchPort,
  type SearchRequest,
} from './types';

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

/**
 * Creates the port that answers searches from the index. If a request names a strategy of another extension, that
 * strategy answers. If the strategy fails, bm25 answers instead, and the outcome's `warning` says so.
 */
export function createSearchPort(index: ToolIndex, registry: StrategyRegistry): SearchPort {
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
  return {
    async search(request, signal) {
      await index.settled();
      const started = performance.now();
      const { strategy } = request;
      const refuse = (error: SearchError) => ({ ok: false as const, strategy, error, ms: performance.now() - started });
      const tooLong = problemOfLength([request.query, ...(request.queries ?? []), request.server ?? '']);
      if (tooLong) return refuse(tooLong);
      if (signal.aborted) return refuse(CANCELLED);
      if (strategy === 'auto' || isBuiltIn(strategy)) {
        const outcome = await index.searchInSlices(request);
        return signal.aborted ? refuse(CANCELLED) : outcome;
      }

      const external = registry.get(strategy);
      if (!external) return refuse(unknownStrategy(strategy, ['auto', ...BUILT_IN_STRATEGIES, ...registry.names()]));
      const scope = index.scope(request);
      if ('code' in scope) return refuse(scope);

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
      if (signal.aborted) return refuse(CANCELLED);
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
    },
  };
}

const CANCELLED: SearchError = { code: 'strategy_failed', message: 'The search was cancelled.' };

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
