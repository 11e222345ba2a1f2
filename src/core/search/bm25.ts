import { compareText, type Tool } from '../tool';
import { searchedFields } from './fields';
import { STOP_WORDS, synonymsOf } from './lexicon';
import { Postings } from './postings';
import { eachWord, singular, wordsOf } from './text';
import { Vocabulary } from './vocabulary';
import { W } from './weights';

/** A word of the query, with the terms of the index that stand for it. */
export interface QueryTerm {
  /** As typed, lower case. */
  readonly word: string;
  readonly variants: readonly { readonly term: number; readonly weight: number }[];
}

export interface Ranked {
  readonly slot: number;
  readonly score: number;
}

interface Doc {
  readonly tool: Tool;
  /** Every term of the tool, ascending. */
  readonly terms: Int32Array;
  readonly nameTerms: readonly number[];
  readonly nameJoins: readonly number[];
  readonly serverTerms: readonly number[];
}

/** How many of the best go through the closer look. */
const SHORTLIST = 64;

export class Bm25Index {
  private readonly vocabulary = new Vocabulary();
  private readonly postings = new Postings();
  private readonly docs: (Doc | undefined)[] = [];
  private readonly free: number[] = [];
  private live = 0;
  private scores = new Float64Array(256);
  private touched = new Int32Array(256);
  private acc = new Float64Array(1024);
  private readonly accTouched: number[] = [];

  add(tool: Tool): number {
    const doc = this.free.pop() ?? this.docs.length;
    const fields = searchedFields(tool);
    const { vocabulary } = this;

    const nameTerms = this.addText(fields.name, W.name);
    const nameJoins: number[] = [];
    const nameWords = wordsOf(fields.name);
    for (let i = 0; i + 1 < nameWords.length; i++) {
      const id = vocabulary.add(`${nameWords[i]}${nameWords[i + 1]}`);
      nameJoins.push(id);
      this.bump(id, W.nameJoined);
    }
    const serverTerms = this.addText(fields.server, W.server);
    this.addText(fields.title, W.title);
    const descriptionLength = this.lengthOf(fields.description);
    const norm = 1 - W.bDesc + (W.bDesc * descriptionLength) / W.pivotDesc;
    this.addText(fields.description, W.description / norm);
    const end = /[.!?](?=\s|$)|\n/.exec(fields.description)?.index ?? fields.description.length;
    this.addText(fields.description.slice(0, end), W.first);
    for (const text of fields.argumentNames) this.addText(text, W.argNames);
    let argLength = 0;
    for (const text of fields.argumentTexts) argLength += this.lengthOf(text);
    const argNorm = 1 - W.bArgs + (W.bArgs * argLength) / W.pivotArgs;
    for (const text of fields.argumentTexts) this.addText(text, W.argTexts / argNorm);
    for (const text of fields.values) this.addText(text, W.values);
    for (const text of fields.examples) this.addText(text, W.examples);

    const terms = Int32Array.from(this.accTouched).sort();
    for (const term of terms) {
      const tf = this.acc[term] as number;
      this.acc[term] = 0;
      this.postings.add(term, doc, (tf * (W.k1 + 1)) / (W.k1 + tf));
    }
    this.accTouched.length = 0;
    this.docs[doc] = { tool, terms, nameTerms, nameJoins, serverTerms };
    this.live++;
    if (this.docs.length > this.scores.length) {
      this.scores = new Float64Array(this.docs.length * 2);
      this.touched = new Int32Array(this.docs.length * 2);
    }
    return doc;
  }

  remove(doc: number): void {
    const entry = this.docs[doc];
    if (!entry) return;
    for (const term of entry.terms) this.postings.remove(term, doc);
    this.docs[doc] = undefined;
    this.free.push(doc);
    this.live--;
  }

  /** The tool in a slot that is in use. */
  toolAt(doc: number): Tool {
    return (this.docs[doc] as Doc).tool;
  }

  setTool(doc: number, tool: Tool): void {
    this.docs[doc] = { ...(this.docs[doc] as Doc), tool };
  }

  /** The words of the query that a tool matches. */
  matchedWords(doc: number, terms: readonly QueryTerm[]): string[] {
    const own = (this.docs[doc] as Doc).terms;
    return terms.filter(({ variants }) => variants.some(({ term }) => has(own, term))).map(({ word }) => word);
  }

  /** How many words of the query each tool has, for those that have any. */
  overlap(terms: readonly QueryTerm[], accept: (doc: number) => boolean): Map<number, number> {
    const counts = new Map<number, number>();
    for (const { variants } of terms) {
      const own = variants[0];
      if (own?.weight !== 1) continue;
      this.postings.each(own.term, (doc) => {
        if (accept(doc)) counts.set(doc, (counts.get(doc) ?? 0) + 1);
      });
    }
    return counts;
  }

  /** Tests tools for a word, in any of its forms; a word of several parts needs them all. */
  containing(word: string): (doc: number) => boolean {
    const parts = wordsOf(word).map((part) => [this.vocabulary.find(part), ...this.vocabulary.family(part)]);
    return (doc) => {
      const own = (this.docs[doc] as Doc).terms;
      return parts.every((terms) => terms.some((term) => has(own, term)));
    };
  }

  private bump(id: number, weight: number): void {
    if (id >= this.acc.length) {
      const acc = new Float64Array(id * 2);
      acc.set(this.acc);
      this.acc = acc;
    }
    if (this.acc[id] === 0) this.accTouched.push(id);
    this.acc[id] = (this.acc[id] as number) + weight;
  }

  private addText(text: string, weight: number): number[] {
    const ids: number[] = [];
    eachWord(text, (word) => {
      const id = this.vocabulary.add(word);
      this.bump(id, weight);
      ids.push(id);
    });
    return ids;
  }

