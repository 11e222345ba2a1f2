import type { Catalog } from '../../core/catalog/catalog';
import type { LedgerEvent } from '../../core/ledger/ledger';
import type { PinTarget, PinValue } from '../../core/settings/pins';
import { fewOfEachKind, suggestFromTurns, type TurnInputs } from '../../core/suggestions/suggestFromTurns';
import { calledSince, lastTurns } from '../../core/suggestions/turnFacts';
import type { Suggestion } from '../../core/suggestions/types';
import { memoize } from '../../core/util/memoize';
import type { SuggestRequest } from '../protocol/requests';
import type { SuggestionsView } from '../protocol/suggestions';
import type { Text } from '../text/text';
import { suggestionView } from './suggestionView';

export interface SuggestionControllerDeps {
  readonly events: () => readonly LedgerEvent[];
  readonly catalog: () => Catalog;
  readonly loading: () => TurnInputs['loading'];
  readonly tokensOf: TurnInputs['tokensOf'];
  readonly pins: {
    readonly get: (target: PinTarget) => PinValue;
    readonly set: (target: PinTarget, pin: PinValue) => Promise<void>;
  };
  /** The ids of suggestions that the user has dismissed in this workspace. */
  readonly dismissed: {
    readonly get: () => readonly string[];
    readonly set: (ids: readonly string[]) => Promise<void>;
  };
}

/** Shows suggestions, applies them, and undoes them. */
export class SuggestionController {
  readonly #deps: SuggestionControllerDeps;
  readonly #changed: () => void;
  readonly #done: { readonly id: string; readonly suggestion: Suggestion; readonly undo: () => Promise<void> }[] = [];
  #doneCount = 0;
  readonly #made = memoize<readonly Suggestion[]>();

  /** @param changed called when there is something new to show */
  constructor(deps: SuggestionControllerDeps, changed: () => void) {
    this.#deps = deps;
    this.#changed = changed;
  }

  view(text: Text): SuggestionsView {
    const found = this.#suggestions();
    const dismissed = new Set(this.#deps.dismissed.get());
    const shown = found.filter(({ id }) => !dismissed.has(id));
    const few = fewOfEachKind(shown);
    return {
      items: few.map((suggestion) => suggestionView(suggestion, text)),
      more: shown.length - few.length,
      dismissed: found.length - shown.length,
      done: this.#done.map(({ id, suggestion }) => {
        const [target, pin] = pinFor(suggestion);
        return { id, text: text.t(DONE[pin], { subject: target.id }) };
      }),
    };
  }

  /** Applies a suggestion. Rejects with a message for the user. A suggestion that no longer exists is ignored. */
  async act({ act, id }: Pick<SuggestRequest, 'act' | 'id'>): Promise<void> {
    const { dismissed } = this.#deps;
    switch (act) {
      case 'dismiss':
        await dismissed.set([...new Set([...dismissed.get(), id])]);
        break;
      case 'restore':
        await dismissed.set([]);
        break;
      case 'apply': {
        const suggestion = this.#suggestions().find((candidate) => candidate.id === id);
        if (suggestion)
          this.#done.unshift({ id: `${++this.#doneCount} ${id}`, suggestion, undo: await this.#apply(suggestion) });
        break;
      }
      case 'undo': {
        await this.#done.find((one) => one.id === id)?.undo();
        // Others may have been applied or undone meanwhile.
        const index = this.#done.findIndex((one) => one.id === id);
        if (index >= 0) this.#done.splice(index, 1);
        break;
      }
    }
    this.#changed();
  }

  /** Returns the suggestions. They are computed again after a turn, or when the loading of tools has changed. */
  #suggestions(): readonly Suggestion[] {
    const events = this.#deps.events();
    const catalog = this.#deps.catalog();
    const loading = this.#deps.loading();
    return this.#made([events.length, catalog, loading], () => {
      // Nothing is suggested about tools that no rule offers.
      const tools = catalog.tools.filter(({ id }) => loading.has(id));
      const turns = lastTurns(events);
      const { tokensOf } = this.#deps;
      const called = calledSince(events, turns);
      return suggestFromTurns({ turns, called, tools, loading, tokensOf });
    });
  }

  /** Sets the suggested pin. Returns a function that sets the pin from before again. */
  async #apply(suggestion: Suggestion): Promise<() => Promise<void>> {
    const { pins } = this.#deps;
    const [target, pin] = pinFor(suggestion);
    const before = pins.get(target);
    await pins.set(target, pin);
    return () => pins.set(target, before);
  }
}

/** The sentences on applied suggestions, by the pin that they set. */
const DONE = { eager: 'suggest.done.pin', deferred: 'suggest.done.defer', off: 'suggest.done.hide' } as const;

function pinFor(suggestion: Suggestion): readonly [PinTarget, keyof typeof DONE] {
  switch (suggestion.kind) {
    case 'pinTool':
      return [{ kind: 'tool', id: suggestion.tool }, 'eager'];
    case 'deferTool':
      return [{ kind: 'tool', id: suggestion.tool }, 'deferred'];
    case 'deferServer':
      return [{ kind: 'server', id: suggestion.server }, 'deferred'];
    case 'hideServer':
      return [{ kind: 'server', id: suggestion.server }, 'off'];
  }
}
