import { abbreviationsOf, STOP_WORDS, synonymsOf } from '../text/lexicon';
import { singular } from '../text/stem';
import type { Vocabulary } from '../text/vocabulary';
import { VARIANT } from '../weights';
import { plainWord } from '../words/searchWords';
import type { QueryWord } from './parseQuery';
import { QueryLanguages } from './queryLanguages';

/** A term that matches a word, with its weight: 1 for the word itself, less for a related word. */
interface TermVariant {
  readonly term: number;
  readonly weight: number;
}

/** A word of the query with the terms of the index that match it. */
export interface QueryTerm {
  /** The word as typed, in lower case. Two words if they are matched together. */
  readonly word: string;
  /** 1, or less for a word that says less about the task. */
  readonly weight: number;
  /** The word's own term, or -1 if the index doesn't have it. */
  readonly own: number;
  /** The terms that match the word. */
  readonly variants: readonly TermVariant[];
  /** Whether it joins two words of the query. Both have entries of their own, so it isn't counted as a further word. */
  readonly joined: boolean;
}

/** A word of the query that counts. */
interface CountingWord extends QueryWord {
  /** For a word of mixed case (`OneDrive`), its parts. They may stand for it, since some tools write one alone. */
  readonly split?: readonly string[];
}

/** The number of distinct words that are read. A query may be a page long, so a limit bounds the time. */
const MAX_TERMS = 64;

/** The index's terms, for reading a query. */
interface Terms {
  readonly vocabulary: Vocabulary;
  /** Whether any tool has a term. */
  readonly inUse: (term: number) => boolean;
  /** Whether a tool's text has the term as one word, not only as two joined words of a name. */
  readonly isWritten: (term: number) => boolean;
  /** The languages of search words other than English. */
  readonly languages: Iterable<string>;
}

/** Reads a query into terms of the index, with variants such as synonyms, abbreviations and typos. */
export function readQuery(asked: readonly QueryWord[], index: Terms): QueryTerm[] {
  const reader = new QueryReader(asked, index);
  const all = withWholes(asked, (word) => reader.find(word) >= 0);
  const words = countingWords(all, (word) => reader.languages.isFunctionWord(word));
  // Adds words of full weight first, so that a word that also occurs in a value keeps its full weight.
  for (const { word, weight, split } of words) if (weight === 1) reader.add(word, 1, split);
  for (const { word, weight, split } of words) if (weight < 1) reader.add(word, weight, split);
  reader.addPairs(words);
  reader.addJoined(all);
  return reader.terms;
}

/** Collects the terms of one query. */
class QueryReader {
  readonly terms: QueryTerm[] = [];
  readonly languages: QueryLanguages;
  readonly #index: Terms;
  readonly #seen = new Set<string>();

  constructor(asked: readonly QueryWord[], index: Terms) {
    this.#index = index;
    this.languages = new QueryLanguages(asked, index.languages, (word) => this.find(word) >= 0);
  }

  /** Returns the term of a word that some tool has; otherwise -1. */
  readonly find = (word: string): number => {
    const term = this.#index.vocabulary.find(word);
    return term >= 0 && this.#index.inUse(term) ? term : -1;
  };

