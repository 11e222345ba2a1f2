import { compareText, type Tool } from '../../core/catalog/tool';
import type { LedgerEvent } from '../../core/ledger/ledger';
import { pinOf } from '../../core/settings/pins';
import { memoize } from '../../core/util/memoize';
import { sameJson } from '../../core/util/sameJson';
import { NO_RULE, type ViewInputs } from '../protocol/inputs';
import type { ToolView } from '../protocol/view';
import { cutBytes } from '../text/bytes';

/** The maximum number of bytes of a query in a tool's row. */
const MAX_SHOWN_QUERY = 400;

interface Search {
  readonly query: string;
  readonly rank: ReadonlyMap<string, number>;
}

/** Computes the rows of a session's tools. Each event is read once, and an unchanged row remains the same object. */
export class ToolFold {
  readonly #searches = new Map<number, Search[]>();
  readonly #found = new Map<string, NonNullable<ToolView['discoveredAt']>>();
  readonly #used = new Map<string, { readonly count: number; readonly ms: number }>();
  /** The tools with new events since the last view. */
  readonly #touched = new Set<string>();
  readonly #sorted = memoize<readonly Tool[]>();
  #changed: ReadonlySet<string> = new Set();
  #basis: readonly unknown[] = [];
  #views: readonly ToolView[] = [];

  /** Reads an event. Events must come in the ledger's order. */
  read(event: LedgerEvent): void {
    switch (event.type) {
      case 'searched': {
        const search = {
          query: cutBytes(event.query, MAX_SHOWN_QUERY),
          rank: new Map(event.hits.map((hit, index) => [hit.id, index + 1])),
        };
        this.#searches.set(event.turn, [...(this.#searches.get(event.turn) ?? []), search]);
        return;
      }
      case 'discovered':
        // Only the latest discovery is shown, with the search that found the tool.
        for (const id of event.ids) {
          const search = this.#searches.get(event.turn)?.findLast((candidate) => candidate.rank.has(id));
          this.#touched.add(id);
          this.#found.set(id, {
            turn: event.turn,
            round: event.round,
            query: search?.query ?? '',
            rank: search?.rank.get(id) ?? 0,
          });
        }
        return;
      case 'called': {
        const before = this.#used.get(event.tool) ?? { count: 0, ms: 0 };
        this.#touched.add(event.tool);
        this.#used.set(event.tool, { count: before.count + 1, ms: before.ms + event.ms });
        return;
      }
      case 'turnEnded':
        this.#searches.delete(event.turn);
    }
  }

  /** Returns all tools of the catalog, sorted by server and name. */
  views(inputs: ViewInputs): readonly ToolView[] {
    const { tools } = inputs.catalog;
    const basis = [tools, inputs.loading, inputs.pins, inputs.tokensOf, inputs.changed?.tools];
    if (inputs.changed?.tools !== this.#basis[4]) this.#changed = new Set(inputs.changed?.tools.map(({ id }) => id));
    const same = basis.every((part, index) => part === this.#basis[index]);
    if (same && this.#touched.size === 0) return this.#views;
    const byId = same ? undefined : new Map(this.#views.map((view) => [view.id, view]));
    const sorted = this.#sorted([tools], () =>
      [...tools].sort((a, b) => compareText(a.server, b.server) || compareText(a.name, b.name)),
    );
    const views = sorted.map((tool, index) => {
      const row = byId ? byId.get(tool.id) : this.#views[index];
      if (same && row && !this.#touched.has(tool.id)) return row;
      const view = this.#row(tool, inputs);
      return row && sameJson(row, view) ? row : view;
    });
    if (views.length !== this.#views.length || views.some((view, index) => view !== this.#views[index]))
      this.#views = views;
    this.#basis = basis;
    this.#touched.clear();
    return this.#views;
  }

  #row(tool: Tool, inputs: ViewInputs): ToolView {
    const { loading, reason, reasonLong } = inputs.loading.get(tool.id) ?? NO_RULE;
    const used = this.#used.get(tool.id);
    return {
      id: tool.id,
      server: tool.server,
      name: tool.name,
      modelName: tool.modelName,
      title: tool.title,
      tokens: inputs.tokensOf(tool),
      loading,
      reason,
      reasonLong,
      pin: pinOf(inputs.pins, { kind: 'tool', id: tool.id }),
      ...(this.#changed.has(tool.id) ? { changed: true } : {}),
      discoveredAt: this.#found.get(tool.id),
      calls: used?.count ?? 0,
      callMs: used?.ms ?? 0,
    };
  }
}
