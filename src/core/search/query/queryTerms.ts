import { abbreviationsOf, STOP_WORDS, synonymsOf } from '../text/lexicon';
import { singular } from '../text/stem';
import type { Vocabulary } from '../text/vocabulary';
import { VARIANT } from '../weights';
import { plainWord } from '../words/searchWords';
import type { QueryWord } from './query';
import { QueryLanguages } from './queryLanguages';

// Turns the words of a query into terms of the index, with variants such as synonyms, abbreviations and typos.

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
  /**
   * Whether this entry joins two words of the query. Both also have entries of their own, so a joined entry doesn't
   * count as a further word.
   */
  readonly joined: boolean;
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

/** Reads a query into terms of the index. */
export function readQuery(
  asked: readonly QueryWord[],
  { vocabulary, inUse, isWritten, languages: indexed }: Terms,
): QueryTerm[] {
  const terms: QueryTerm[] = [];
  const seen = new Set<string>();
  const find = (word: string) => {
    const term = vocabulary.find(word);
    return term >= 0 && inUse(term) ? term : -1;
  };
  const all = withWholes(asked, (word) => find(word) >= 0);
  const languages = new QueryLanguages(asked, indexed, (word) => find(word) >= 0);
  const words = countingWords(all, (word) => languages.isFunctionWord(word));

  const add = (word: string, weight: number) => {
    const base = singular(word);
    if (seen.has(base) || terms.length >= MAX_TERMS) return;
    seen.add(base);
    const known = find(word);
    const forms = languages.formsOf(word);
    const foreign = [...forms, ...languages.withParticles(word)].map(find);
    const translations = languages.translationsOf(word);
    const translated = translations.map(find);
    const own = [known, ...foreign, ...translated].find((term) => term >= 0) ?? -1;
    const variants: TermVariant[] = own >= 0 ? [{ term: own, weight: 1 }] : [];
    const offer = (term: number, worth: number) => {
      if (term >= 0 && inUse(term) && !variants.some((known) => known.term === term))
        variants.push({ term, weight: worth });
    };
    for (const term of foreign) offer(term, VARIANT.language);
    for (const term of translated) offer(term, VARIANT.translation);
    for (const other of abbreviationsOf(base)) offer(find(other), VARIANT.abbreviation);
    for (const synonym of synonymsOf(base)) offer(find(synonym), VARIANT.synonym);
    for (const relative of vocabulary.family(word)) offer(relative, VARIANT.root);
    if (variants.length === 0) {
      const parts =
        splitWord(word, find) ?? splitWord(word, (part) => Math.max(-1, ...languages.formsOf(part).map(find)));
      if (parts) {
        for (const part of parts) add(part, weight * VARIANT.part);
        return;
      }
      for (const form of [word, ...forms])
        for (const near of vocabulary.near(form, form.length - plainWord(form).length)) offer(near, VARIANT.typo);
    }
    terms.push({ word, weight, own, variants, joined: false });
    if (own >= 0 && !isWritten(own))
      for (const part of splitWord(word, find) ?? []) if (!STOP_WORDS.has(part)) add(part, weight * VARIANT.part);
  };
  // Adds words of full weight first, so that a word that also occurs in a value keeps its full weight.
  for (const { word, weight } of words) if (weight === 1) add(word, 1);
  for (const { word, weight } of words) if (weight < 1) add(word, weight);

  const pairs = new Set<string>();
  for (const [i, { word, weight }] of words.slice(0, 4 * MAX_TERMS).entries()) {
    const next = words[i + 1];
    const term = next ? find(word + next.word) : -1;
    if (!next || term < 0 || pairs.has(word + next.word)) continue;
    pairs.add(word + next.word);
    const variants = [{ term, weight: VARIANT.joined }];
    terms.push({
      word: `${word} ${next.word}`,
      weight: Math.min(weight, next.weight),
      own: term,
      variants,
      joined: true,
    });
  }
  // Joins neighbours such as "log in" (login) that include a stop word. Other pairs are already added above.
  for (const [i, { word, weight }] of all.slice(0, 4 * MAX_TERMS).entries()) {
    const next = all[i + 1];
    if (!next || STOP_WORDS.has(word) === STOP_WORDS.has(next.word)) continue;
    const term = find(word + next.word);
    if (term < 0 || !isWritten(term) || seen.has(word + next.word)) continue;
    seen.add(word + next.word);
    const variants = [{ term, weight: VARIANT.joined }];
    const least = VARIANT.joined * Math.min(weight, next.weight);
    terms.push({ word: `${word} ${next.word}`, weight: least, own: term, variants, joined: false });
  }
  return terms;
}

/**
 * Returns the words of a query. A run of mixed case is one word if the index has that word; otherwise it is split into
 * its parts.
 */
function withWholes(asked: readonly QueryWord[], isKnown: (word: string) => boolean): QueryWord[] {
  const words: QueryWord[] = [];
  for (const one of asked) {
    if (one.parts === 1) words.push(one);
    else if (isKnown(one.word)) words.splice(-one.parts, one.parts, one);
  }
  return words;
}

/**
 * Returns the words of a query that count, in order. Function words and values count only if there are no other words.
 */
function countingWords(all: readonly QueryWord[], isFunctionWord: (word: string) => boolean): readonly QueryWord[] {
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