  /** Adds a word with its variants, or its parts if the index has none of these. */
  add(word: string, weight: number, split: readonly string[] = []): void {
    const base = singular(word);
    if (this.#seen.has(base) || this.terms.length >= MAX_TERMS) return;
    this.#seen.add(base);
    const { own, variants, forms } = this.#variantsOf(word, base);
    if (variants.length === 0) {
      const parts =
        splitWord(word, this.find) ??
        splitWord(word, (part) => Math.max(-1, ...this.languages.formsOf(part).map(this.find)));
      if (parts) {
        for (const part of parts) this.add(part, weight * VARIANT.form);
        return;
      }
      variants.push(...this.#typosOf([word, ...forms]));
    }
    const parts = split.filter((part) => !STOP_WORDS.has(part)).map(this.find);
    this.#offer(variants, parts, VARIANT.related);
    this.terms.push({ word, weight, own, variants, joined: false });
    if (own >= 0 && !this.#index.isWritten(own))
      for (const part of splitWord(word, this.find) ?? [])
        if (!STOP_WORDS.has(part)) this.add(part, weight * VARIANT.form);
  }

  #variantsOf(word: string, base: string) {
    const { languages, find } = this;
    const forms = languages.formsOf(word);
    const foreign = [...forms, ...languages.withParticles(word)].map(find);
    const translated = languages.translationsOf(word).map(find);
    const own = [find(word), ...foreign, ...translated].find((term) => term >= 0) ?? -1;
    const variants: TermVariant[] = own >= 0 ? [{ term: own, weight: 1 }] : [];
    this.#offer(variants, foreign, VARIANT.form);
    this.#offer(variants, translated, VARIANT.related);
    this.#offer(variants, [...abbreviationsOf(base)].map(find), VARIANT.form);
    this.#offer(variants, [...synonymsOf(base)].map(find), VARIANT.related);
    this.#offer(variants, this.#index.vocabulary.family(word), VARIANT.related);
    return { own, variants, forms };
  }

  #typosOf(words: readonly string[]): readonly TermVariant[] {
    const variants: TermVariant[] = [];
    for (const word of words) {
      const near = this.#index.vocabulary.near(word, word.length - plainWord(word).length);
      this.#offer(variants, near, VARIANT.related);
    }
    return variants;
  }

  /** Adds terms that some tool has and that aren't among the variants yet. */
  #offer(variants: TermVariant[], terms: Iterable<number>, weight: number): void {
    for (const term of terms)
      if (term >= 0 && this.#index.inUse(term) && !variants.some((known) => known.term === term))
        variants.push({ term, weight });
  }

  /** Adds neighbours that the index has as one word. */
  addPairs(words: readonly QueryWord[]): void {
    const pairs = new Set<string>();
    for (const [i, first] of words.slice(0, 4 * MAX_TERMS).entries()) {
      const next = words[i + 1];
      const pair = next ? first.word + next.word : '';
      const term = next ? this.find(pair) : -1;
      if (!next || term < 0 || pairs.has(pair)) continue;
      pairs.add(pair);
      this.#addPair(first, next, { term, joined: true, worth: 1 });
    }
  }

  /** Joins neighbours such as "log in" (login) that include a stop word. {@link addPairs} has added all other pairs. */
  addJoined(all: readonly QueryWord[]): void {
    for (const [i, first] of all.slice(0, 4 * MAX_TERMS).entries()) {
      const next = all[i + 1];
      if (!next || STOP_WORDS.has(first.word) === STOP_WORDS.has(next.word)) continue;
      const term = this.find(first.word + next.word);
      if (term < 0 || !this.#index.isWritten(term) || this.#seen.has(first.word + next.word)) continue;
      this.#seen.add(first.word + next.word);
      this.#addPair(first, next, { term, joined: false, worth: VARIANT.form });
    }
  }

  #addPair(
    first: QueryWord,
    next: QueryWord,
    { term, joined, worth }: { readonly term: number; readonly joined: boolean; readonly worth: number },
  ): void {
    this.terms.push({
      word: `${first.word} ${next.word}`,
      weight: worth * Math.min(first.weight, next.weight),
      own: term,
      variants: [{ term, weight: VARIANT.form }],
      joined,
    });
  }
}

/** Returns a query's words. A run of mixed case is one word if the index has that word; otherwise, its parts are. */
function withWholes(asked: readonly QueryWord[], isKnown: (word: string) => boolean): CountingWord[] {
  const words: CountingWord[] = [];
  for (const one of asked) {
    if (one.parts === 1) words.push(one);
    else if (isKnown(one.word)) {
      const split = words.splice(-one.parts, one.parts).map(({ word }) => word);
      words.push({ ...one, split });
    }
  }
  return words;
}

/** Returns the words of a query that count, in order: function words and values only if there are no other words. */
function countingWords(
  all: readonly CountingWord[],
  isFunctionWord: (word: string) => boolean,
): readonly CountingWord[] {
  const telling = all.filter(({ word }) => !isFunctionWord(word));
  const words = telling.length > 0 ? telling : all;
  return words.some(({ weight }) => weight === 1) ? words : words.map((word) => ({ ...word, weight: 1 }));
}

/** Splits a word into two known words, one of which has at least four letters. */
function splitWord(word: string, find: (word: string) => number): readonly [string, string] | undefined {
  if (word.length < 6 || word.length > 40) return undefined;
  for (let i = 2; i <= word.length - 2; i++) {
    const start = word.slice(0, i);
    const end = word.slice(i);
    if (Math.max(start.length, end.length) >= 4 && find(start) >= 0 && find(end) >= 0) return [start, end];
  }
  return undefined;
}
