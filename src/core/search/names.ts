import type { Tool } from '../catalog/tool';
import { STOP_WORDS } from './lexicon';
import { squash, wordsOf } from './text';

/**
 * A query of so many words at the most is a phrase that a model wrote, not prose: any name in it counts. Up to four this cost
 * no labelled set anything; without a limit the right tool came first in three queries in a hundred less.
 */
const SHORT_QUERY = 4;

/** A run of words that begins no name within so many characters can't become one: most runs of a query end here. */
const STEM = 10;

/**
 * The names in a query. Case and separators don't matter: `create_issue` is named by `create-issue`, `CreateIssue` and
 * `create issue` alike.
 */
export class NameTable<Key> {
  private readonly bySquashed = new Map<string, Set<Key>>();
  /** Names that are one word of letters, with how many tools have them so written: `files` is, `Files_` isn't. */
  private readonly plain = new Map<string, number>();
  /** How many names have a length, in characters. */
  private readonly counts = new Map<number, number>();
  /** How many shorter names have a shape: their first and last letter and length. Comparing those needs no new string. */
  private readonly shapes = new Map<number, number>();
  /** How many longer names begin with these {@link STEM} characters. */
  private readonly stems = new Map<string, number>();

  /** Files `key` under a tool's names: its own, its id and the one that models see. */
  add(tool: Tool, key: Key): void {
    for (const name of namesOf(tool)) {
      const keys = this.bySquashed.get(name);
      if (keys) keys.add(key);
      else {
        this.bySquashed.set(name, new Set([key]));
        this.countName(name, 1);
      }
      if (isPlain(tool, name)) change(this.plain, name, 1);
    }
  }

  remove(tool: Tool, key: Key): void {
    for (const name of namesOf(tool)) {
      const keys = this.bySquashed.get(name);
      if (!keys?.delete(key)) continue;
      if (isPlain(tool, name)) change(this.plain, name, -1);
      if (keys.size > 0) continue;
      this.bySquashed.delete(name);
      this.countName(name, -1);
    }
  }

  private countName(name: string, by: 1 | -1): void {
    change(this.counts, name.length, by);
    if (name.length >= STEM) change(this.stems, name.slice(0, STEM), by);
    else change(this.shapes, shapeOf(name, 0, name.length), by);
  }

  /** Who has this name. */
  find(name: string): ReadonlySet<Key> {
    return this.bySquashed.get(squash(name)) ?? new Set();
  }

  /**
   * Who is named anywhere in `text`, a group for each name: the longest names first, none that lies inside a longer one.
   *
   * A name of one plain word (`search`, or `help_me` where the query says "help me") is also how people say what they want,
   * so in prose it takes a sign that the tool is meant: quotes, a word such as "use" or "tool" beside it, nothing else that
   * tells in the query, or a word that no other tool has (`isOwn`).
   */
  mentioned(text: string, isOwn: (word: string, keys: ReadonlySet<Key>) => boolean): Key[][] {
    const pieces = [...text.matchAll(isAscii(text) ? ASCII_PIECE : PIECE)].map((match) => ({
      word: match[0].toLowerCase(),
      at: match.index,
    }));
    const spans = this.spansIn(pieces).filter((span) => {
      const words = pieces.slice(span.start, span.end + 1);
      const from = words[0]?.at ?? 0;
      const to = (words.at(-1)?.at ?? 0) + (words.at(-1)?.word.length ?? 0);
      const isPlain =
        words.length === 1 ? this.plain.has(span.name) : /\s/.test(text.slice(from, to)) && words.filter(isTelling).length <= 1;
      if (!isPlain || pieces.length <= SHORT_QUERY || (words.length === 1 && isOwn(span.name, span.keys))) return true;
      if (/["'`]/.test(text.charAt(from - 1)) && /["'`]/.test(text.charAt(to))) return true;
      if (CALLS.has(pieces[span.start - 1]?.word ?? '') || TOOLS.has(pieces[span.end + 1]?.word ?? '')) return true;
      return pieces.filter(isTelling).length <= 1;
    });
    const length = (span: Span) => span.end - span.start;
    spans.sort((a, b) => length(b) - length(a) || a.start - b.start);
    const taken = new Set<number>();
    const found = new Set<Key>();
    const groups: Key[][] = [];
    for (const { start, end, keys } of spans) {
      const positions = Array.from({ length: end - start + 1 }, (_, i) => start + i);
      if (positions.every((position) => taken.has(position))) continue;
      for (const position of positions) taken.add(position);
      groups.push([...keys].filter((key) => !found.has(key)));
      for (const key of keys) found.add(key);
    }
    return groups;
  }

  /** The runs of pieces that are a name. */
  private spansIn(pieces: readonly Piece[]): Span<Key>[] {
    const spans: Span<Key>[] = [];
    const longest = Math.max(0, ...this.counts.keys());
    const text = pieces.map(({ word }) => word).join('');
    for (let start = 0, from = 0; start < pieces.length; from += pieces[start++]?.word.length ?? 0) {
      let to = from;
      for (let end = start; end < pieces.length; end++) {
        const wasShort = to - from < STEM;
        to += pieces[end]?.word.length ?? 0;
        if (to - from > longest) break;
        if (wasShort && to - from >= STEM && !this.stems.has(text.slice(from, from + STEM))) break;
        if (to - from < STEM && !this.shapes.has(shapeOf(text, from, to))) continue;
        const name = text.slice(from, to);
        const keys = this.bySquashed.get(name);
        if (keys) spans.push({ start, end, name, keys });
      }
    }
    return spans;
  }
}

/** A word of a text as it counts for names, and where it stands. */
interface Piece {
  readonly word: string;
  readonly at: number;
}

/** A run of pieces that is a name, both ends included. */
interface Span<Key = unknown> {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly keys: ReadonlySet<Key>;
}

/** A number for the first and last letter and the length of a part of `text`, shorter than {@link STEM}. */
function shapeOf(text: string, from: number, to: number): number {
  return (text.charCodeAt(from) * 128 + (text.charCodeAt(to - 1) & 127)) * 16 + to - from;
}

/** What names are compared by: runs of letters and digits. */
const PIECE = /[\p{L}\p{M}\p{N}]+/gu;
/** The same for plain English, several times as fast. */
const ASCII_PIECE = /[A-Za-z0-9]+/g;

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

function isTelling({ word }: { readonly word: string }): boolean {
  return !STOP_WORDS.has(word);
}

/** Words before a name that say that a tool is meant. */
const CALLS: ReadonlySet<string> = new Set([
  'use',
  'using',
  'call',
  'calling',
  'run',
  'running',
  'invoke',
  'execute',
  'named',
  'tool',
  'via',
  'with',
]);
/** Words behind a name that say so. */
const TOOLS: ReadonlySet<string> = new Set(['tool', 'function', 'command']);

function isPlain(tool: Tool, name: string): boolean {
  return name === tool.name.toLowerCase() && /^\p{L}+$/u.test(name) && wordsOf(tool.name).length === 1;
}

/** Counts up or down; what is down to nothing is forgotten. */
function change<Counted>(counts: Map<Counted, number>, what: Counted, by: number): void {
  const count = (counts.get(what) ?? 0) + by;
  if (count > 0) counts.set(what, count);
  else counts.delete(what);
}

function namesOf(tool: Tool): Set<string> {
  return new Set([squash(tool.name), squash(tool.id), squash(tool.modelName)].filter((name) => name !== ''));
}
