import { trimOf } from '../../util/trim';
import { eachWord } from '../text/words';
import { VARIANT } from '../weights';

/** A word of a query as it was read, with its weight: 1, or less in a value. */
export interface QueryWord {
  readonly word: string;
  readonly weight: number;
  /** The number of parts of a word that follows its parts (`mysql` after my, sql); otherwise 1. */
  readonly parts: number;
}

/** A query parsed once for all strategies. */
export interface ParsedQuery {
  /** `select:a,b`: exactly these names, in this order. */
  readonly select?: readonly string[];
  /** `+word`: every hit must contain it. */
  readonly must: readonly string[];
  /** The query without marks, `must` words included. */
  readonly text: string;
  /** All words of `text`, in order. Includes stop words, and words of mixed case after their parts. */
  readonly words: readonly QueryWord[];
}

const SELECT = /^\s*select:\s*(.*)$/is;
/** A plus directly before a word. A letter must follow, since `+1 555 0100` is a telephone number. */
const MUST = /(^|\s)\+(\p{L}[^\s,;]*)/gu;

/** Parses a query with the marks of other tool searches that models know: `select:a,b` and `+must`. */
export function parseQuery(query: string): ParsedQuery {
  const select = SELECT.exec(query);
  if (select) {
    const names = (select[1] ?? '')
      .split(/[,\n]/)
      .map((name) => trimOf(name.trim(), '"\'`'))
      .filter((name) => name !== '');
    const text = names.join(' ');
    return { select: [...new Set(names)], must: [], text, words: readWords(text) };
  }
  const must = [...query.matchAll(MUST)].map((match) => match[2] as string);
  const text = query.replace(MUST, '$1$2');
  return { must, text, words: readWords(text) };
}

/** Parts of a query that are values: `<placeholder>`, a URL, quoted text. */
const VALUES = /<[^<>\n]{1,60}>|https?:\/\/\S+|"[^"\n]{1,200}"|(?<![\p{L}\p{N}])'[^'\n]{1,200}'(?![\p{L}\p{N}])/gu;

function readWords(text: string): readonly QueryWord[] {
  const words: QueryWord[] = [];
  const push = (part: string, weight: number) => {
    eachWord(part, (word, parts) => words.push({ word, weight: /^\d+$/.test(word) ? VARIANT.value : weight, parts }));
  };
  let end = 0;
  for (const value of text.matchAll(VALUES)) {
    push(text.slice(end, value.index), 1);
    push(value[0], VARIANT.value);
    end = value.index + value[0].length;
  }
  push(text.slice(end), 1);
  return words;
}
