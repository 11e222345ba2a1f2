import type { Catalog } from '../core/catalog';
import type { LedgerEvent, Tokens } from '../core/ledger';
import type { Overview } from '../core/overview';
import type { PinTarget, PinValue } from '../core/pins';
import type { Settings } from '../core/settings';
import { CatalogCheck, type Find } from '../core/suggestions/catalogCheck';
import { MIN_TURNS, suggestFromTurns } from '../core/suggestions/fromTurns';
import { lastTurns } from '../core/suggestions/turnFacts';
import type { Suggestion } from '../core/suggestions/types';
import type { Tool } from '../core/tool';
import type { Text } from './protocol';
import type { SuggestionsView, SuggestionToHost } from './suggestionProtocol';
import { doneText, suggestionView } from './suggestionViews';

/** Of one kind are shown at most. */
const MAX_OF_KIND = 5;
/** Checking the catalog works so long at a time, and rests three times as long, in milliseconds. */
const SLICE_MS = 8;
const REST = 3;
/** How often the panel hears how far it is, in milliseconds. */
const TELL_MS = 1_000;

/** Puts back what a change replaced. */
export type Undo = () => Promise<void>;

/** What the suggestions are made from, and what they can do. */
export interface SuggestionWorld {
  readonly events: () => readonly LedgerEvent[];
  readonly catalog: () => Catalog;
  readonly overview: () => Overview;
  readonly tokensOf: (tool: Tool) => Tokens;
  readonly settings: () => Settings;
  /** What the search tools and their guidance take in a round. */
  readonly searchTools: () => Tokens;
  readonly find: Find;
  readonly pin: (target: PinTarget, pin: PinValue) => Promise<void>;
  readonly pinOf: (target: PinTarget) => PinValue;
  readonly setSetting: (key: 'mode' | 'maxResults', value: unknown) => Promise<Undo>;
  /** Asks the user for words and keeps them as an example of the tool; undefined where the user thought better of it. */
  readonly addExample: (tool: Tool) => Promise<Undo | undefined>;
  /** Ids of what the user doesn't want to see in this workspace. */
  readonly dismissed: () => readonly string[];
  readonly setDismissed: (ids: readonly string[]) => Promise<void>;
  readonly rest: (ms: number) => Promise<void>;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Keeps the suggestions up to date while somebody looks, does what they say, and undoes it. */
export class SuggestionDesk {
  readonly #world: SuggestionWorld;
  readonly #changed: () => void;
  readonly #done: { readonly id: string; readonly suggestion: Suggestion; readonly undo: Undo }[] = [];
  #doneCount = 0;
  #check: CatalogCheck | undefined;
  #checkedTools: readonly Tool[] = [];
  #checkedLimit = 0;
  /** Of the last catalog, until the check of this one is done. */
  #before: readonly Suggestion[] = [];
  #checking = false;
  /** Somebody looked since the last time that something was told. */
  #seen = false;
  #turns: { readonly of: readonly unknown[]; readonly seen: number; readonly found: readonly Suggestion[] } | undefined;

  /** @param changed is called when there is something new to show */
  constructor(world: SuggestionWorld, changed: () => void) {
    this.#world = world;
    this.#changed = changed;
  }

