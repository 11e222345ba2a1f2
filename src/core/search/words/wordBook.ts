import type { Tool } from '../../catalog/tool';
import { longHash } from '../../util/hash';
import { searchedFields } from '../fields/fields';
import { singular } from '../text/stem';
import { wordsOf } from '../text/words';
import type { SearchWords } from './searchWords';
import { namesIn, readWordsFile, type WordsEntry } from './wordsFile';

// Holds all search words, with the origin of each tool's words.

/**
 * The origin of a tool's search words: shipped with the extension, written by the user's model, or from the team's
 * file.
 */
type WordsOrigin = 'shipped' | 'written' | 'team';

/** All search words, by origin. */
export class WordBook {
  /** Readers of the files that have a tool of this name. A file is read when such a tool is first looked up. */
  readonly #shipped = new Map<string, (() => ReadonlyMap<string, WordsEntry>)[]>();
  /** The words written by the user's model, by {@link definitionHash}. */
  written: ReadonlyMap<string, SearchWords> = new Map();
  /** The words from the team's file, by tool id. */
  team: ReadonlyMap<string, SearchWords> = new Map();
  readonly #made = new WeakMap<Tool, { readonly revision: number; readonly words: SearchWords | undefined }>();
  #revision = 0;

  /**
   * Adds the shipped words of one server: the text of a file.
   * @param warn called with the error if the file turns out to be invalid
   */
  ship(text: string, warn: (error: unknown) => void = () => {}): void {
    let read: ReadonlyMap<string, WordsEntry> | undefined;
    const entries = () => {
      try {
        read ??= readWordsFile(text);
      } catch (error) {
        read = new Map();
        warn(error);
      }
      return read;
    };
    for (const name of namesIn(text)) this.#shipped.set(name, [...(this.#shipped.get(name) ?? []), entries]);
    this.changed();
  }

  /** Changes with every change of the words. */
  get revision(): number {
    return this.#revision;
  }

  /** Must be called after `written` or `team` was replaced. */
  changed(): void {
    this.#revision++;
  }

  /** Returns a tool's words of all origins. Words that a person or a model wrote for exactly this tool come first. */
  readonly of = (tool: Tool): SearchWords | undefined => {
    const known = this.#made.get(tool);
    if (known?.revision === this.#revision) return known.words;
    const words = mergeWords([this.#from('team', tool), this.ownOf(tool)]);
    this.#made.set(tool, { revision: this.#revision, words });
    return words;
  };

  /** Returns a tool's words without the team's. In each language, written words replace shipped ones. */
  ownOf(tool: Tool): SearchWords | undefined {
    const [written, shipped] = [this.#from('written', tool), this.#from('shipped', tool)];
    return written && shipped ? { ...shipped, ...written } : (written ?? shipped);
  }

  /** Returns the words that can be shared: the team's and the written ones. */
  sharedOf(tool: Tool): SearchWords | undefined {
    return mergeWords([this.#from('team', tool), this.#from('written', tool)]);
  }

  /** Returns the origins of a tool's words. */
  originsOf(tool: Tool): readonly WordsOrigin[] {
    return (['team', 'written', 'shipped'] as const).filter((origin) => this.#from(origin, tool));
  }

  #from(origin: WordsOrigin, tool: Tool): SearchWords | undefined {
    if (origin !== 'shipped') {
      const words = origin === 'team' ? this.team.get(tool.id) : this.written.get(definitionHash(tool));
      return words && Object.keys(words).length > 0 ? words : undefined;
    }
    for (const entries of this.#shipped.get(tool.name) ?? []) {
      const entry = entries().get(tool.name);
      if (entry && isAbout(tool, entry.about)) return entry.words;
    }
    return undefined;
  }
}

/**
 * Whether words were written for this tool: its definition contains half of the words that describe what that tool
 * does.
 */
function isAbout({ name, server, description }: Tool, about: readonly string[]): boolean {
  const own = new Set(wordsOf(`${server} ${name} ${description}`).map(singular));
  return about.length > 0 && 2 * about.filter((word) => own.has(singular(word))).length >= about.length;
}

/** Returns a hash of the texts that a tool's words are written from: its names, its description and its arguments. */
export function definitionHash(tool: Tool): string {
  return longHash(JSON.stringify([tool.id, tool.description, searchedFields(tool).argumentNames]));
}

/** Merges words, each once; undefined if there are none. */
export function mergeWords(all: readonly (SearchWords | undefined)[]): SearchWords | undefined {
  const [first, ...rest] = all.filter((words) => words !== undefined);
  if (!first || rest.length === 0) return first;
  const words: Record<string, readonly string[]> = {};
  for (const one of [first, ...rest])
    for (const [language, phrases] of Object.entries(one))
      words[language] = [...new Set([...(words[language] ?? []), ...phrases])];
  return words;
}
