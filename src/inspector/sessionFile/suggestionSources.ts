import { createCatalog } from '../../core/catalog';
import type { TurnInputs } from '../../core/suggestions/fromTurns';
import type { SuggestionSources } from '../suggester';
import type { Session } from './format';

/** What was suggested when the session was written down: its turns and tools are all that suggestions are made from. */
export function suggestionSources(
  session: Session,
  world: Pick<SuggestionSources, 'find' | 'findable' | 'rest' | 'now'>,
): SuggestionSources {
  const loading: TurnInputs['loading'] = new Map(
    [...session.loading].flatMap(([id, { loading: how, rule }]) =>
      // Where no rule was written down, it may as well have been the mode.
      how === 'omitted' ? [] : [[id, { loading: how, rule: rule ?? 'mode' }]],
    ),
  );
  const { revision, tools, servers } = session.catalog;
  const offered = tools.filter(({ id }) => loading.has(id));
  const catalog = createCatalog(revision, offered, servers);
  return {
    events: () => session.events,
    catalog: () => catalog,
    loading: () => loading,
    tokensOf: session.tokensOf,
    settings: () => session,
    ...world,
  };
}