  view(text: Text): SuggestionsView {
    this.#seen = true;
    this.#follow();
    const dismissed = new Set(this.#world.dismissed());
    const all = this.#all();
    const shown = all.filter(({ id }) => !dismissed.has(id));
    const counts = new Map<Suggestion['kind'], number>();
    const few = shown.filter(({ kind }) => {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return (counts.get(kind) ?? 0) <= MAX_OF_KIND;
    });
    return {
      items: few.map((suggestion) => suggestionView(suggestion, text)),
      more: shown.length - few.length,
      done: this.#done.map(({ id, suggestion }) => ({ id, text: doneText(suggestion, text) })),
      dismissed: all.length - shown.length,
      turns: { seen: this.#turns?.seen ?? 0, needed: MIN_TURNS },
      tools: { checked: this.#check?.checked ?? 0, total: this.#check?.total ?? 0 },
    };
  }

  /** Rejects with words for the user. What isn't there any more is ignored. */
  async act({ act, id }: Pick<SuggestionToHost, 'act' | 'id'>): Promise<void> {
    const { dismissed, setDismissed } = this.#world;
    switch (act) {
      case 'dismiss':
        await setDismissed([...new Set([...dismissed(), id])]);
        break;
      case 'restore':
        await setDismissed([]);
        break;
      case 'apply': {
        const suggestion = this.#all().find((candidate) => candidate.id === id);
        const undo = suggestion && (await this.#apply(suggestion));
        if (suggestion && undo) this.#done.unshift({ id: `${++this.#doneCount} ${id}`, suggestion, undo });
        break;
      }
      case 'undo': {
        const index = this.#done.findIndex((one) => one.id === id);
        await this.#done[index]?.undo();
        if (index >= 0) this.#done.splice(index, 1);
        break;
      }
    }
    this.#changed();
  }

  async #apply(suggestion: Suggestion): Promise<Undo | undefined> {
    switch (suggestion.kind) {
      case 'pinTool':
        return this.#pin({ kind: 'tool', id: suggestion.tool }, 'eager');
      case 'deferTool':
        return this.#pin({ kind: 'tool', id: suggestion.tool }, 'deferred');
      case 'deferServer':
        return this.#pin({ kind: 'server', id: suggestion.server }, 'deferred');
      case 'unfound':
      case 'thin': {
        const tool = this.#world.catalog().byId.get(suggestion.tool);
        return tool && this.#world.addExample(tool);
      }
      case 'modeOff':
        return this.#world.setSetting('mode', 'off');
      case 'moreResults':
        return this.#world.setSetting('maxResults', suggestion.to);
      case 'twins':
        return undefined;
    }
  }

  async #pin(target: PinTarget, pin: PinValue): Promise<Undo> {
    const before = this.#world.pinOf(target);
    await this.#world.pin(target, pin);
    return () => this.#world.pin(target, before);
  }

  #all(): readonly Suggestion[] {
    const catalog = this.#check?.done ? this.#check.suggestions : [...(this.#check?.suggestions ?? []), ...this.#before];
    const known = new Map([...this.#fromTurns(), ...catalog].map((suggestion) => [suggestion.id, suggestion]));
    return [...known.values()];
  }

  /** Made anew when a turn ended, or when what is loaded changed. */
  #fromTurns(): readonly Suggestion[] {
    const { events, catalog, overview, settings, tokensOf, searchTools } = this.#world;
    const { tools } = catalog();
    const { loading } = overview();
    const { mode, maxResults, maxResultsLimit } = settings();
    const of = [events().length, tools, loading, settings()];
    if (!this.#turns?.of.every((part, index) => part === of[index])) {
      const turns = lastTurns(events());
      const inputs = { turns, tools, loading, tokensOf, searchTools: searchTools(), mode, maxResults, maxResultsLimit };
      this.#turns = { of, seen: turns.length, found: suggestFromTurns(inputs) };
    }
    return this.#turns.found;
  }

  /** Checks the catalog that is there now, if that isn't done or under way. */
  #follow(): void {
    const { tools } = this.#world.catalog();
    const { maxResults } = this.#world.settings();
    if (tools !== this.#checkedTools || maxResults !== this.#checkedLimit) {
      if (this.#check?.done) this.#before = this.#check.suggestions;
      this.#checkedTools = tools;
      this.#checkedLimit = maxResults;
      this.#check = new CatalogCheck(tools, maxResults, this.#world.find);
    }
    if (!this.#checking && this.#check && !this.#check.done) void this.#work();
  }

  /** Works in slices, so that nothing waits for it, and only while somebody looks. */
  async #work(): Promise<void> {
    this.#checking = true;
    const { now, rest } = this.#world;
    let told = now();
    await rest(SLICE_MS * REST);
    while (this.#check && !this.#check.done) {
      const start = now();
      while (!this.#check.done && now() - start < SLICE_MS) this.#check.step();
      await rest((now() - start) * REST);
      if (now() - told < TELL_MS) continue;
      if (!this.#seen) break;
      told = now();
      this.#seen = false;
      this.#changed();
    }
    this.#checking = false;
    if (this.#check?.done) this.#changed();
  }
}
