import type { Tool } from '../../catalog/tool';
import { squash, wordsOf } from '../text/words';

/** Text in quotes. */
const QUOTED = /"([^"\n]{1,200})"|`([^`\n]{1,200})`|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])/gu;
/** A word, and those that separators join to it. */
const JOINED = /[\p{L}\p{M}\p{N}]+(?:[_\-./:]{1,2}[\p{L}\p{M}\p{N}]+)*/gu;
/** A separator or a capital inside makes it an identifier: `create_issue`, `github/create-issue`, `createIssue`. */
const IDENTIFIER = /[_\-./:]|.\p{Lu}/u;
const SEPARATORS = /[_\-./:]+/g;
/** Identifiers of more parts than this, as addresses and paths are, name no tool. */
const MAX_PARTS = 12;

const NONE: readonly never[] = [];

/**
 * The names in a query. Case and separators don't matter: `create_issue` is named by `create-issue`, `CreateIssue` and
 * `"create issue"` alike.
 */
export class NameTable<Key> {
  /** Nearly all names are of one tool, which needs no list. */
  private readonly bySquashed = new Map<string, Key | readonly Key[]>();

  /** Files `key` under a tool's names: its own, its id and the one that models see. */
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

  /** Who has this name. */
  find(name: string): readonly Key[] {
    return this.keysOf(squash(name));
  }

  private keysOf(squashed: string): readonly Key[] {
    const keys = this.bySquashed.get(squashed);
    return keys === undefined ? NONE : Array.isArray(keys) ? keys : [keys as Key];
  }

  /**
   * Who is named in `text`, a group for each name: the longest names first, none that lies inside a longer one. A name is the
   * whole text, stands in quotes, or is written as an identifier. The words of a name in mid-sentence are no sign that the
   * tool is meant: they are how people say what they want.
   */
  mentioned(text: string): Key[][] {
    const spans = [this.spanAt(text, 0), ...this.quoted(text), ...this.identifiers(text)].filter(
      (span) => span !== undefined,
    );
    spans.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start);
    const taken: Span<Key>[] = [];
    const found = new Set<Key>();
    return spans.flatMap((span) => {
      if (taken.some(({ start, end }) => start <= span.start && span.end <= end)) return [];
      taken.push(span);
      const keys = span.keys.filter((key) => !found.has(key));
      for (const key of keys) found.add(key);
      return [keys];
    });
  }

  private *quoted(text: string): Generator<Span<Key> | undefined> {
    for (const { 0: all, index } of text.matchAll(QUOTED)) yield this.spanAt(all.slice(1, -1), index + 1);
  }

  /** Identifiers, and the parts of them that are one: `create_issue` in `functions.create_issue`. */
  private *identifiers(text: string): Generator<Span<Key> | undefined> {
    for (const { 0: identifier, index } of text.matchAll(JOINED)) {
      if (!IDENTIFIER.test(identifier)) continue;
      const parts: { readonly start: number; readonly end: number }[] = [];
      let start = 0;
      for (const separator of identifier.matchAll(SEPARATORS)) {
        parts.push({ start, end: separator.index });
        start = separator.index + separator[0].length;
      }
      parts.push({ start, end: identifier.length });
      if (parts.length > MAX_PARTS) continue;
      for (const [i, from] of parts.entries()) {
        for (const to of parts.slice(i)) {
          const name = identifier.slice(from.start, to.end);
          if (to !== from || wordsOf(name).length > 1) yield this.spanAt(name, index + from.start);
        }
      }
    }
  }

  private spanAt(name: string, start: number): Span<Key> | undefined {
    const keys = this.find(name);
    return keys.length > 0 ? { start, end: start + name.length, keys } : undefined;
  }
}

/** A part of a text that is a name. */
interface Span<Key> {
  readonly start: number;
  readonly end: number;
  readonly keys: readonly Key[];
}

function namesOf(tool: Tool): readonly string[] {
  const own = squash(tool.name);
  const id = squash(tool.id);
  const model = tool.modelName === tool.name ? own : squash(tool.modelName);
  const names = own === '' ? [] : [own];
  if (id !== own && id !== '') names.push(id);
  if (model !== own && model !== id && model !== '') names.push(model);
  return names;
}
