import type { LedgerEvent } from '../core/ledger';
import { compareText } from '../core/tool';
import type { ToolView } from './protocol';
import type { ViewInputs } from './viewInputs';

/** Descriptions are whole in a tool's details; a snapshot of thousands of tools carries their beginnings. */
const MAX_DESCRIPTION = 200;

/** Every tool of the catalog, by server, then name. */
export function toolViews(inputs: ViewInputs): ToolView[] {
  const found = discoveries(inputs.events);
  const used = calls(inputs.events);
  return [...inputs.catalog.tools]
    .sort((a, b) => compareText(a.server, b.server) || compareText(a.name, b.name))
    .map((tool) => {
      const { loading, reason, reasonLong } = inputs.loading.get(tool.id) ?? { loading: 'deferred', reason: '', reasonLong: '' };
      return {
        id: tool.id,
        server: tool.server,
        name: tool.name,
        modelName: tool.modelName,
        title: tool.title,
        description: tool.description.slice(0, MAX_DESCRIPTION),
        tokens: inputs.tokensOf(tool),
        loading,
        reason,
        reasonLong,
        pin: inputs.pins.tools[tool.id] ?? 'auto',
        discoveredAt: found.get(tool.id),
        calls: used.get(tool.id)?.count ?? 0,
        callMs: used.get(tool.id)?.ms ?? 0,
      };
    });
}

/** The latest discovery of each tool, with the search that it came from. */
function discoveries(events: readonly LedgerEvent[]): Map<string, NonNullable<ToolView['discoveredAt']>> {
  const found = new Map<string, NonNullable<ToolView['discoveredAt']>>();
  const searches = new Map<number, { query: string; rank: ReadonlyMap<string, number> }[]>();
  for (const event of events) {
    if (event.type === 'searched') {
      const search = { query: event.query, rank: new Map(event.hits.map((hit, index) => [hit.id, index + 1])) };
      searches.set(event.turn, [...(searches.get(event.turn) ?? []), search]);
    }
    if (event.type !== 'discovered') continue;
    for (const id of event.ids) {
      const search = searches.get(event.turn)?.findLast((candidate) => candidate.rank.has(id));
      found.set(id, { turn: event.turn, round: event.round, query: search?.query ?? '', rank: search?.rank.get(id) ?? 0 });
    }
  }
  return found;
}

function calls(events: readonly LedgerEvent[]): Map<string, { count: number; ms: number }> {
  const used = new Map<string, { count: number; ms: number }>();
  for (const event of events) {
    if (event.type !== 'called') continue;
    const before = used.get(event.tool) ?? { count: 0, ms: 0 };
    used.set(event.tool, { count: before.count + 1, ms: before.ms + event.ms });
  }
  return used;
}
