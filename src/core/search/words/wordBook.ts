import type { Tool } from '../../catalog/tool';
import { once } from '../../util/once';
import { singular } from '../text/stem';
import { wordsOf } from '../text/words';
import type { SearchWords } from './searchWords';
import { namesIn, readWordsFile, type WordsEntry } from './wordsFile';

/** All search words: those that are shipped with the extension, and those of the team's file. */
export class WordBook {
  /** Readers of the files that have a tool of this name. A file is read when such a tool is first looked up. */
  readonly #shipped = new Map<string, (() => ReadonlyMap<string, WordsEntry>)[]>();
  /** The words from the team's file, by tool id. */
  team: ReadonlyMap<string, SearchWords> = new Map();

  /** Adds the text of a file with the words of one server. `warn` gets the error if it turns out to be invalid. */
  ship(text: string, warn: (error: unknown) => void): void {
    const entries = once((): ReadonlyMap<string, WordsEntry> => {
      try {
        return readWordsFile(text);
      } catch (error) {
        warn(error);
        return new Map();
      }
    });
    for (const name of namesIn(text)) this.#shipped.set(name, [...(this.#shipped.get(name) ?? []), entries]);
  }

  /** Returns a tool's words. The team's come first. */
  readonly of = (tool: Tool): SearchWords | undefined => mergeWords(this.team.get(tool.id), this.#shippedFor(tool));

  #shippedFor(tool: Tool): SearchWords | undefined {
    for (const entries of this.#shipped.get(tool.name) ?? []) {
      const entry = entries().get(tool.name);
      if (entry && isAbout(tool, entry.about)) return entry.words;
    }
    return undefined;
  }
}

/** Whether words were written for this tool: its definition has half of the words that describe what that tool does. */
function isAbout({ name, server, description }: Tool, about: readonly string[]): boolean {
  const own = new Set(wordsOf(`${server} ${name} ${description}`).map(singular));
  return about.length > 0 && 2 * about.filter((word) => own.has(singular(word))).length >= about.length;
}

function mergeWords(team: SearchWords | undefined, shipped: SearchWords | undefined): SearchWords | undefined {
  if (!team || !shipped) return team ?? shipped;
  const languages = new Set([...Object.keys(team), ...Object.keys(shipped)]);
  return Object.fromEntries(
    [...languages].map((language) => [
      language,
      [...new Set([...(team[language] ?? []), ...(shipped[language] ?? [])])],
    ]),
  );
}
