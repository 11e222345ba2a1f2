import { createExternalSearch } from './externalStrategy';
import { problemOfLength } from './query/queryLength';
import { unknownStrategy } from './rank/orderHits';
import type { StrategyRegistry } from './strategies/registry';
import type { ToolIndex } from './toolIndex';
import { BUILT_IN_STRATEGIES, isBuiltIn, type SearchError, type SearchPort } from './types';

/**
 * Creates the port that answers searches from the index. If a request names a strategy of another extension, that
 * strategy answers.
 */
export function createSearchPort(index: ToolIndex, registry: StrategyRegistry): SearchPort {
  const searchExternally = createExternalSearch(index);
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

      return (await searchExternally(external, { request, scope, started }, signal)) ?? refuse(CANCELLED);
    },
  };
}

const CANCELLED: SearchError = { code: 'strategy_failed', message: 'The search was cancelled.' };
