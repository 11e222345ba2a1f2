// Finds suggestions: from the turns of a session, from the tools of its catalog, and from replays.

import type { Catalog } from '../../core/catalog/catalog';
import type { Tool } from '../../core/catalog/tool';
import type { LedgerEvent } from '../../core/ledger/ledger';
import { guidanceText, ownDefinitions } from '../../core/planning/ownTools';
import type { Settings } from '../../core/settings/settings';
import { CatalogCheck, type Find } from '../../core/suggestions/catalogCheck';
import { MIN_TURNS, suggestFromTurns, type TurnInputs } from '../../core/suggestions/fromTurns';
import { calledSince, lastTurns } from '../../core/suggestions/turnFacts';
import type { Suggestion } from '../../core/suggestions/types';
import { DEFAULT_CHARS_PER_TOKEN, definitionText } from '../../core/usage/tokens';
import type { Tokens } from '../../core/usage/types';
import { memoize } from '../../core/util/memoize';
import type { SuggestionsView } from '../protocol/suggestions';
import type { Text } from '../text/text';
import { suggestionView } from './text';

/** The maximum number of suggestions of one kind that are shown. */
const MAX_OF_KIND = 5;
/**
 * The time for which the check of the catalog runs before a pause, in milliseconds. The pause is three times as long.
 */
const SLICE_MS = 8;
const REST = 3;
/** The time between two progress reports to the panel, in milliseconds. */
const TELL_MS = 1_000;

/** The data that suggestions are made from. */
export interface SuggesterDeps {
  readonly events: () => readonly LedgerEvent[];
  readonly tools: {
    /** Returns the catalog without tools that no rule offers. Nothing is suggested about those. */
    readonly catalog: () => Catalog;
    readonly loading: () => TurnInputs['loading'];
    readonly tokensOf: (tool: Tool) => Tokens;
  };
  /** Returns the settings: the same object while nothing changes. */
  readonly settings: () => Pick<Settings, 'mode' | 'maxResults' | 'maxResultsLimit'>;
  /** Returns the suggestions from the newest table of replays. */
  readonly fromReplays?: () => readonly Suggestion[];
  readonly search: {
    readonly find: Find;
    /** Resolves when the search knows all tools. */
    readonly settled: () => Promise<void>;
  };
  /** The suggestion to write search words, if there is one, and the function that writes them. */
  readonly words: { suggested(): Suggestion | undefined; write(): Promise<void> };
  readonly clock: {
    readonly pause: (ms: number) => Promise<void>;
    /** Returns the time in milliseconds. */
    readonly now: () => number;
  };
}

/** Keeps the suggestions up to date while the inspector shows them. */
export class Suggester {
  readonly #deps: SuggesterDeps;
  readonly #changed: () => void;
  #check: CatalogCheck | undefined;
  #checkedTools: readonly Tool[] = [];
  #checkedLimit = 0;
  /** The suggestions for the previous catalog, which are shown until the new catalog is checked. */
  #before: readonly Suggestion[] = [];
  #checking = false;
  /** Whether the suggestions were shown since the last report of progress. */
  #seen = false;
  readonly #fromTurns = memoize<{ readonly seen: number; readonly found: readonly Suggestion[] }>();

  /** @param changed called when there is something new to show */
  constructor(deps: SuggesterDeps, changed: () => void) {
    this.#deps = deps;
    this.#changed = changed;
  }

