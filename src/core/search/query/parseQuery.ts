import { trimOf } from '../../util/trim';
import { eachWord } from '../text/words';
import { VARIANT } from '../weights';

/** A word of a query with its weight: 1, or less if the word is inside a value. */
export interface QueryWord {
  readonly word: string;
  readonly weight: number;
  /** For a word that joins the words before it (`mysql` after my, sql), their number; otherwise 1. */
  readonly parts: number;
}

/** A query parsed once for all strategies. */
export interface ParsedQuery {
  /** For `select:a,b#part`, the names; the search returns exactly these, in this order. */
  readonly select?: readonly string[];
  /** The words marked as in `+word`. Every hit must contain all of them. */
  readonly must: readonly string[];
  /** The query without marks. Contains the `must` words. */
  readonly text: string;
  /** All words of `text`, in order. Includes stop words, and words of mixed case after their parts. */
  readonly words: readonly QueryWord[];
}

const SELECT = /^\s*select:\s*(.*)$/is;
/** Matches a plus directly before a word. A letter must follow, since `+1 555 0100` is a telephone number. */
const MUST = /(^|\s)\+(\p{L}[^\s,;]*)/gu;

/** Parses a query with two marks that models know from other tool searches: `select:a,b` and `+must`. */
export function parseQuery(query: string): ParsedQuery {
  const select = SELECT.exec(query);
  if (select) {
    const names = (select[1] ?? '')
      .split(/[,\n]/)
      .map((name) => trimOf((name.split('#')[0] ?? '').trim(), '"\'`'))
      .filter((name) => name !== '');
    const text = names.join(' ');
    return { select: [...new Set(names)], must: [], text, words: readWords(text) };
  }
  const must = [...query.matchAll(MUST)].map((match) => match[2] as string);
  const text = query.replace(MUST, '$1$2');
  return { must, text, words: readWords(text) };
}

/** Parts of a query that are values: `<placeholder>`, a URL, quoted text, the last part of `owner/repo-name`. */
const VALUES =
  /<[^<>\n]{1,60}>|https?:\/\/\S+|(?<=[\w.-]\/)[\w.]+[-_.\d][\w.-]*|"[^"\n]{1,200}"|(?<![\p{L}\p{N}])'[^'\n]{1,200}'(?![\p{L}\p{N}])/gu;

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