  private lengthOf(text: string): number {
    let n = 0;
    eachWord(text, () => n++);
    return n;
  }

  private idf(term: number): number {
    const n = this.postings.count(term);
    return Math.log(1 + (this.live - n + 0.5) / (n + 0.5));
  }

  queryTerms(text: string): QueryTerm[] {
    const { vocabulary, postings } = this;
    const all = wordsOf(text);
    let words = all.filter((word) => !STOP_WORDS.has(word));
    if (words.length === 0) words = all;
    const seen = new Set<string>();
    const result: QueryTerm[] = [];
    const lookup = (word: string) => {
      const id = vocabulary.find(word);
      return id >= 0 && postings.count(id) > 0 ? id : -1;
    };
    for (const [i, word] of words.entries()) {
      const base = singular(word);
      if (seen.has(base)) continue;
      seen.add(base);
      const variants = new Map<number, number>();
      const id = lookup(word);
      if (id >= 0) variants.set(id, 1);
      for (const other of synonymsOf(base)) {
        const s = lookup(other);
        if (s >= 0 && !variants.has(s)) variants.set(s, W.synonym);
      }
      for (const s of vocabulary.family(word)) if (postings.count(s) > 0 && !variants.has(s)) variants.set(s, W.root);
      result.push({ word, variants: [...variants].map(([term, weight]) => ({ term, weight })) });
      const next = words[i + 1];
      if (next !== undefined) {
        const joined = lookup(`${word}${next}`);
        if (joined >= 0 && !seen.has(`${word}${next}`)) {
          seen.add(`${word}${next}`);
          result.push({ word: `${word} ${next}`, variants: [{ term: joined, weight: W.joined }] });
        }
      }
    }
    return result;
  }

  /** Documents that match any of `terms`, best first: at most {@link SHORTLIST}, and the number of all that match. */
  rank(
    terms: readonly QueryTerm[],
    accept: (doc: number) => boolean,
    options: { size: number; later: (doc: number) => boolean },
  ): { ranked: Ranked[]; matched: number } {
    const size = Math.max(SHORTLIST, options.size);
    const { scores, touched, postings } = this;
    let count = 0;
    for (const { variants } of terms) {
      const own = variants[0]?.weight === 1 ? this.idf(variants[0].term) : Infinity;
      for (const { term, weight } of variants) {
        let idf = this.idf(term);
        if (W.synIdfCap) idf = Math.min(idf, own);
        count = postings.score(term, weight * idf, scores, touched, count);
      }
    }
    const first: { doc: number; score: number; later: boolean }[] = [];
    for (let i = 0; i < count; i++) {
      const doc = touched[i] as number;
      if (accept(doc)) first.push({ doc, score: scores[doc] as number, later: options.later(doc) });
      scores[doc] = 0;
    }
    const matched = first.length;
    first.sort((a, b) => Number(a.later) - Number(b.later) || b.score - a.score || this.compareDocs(a.doc, b.doc));
    if (first.length > size) first.length = size;
    const ranked = this.closerLook(terms, first);
    const later = new Map(first.map((x) => [x.doc, x.later]));
    ranked.sort((a, b) => Number(later.get(a.slot)) - Number(later.get(b.slot)) || b.score - a.score || this.compareDocs(a.slot, b.slot));
    return { ranked, matched };
  }

  private closerLook(terms: readonly QueryTerm[], first: { doc: number; score: number }[]): Ranked[] {
    const top = first[0]?.score ?? 1;
    const weightOf = new Map<number, number>();
    let mass = 0;
    const masses = terms.map((t) => {
      let best = 0;
      for (const v of t.variants) {
        weightOf.set(v.term, Math.max(weightOf.get(v.term) ?? 0, v.weight));
        best = Math.max(best, this.idf(v.term));
      }
      if (t.variants[0]?.weight === 1) best = this.idf(t.variants[0].term);
      mass += best;
      return best;
    });
    return first.map(({ doc, score }) => {
      const entry = this.docs[doc] as Doc;
      const inDoc = (term: number) => has(entry.terms, term);
      // name coverage
      const cover = entry.nameTerms.map((t) => weightOf.get(t) ?? 0);
      for (const [i, join] of entry.nameJoins.entries()) {
        const w = weightOf.get(join) ?? 0;
        cover[i] = Math.max(cover[i] ?? 0, w);
        cover[i + 1] = Math.max(cover[i + 1] ?? 0, w);
      }
      const coverage = cover.length ? cover.reduce((a, b) => a + b, 0) / cover.length : 0;
      const complete = coverage >= 1 ? 1 : 0;
      let covered = 0;
      for (const [i, t] of terms.entries()) {
        let best = 0;
        for (const v of t.variants) if (v.weight > best && inDoc(v.term)) best = v.weight;
        covered += best * (masses[i] ?? 0);
      }
      const queryCoverage = mass > 0 ? covered / mass : 0;
      const serverMatch = entry.serverTerms.some((t) => weightOf.get(t) === 1) ? 1 : 0;
      return {
        slot: doc,
        score:
          score / top +
          W.nameCoverage * coverage +
          W.nameComplete * complete +
          W.queryCoverage * queryCoverage +
          W.serverMatch * serverMatch,
      };
    });
  }

  private compareDocs(a: number, b: number): number {
    const x = this.docs[a]?.tool;
    const y = this.docs[b]?.tool;
    return compareText(x?.name ?? '', y?.name ?? '') || compareText(x?.id ?? '', y?.id ?? '');
  }
}

function has(sorted: Int32Array, value: number): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle] as number;
    if (found === value) return true;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