  /** @param dismissed ids that aren't shown */
  view(text: Text, dismissed: ReadonlySet<string>): Omit<SuggestionsView, 'done'> {
    this.#seen = true;
    this.#follow();
    const all = this.all();
    const shown = all.filter(({ id }) => !dismissed.has(id));
    const counts = new Map<Suggestion['kind'], number>();
    const few = shown.filter(({ kind }) => {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return (counts.get(kind) ?? 0) <= MAX_OF_KIND;
    });
    return {
      items: few.map((suggestion) => suggestionView(suggestion, text)),
      more: shown.length - few.length,
      dismissed: all.length - shown.length,
      turns: { seen: this.#ofTurns().seen, needed: MIN_TURNS },
      tools: { checked: this.#check?.checked ?? 0, total: this.#check?.total ?? 0 },
    };
  }

  all(): readonly Suggestion[] {
    const catalog = this.#check?.done
      ? this.#check.suggestions
      : [...(this.#check?.suggestions ?? []), ...this.#before];
    const replayed = this.#deps.fromReplays?.() ?? [];
    // For the same setting, the suggestion from a replay is more precise than the one from rules.
    const others = this.#ofTurns().found.filter((other) => !replayed.some((one) => writesSame(one, other)));
    const words = this.#deps.words.suggested();
    const all = [...replayed, ...others, ...(words ? [words] : []), ...catalog];
    const known = new Map(all.map((suggestion) => [suggestion.id, suggestion]));
    return [...known.values()];
  }

  /**
   * Returns the suggestions from turns. They are computed again after a turn, or when the loading of tools has changed.
   */
  #ofTurns(): { readonly seen: number; readonly found: readonly Suggestion[] } {
    const { events, tools: offered } = this.#deps;
    const { tools } = offered.catalog();
    const loading = offered.loading();
    const settings = this.#deps.settings();
    return this.#fromTurns([events().length, tools, loading, settings], () => {
      const { mode, maxResults, maxResultsLimit } = settings;
      const turns = lastTurns(events());
      const called = calledSince(events(), turns);
      const inputs = {
        turns,
        called,
        tools,
        loading,
        tokensOf: offered.tokensOf,
        searchTools: searchToolTokens(),
        mode,
        maxResults,
        maxResultsLimit,
      };
      return { seen: turns.length, found: suggestFromTurns(inputs) };
    });
  }

  /** Starts to check the current catalog, unless that is done or running. */
  #follow(): void {
    const { tools } = this.#deps.tools.catalog();
    const { maxResults } = this.#deps.settings();
    if (tools !== this.#checkedTools || maxResults !== this.#checkedLimit) {
      if (this.#check?.done) this.#before = this.#check.suggestions;
      this.#checkedTools = tools;
      this.#checkedLimit = maxResults;
      this.#check = new CatalogCheck(tools, maxResults, this.#deps.search.find);
    }
    if (!this.#checking && this.#check && !this.#check.done) void this.#work();
  }

  /**
   * Checks the catalog in slices, and only while suggestions are shown. After a failure, it continues when they are
   * shown again.
   */
  async #work(): Promise<void> {
    this.#checking = true;
    try {
      await this.#checkWhileSeen();
    } catch {
      // A tool that can't be checked is skipped. If the index isn't ready, the check is tried again later.
    } finally {
      this.#checking = false;
    }
    if (this.#check?.done) this.#changed();
  }

  async #checkWhileSeen(): Promise<void> {
    const { now, pause } = this.#deps.clock;
    let reportedAt = now();
    await pause(SLICE_MS * REST);
    while (this.#check && !this.#check.done) {
      await this.#deps.search.settled();
      const start = now();
      while (!this.#check.done && now() - start < SLICE_MS) this.#check.step();
      await pause((now() - start) * REST);
      if (now() - reportedAt < TELL_MS) continue;
      if (!this.#seen) return;
      reportedAt = now();
      this.#seen = false;
      this.#changed();
    }
  }
}

/** Whether a suggestion from a replay and another suggestion change the same setting. */
function writesSame(replayed: Suggestion, { kind }: Suggestion): boolean {
  if (replayed.kind !== 'whatIf') return false;
  const same = { allEager: 'modeOff', delivery: 'bridge', maxResults: 'moreResults', eager: 'pinTool' };
  return Object.entries(same).some(([change, other]) => change === replayed.change.kind && other === kind);
}

/** Estimates the tokens that the search tools would add to each request, for a session that doesn't search yet. */
function searchToolTokens(): Tokens {
  const own = ownDefinitions('local').map(definitionText).join();
  return {
    value: Math.ceil(
      (own.length + guidanceText({ deferred: 1, servers: [], delivery: 'local' }).length) / DEFAULT_CHARS_PER_TOKEN,
    ),
    certainty: 'estimated',
  };
}
