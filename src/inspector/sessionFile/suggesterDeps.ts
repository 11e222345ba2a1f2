import { createCatalog } from '../../core/catalog/catalog';
import type { Loading } from '../../core/catalog/tool';
import type { LoadingRule } from '../../core/planning/ruleNumbers';
import type { SuggesterDeps } from '../suggestions/suggester';
import type { ExportedSession } from './format';

/** Creates the dependencies of an exported session's suggestions, which are made from its turns and tools. */
export function suggesterDepsOf(
  session: ExportedSession,
  deps: Pick<SuggesterDeps, 'search' | 'clock'>,
): SuggesterDeps {
  const loading = new Map<string, { loading: Loading; rule: LoadingRule }>();
  for (const [id, { loading: how, rule }] of session.loading) {
    // If no rule was recorded, the mode may have decided.
    if (how !== 'omitted') loading.set(id, { loading: how, rule: rule ?? 'mode' });
  }
  const { revision, tools, servers } = session.catalog;
  const offered = tools.filter(({ id }) => loading.has(id));
  const catalog = offered.length === tools.length ? session.catalog : createCatalog(revision, offered, servers);
  return {
    events: () => session.events,
    tools: { catalog: () => catalog, loading: () => loading, tokensOf: session.tokensOf },
    settings: () => session,
    // A file contains no search words, and none can be written for it.
    words: { suggested: () => undefined, write: async () => {} },
    ...deps,
  };
}
