import type { Tool } from '../../catalog/tool';
import { squash, wordsOf } from '../text/words';

/** Text in quotes. */
const QUOTED = /"([^"\n]{1,200})"|`([^`\n]{1,200})`|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])/gu;
/** A word together with further words that separators join to it. */
const JOINED = /[\p{L}\p{M}\p{N}]+(?:[_\-./:]{1,2}[\p{L}\p{M}\p{N}]+)*/gu;
/** Matches identifiers by a separator or an inner capital: `create_issue`, `github/create-issue`, `createIssue`. */
const IDENTIFIER = /[_\-./:]|.\p{Lu}/u;
const PARTS = /[^_\-./:]+/g;
/** The maximum number of parts that a tool's identifier can have. Addresses and paths have more. */
const MAX_PARTS = 12;

const NONE: readonly never[] = [];

/** Returns the names in a text that is only a list of two or more identifiers, such as `read_file, list_files`. */
export function listedNames(text: string): readonly string[] {
  const names = text.split(/[\s,;]+/).filter((name) => name !== '');
  const isList = names.length > 1 && names.every((name) => IDENTIFIER.test(name) && wordsOf(name).length > 1);
  return isList ? [...new Set(names)] : NONE;
}

/** Finds tools by name, and names in a query. Case and separators don't matter: `CreateIssue` names `create_issue`. */
export class NameTable<Key> {
  /** The keys by squashed name. A single key isn't in a list, since most names belong to one tool. */
  private readonly bySquashed = new Map<string, Key | readonly Key[]>();

  /** Stores `key` under a tool's names: its own name, its id and the name that models see. */
  add(tool: Tool, key: Key): void {
    for (const name of namesOf(tool)) {
      const keys = this.keysOf(name);
      this.bySquashed.set(name, keys.length > 0 ? [...keys, key] : key);
    }
  }

  remove(tool: Tool, key: Key): void {
    for (const name of namesOf(tool)) {
      const rest = this.keysOf(name).filter((one) => one !== key);
      if (rest.length > 0) this.bySquashed.set(name, rest);
      else this.bySquashed.delete(name);
    }
  }

  /** Returns the keys of the tools with this name. */
  find(name: string): readonly Key[] {
    return this.keysOf(squash(name));
  }

  private keysOf(squashed: string): readonly Key[] {
    const keys = this.bySquashed.get(squashed);
    return keys === undefined ? NONE : Array.isArray(keys) ? keys : [keys as Key];
  }

  /**
   * Returns the keys of the tools that `text` names, in one group for each name, longer names first. A name inside a
   * longer one is skipped. A name counts if it is the whole text, is in quotes, or is written as an identifier. The
   * words of a name in the middle of a sentence don't count, because people use such words to describe a task.
   */
  mentioned(text: string): Key[][] {
    const spans = [...this.spanAt(text, 0), ...this.quoted(text), ...this.identifiers(text)];
    spans.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start);
    const taken: NameSpan<Key>[] = [];
    const found = new Set<Key>();
    return spans.flatMap((span) => {
      if (taken.some(({ start, end }) => start <= span.start && span.end <= end)) return [];
      taken.push(span);
      const keys = span.keys.filter((key) => !found.has(key));
      for (const key of keys) found.add(key);
      return [keys];
    });
  }

  private *quoted(text: string): Generator<NameSpan<Key>> {
    for (const { 0: all, index } of text.matchAll(QUOTED)) yield* this.spanAt(all.slice(1, -1), index + 1);
  }

  /** Yields identifiers, and parts that are identifiers themselves: `create_issue` in `functions.create_issue`. */
  private *identifiers(text: string): Generator<NameSpan<Key>> {
    for (const { 0: identifier, index } of text.matchAll(JOINED)) {
      if (!IDENTIFIER.test(identifier)) continue;
      const matches = identifier.matchAll(PARTS);
      const parts = Array.from(matches, ({ 0: part, index: start }) => ({ start, end: start + part.length }));
      if (parts.length > MAX_PARTS) continue;
      for (const [i, from] of parts.entries()) {
        for (const to of parts.slice(i)) {
          const name = identifier.slice(from.start, to.end);
          if (to !== from || wordsOf(name).length > 1) yield* this.spanAt(name, index + from.start);
        }
      }
    }
  }

  private *spanAt(name: string, start: number): Generator<NameSpan<Key>> {
    const keys = this.find(name);
    if (keys.length > 0) yield { start, end: start + name.length, keys };
  }
}

/** A part of a text that is a name. */
interface NameSpan<Key> {
  readonly start: number;
  readonly end: number;
  readonly keys: readonly Key[];
}

function namesOf(tool: Tool): readonly string[] {
  const names = [tool.name, tool.id, tool.modelName].map(squash);
  return [...new Set(names)].filter((name) => name !== '');
}
