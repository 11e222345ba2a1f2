import type { Tool } from '../../core/catalog/tool';
import type { PinTarget, PinValue } from '../../core/settings/pins';
import type { Suggestion } from '../../core/suggestions/types';
import type { Change } from '../../core/whatIf/types';
import type { SuggestRequest } from '../protocol/requests';
import type { SuggestionsView } from '../protocol/suggestions';
import type { Text } from '../text/text';
import { Suggester, type SuggesterDeps } from './suggester';
import { doneText } from './text';

/** Undoes a change. */
export type Undo = () => Promise<void>;

/** The dependencies of suggestions and their actions. */
export interface SuggestionControllerDeps {
  readonly suggester: SuggesterDeps;
  readonly pins: {
    readonly get: (target: PinTarget) => PinValue;
    readonly set: (target: PinTarget, pin: PinValue) => Promise<void>;
  };
  readonly setSetting: (key: 'mode' | 'maxResults' | 'delivery' | 'strategy', value: unknown) => Promise<Undo>;
  /** Asks the user for words and stores them as an example of the tool. Resolves with undefined if the user cancels. */
  readonly addExample: (tool: Tool) => Promise<Undo | undefined>;
  /** Opens a server's entry in its file. */
  readonly showServer: (server: string) => Promise<void>;
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
  readonly #suggester: Suggester;
  readonly #done: { readonly id: string; readonly suggestion: Suggestion; readonly undo: Undo }[] = [];
  #doneCount = 0;

  /** @param changed called when there is something new to show */
  constructor(deps: SuggestionControllerDeps, changed: () => void) {
    this.#deps = deps;
    this.#changed = changed;
    this.#suggester = new Suggester(deps.suggester, changed);
  }

  view(text: Text): SuggestionsView {
    return {
      ...this.#suggester.view(text, new Set(this.#deps.dismissed.get())),
      done: this.#done.map(({ id, suggestion }) => ({ id, text: doneText(suggestion, text) })),
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
        const suggestion = this.#suggester.all().find((candidate) => candidate.id === id);
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
        const tool = this.#deps.suggester.tools.catalog().byId.get(suggestion.tool);
        return tool && this.#deps.addExample(tool);
      }
      case 'modeOff':
        return this.#deps.setSetting('mode', 'off');
      case 'bridge':
        return this.#deps.setSetting('delivery', 'bridge');
      case 'moreResults':
        return this.#deps.setSetting('maxResults', suggestion.to);
      case 'whatIf':
        return this.#write(suggestion.change);
      case 'idleServer':
        // No setting turns a server off, and files aren't changed without the user's consent. The user edits the entry.
        await this.#deps.showServer(suggestion.server);
        return undefined;
      case 'writeWords':
        await this.#deps.suggester.words.write();
        return undefined;
      case 'twins':
      case 'costlyTurn':
        return undefined;
    }
  }

  async #write(change: Change): Promise<Undo | undefined> {
    switch (change.kind) {
      case 'delivery':
      case 'strategy':
      case 'maxResults':
        return this.#deps.setSetting(change.kind, change.to);
      case 'allEager':
        return this.#deps.setSetting('mode', 'off');
      case 'deferred':
        return this.#deps.setSetting('mode', 'on');
      case 'eager': {
        const undos: Undo[] = [];
        for (const id of change.tools) undos.push(await this.#pin({ kind: 'tool', id }, 'eager'));
        return async () => {
          for (const undo of undos) await undo();
        };
      }
      case 'recorded':
      case 'today':
        return undefined;
    }
  }

  async #pin(target: PinTarget, pin: PinValue): Promise<Undo> {
    const { pins } = this.#deps;
    const before = pins.get(target);
    await pins.set(target, pin);
    return () => pins.set(target, before);
  }
}
