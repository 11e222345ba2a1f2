import { deprecationIn } from '../../catalog/sentences';
import type { Tool } from '../../catalog/tool';
import { groupBy } from '../../util/groupBy';
import { DocumentReader } from '../fields/document';
import { FEW, grown, Postings, type Sums } from '../index/postings';
import type { QueryWord } from '../query/parseQuery';
import { type QueryTerm, readQuery } from '../query/queryTerms';
import { asksOnly, isChanging } from '../text/lexicon';
import { Vocabulary } from '../text/vocabulary';
import { wordsOf } from '../text/words';
import type { ScoreParts, Weakness, WordPart } from '../types';
import { BONUS, CHANGES_INSTEAD, DEPRECATED, RELEVANT, SERVER_HALF, SHORTLIST } from '../weights';
import { languageOf, plainWord, wordIn } from '../words/searchWords';
import { FinalScorer, type Looked } from './finalScore';
import { compareTools } from './orderHits';
import { findStuffed } from './stuffedTools';
import { topK } from './topK';

/** A tool's slot, with the tool's score for a query. */
interface Ranked {
  readonly slot: number;
  readonly score: number;
  /** The words of the query that the tool matches. */
  readonly words: readonly string[];
  /** The share of the query that the tool covers, 0 to 1. */
  readonly covered: number;
  /** Set if the tool fits so much less than the best one that it isn't returned. */
  readonly weak: Weakness | undefined;
  /** The parts of the score; set if the search asked for them. */
  readonly parts: Omit<ScoreParts, 'named'> | undefined;
}

/** Whether a tool's name begins with a verb of changing, after the server's name. */
function changesByName({ name, server }: Tool): boolean {
  const ofServer = wordsOf(server);
  return isChanging(wordsOf(name).find((word) => !ofServer.includes(word)) ?? '');
}

/** Counts by number, initially 0. */
class Counts {
  private counts = new Int32Array(FEW);

  add(at: number, by: number): void {
    if (at >= this.counts.length) this.counts = grown(this.counts, at * 2);
    this.counts[at] = this.of(at) + by;
  }

  of(at: number): number {
    return this.counts[at] ?? 0;
  }
}

/** Whether a search may find a slot. */
export type Accept = (slot: number) => boolean;

/** The options of a ranking. */
interface RankOptions {
  /** The approximate number of tools to return. */
  readonly size: number;
  /** Slots of tools to rank even if they don't match. */
  readonly named: ReadonlySet<number>;
  /** Returns whether a tool comes after all others. */
  readonly later?: Accept | undefined;
  /** Whether to return the parts of each score. */
  readonly explain?: boolean | undefined;
}

/** Accepts all slots. It is recognized by identity, so that it needn't be called for thousands of slots. */
export const ALL: Accept = () => true;

function accepted(slots: Int32Array, accept: Accept): Int32Array {
  return accept === ALL ? slots : slots.filter(accept);
}

/** A word that more than this share of the tools has doesn't distinguish tools. Applies from `NOISE_MIN` tools on. */
const NOISE_SHARE = 1 / 3;
const NOISE_MIN = 20;

/** A variant that more tools than this have doesn't count in the first stage: it costs time and says little. */
const COMMON = 100;

/**
 * The default ranking, in two stages. First, BM25F over an inverted index scores every tool that shares a word with the
 * query. Then the best tools are ranked again by how well their names and the query cover each other. The second stage
 * decides between tools that share the same words with the query.
 */
export class Bm25Index {
  private readonly vocabulary = new Vocabulary();
  private readonly reader = new DocumentReader(this.vocabulary);
  /** The documents (slots) of each term, and the terms of each document. */
  private readonly postings = new Postings();
  private readonly documents = new Postings();
  /** The tools, by slot. */
  private readonly tools: (Tool | undefined)[] = [];
  private readonly names: (readonly number[])[] = [];
  /** By slot: the numbers `written` and `own` of the tool's `Document`. */
  private readonly written: number[] = [];
  private readonly own: number[] = [];
  /** By term: how many slots have it only as joined words, and how many have it only as a search word. */
  private readonly paired = new Counts();
  private readonly searched = new Counts();
  private readonly free: number[] = [];
  private readonly servers = new Map<string, { readonly id: number; tools: number }>();
  private readonly freeServerIds: number[] = [];
  /** The terms of each server's name, by the server's number. */
  private readonly serverTerms: (readonly number[])[] = [];
  /** The number of each slot's server. */
  private serverIds = new Int32Array(FEW);
  size = 0;
  /** The slots of deprecated tools. */
  private readonly deprecated = new Set<number>();
  /** How much the words of stuffed tools count, by slot; see {@link findStuffed}. */
  private trusts = new Map<number, number>();
  /** Whether tools have changed since these were found. */
  private hasChanged = false;
  /** The languages of the search words, other than English. */
  languages: ReadonlySet<string> = new Set();
  /** Scratch space of one search: the score of each slot (0 between searches), and the slots with a score. */
  private sums: Sums = { scores: new Float64Array(FEW), touched: new Int32Array(FEW) };

  /** Adds a tool with its search words. Returns its slot: a small number that identifies the tool until its removal. */
  add(tool: Tool, searchWords: readonly string[] = []): number {
    const slot = this.free.pop() ?? this.tools.length;
    const document = this.reader.read(tool, groupBy(searchWords, languageOf).values());
    const { terms, written, own, impacts } = document;
    this.documents.reserve(slot, terms.length);
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i] as number;
      this.postings.add(term, slot, impacts[i] as number);
      this.documents.add(slot, term, impacts[i] as number);
    }
    this.tools[slot] = tool;
    if (deprecationIn(tool.description) !== undefined) this.deprecated.add(slot);
    this.names[slot] = document.name;
    this.written[slot] = written;
    this.own[slot] = own;
    for (let i = written; i < terms.length; i++) (i < own ? this.paired : this.searched).add(terms[i] as number, 1);
    this.size++;
    this.hasChanged = true;
    if (slot >= this.sums.scores.length) {
      this.sums = { scores: new Float64Array(slot * 2), touched: new Int32Array(slot * 2) };
      this.serverIds = grown(this.serverIds, slot * 2);
    }
    const server = this.servers.get(tool.server) ?? {
      id: this.freeServerIds.pop() ?? this.serverTerms.length,
      tools: 0,
    };
    server.tools++;
    this.servers.set(tool.server, server);
    this.serverTerms[server.id] = document.server;
    this.serverIds[slot] = server.id;
    return slot;
  }

  remove(slot: number): void {
    const { server: name } = this.toolAt(slot);
    const written = this.written[slot] as number;
    const own = this.own[slot] as number;
    this.documents.each(slot, (term, _, i) => {
      this.postings.remove(term, slot);
      if (i >= written) (i < own ? this.paired : this.searched).add(term, -1);
    });
    this.documents.clear(slot);
    this.trusts.delete(slot);
    this.deprecated.delete(slot);
    this.hasChanged = true;
    this.tools[slot] = undefined;
    this.free.push(slot);
    this.size--;
    const server = this.servers.get(name);
    if (server && --server.tools === 0) {
      this.servers.delete(name);
      this.freeServerIds.push(server.id);
    }
  }

  /** Returns the tool in a slot that is in use. */
  toolAt(slot: number): Tool {
    return this.tools[slot] as Tool;
  }

  /** Replaces the tool in a slot with an equal one. */
  setTool(slot: number, tool: Tool): void {
    this.tools[slot] = tool;
  }

  /** Finds the stuffed tools, tool by tool. To be called after all changes, since each tool changes the shares. */
  *findStuffed(): Generator<void> {
    if (!this.hasChanged) return;
    const tools = [...this.tools.keys()]
      .filter((slot) => this.tools[slot])
      .map((slot) => ({
        slot,
        server: this.serverIds[slot] as number,
        name: (this.names[slot] as readonly number[]).filter((_, i) => i % 2 === 0),
        written: this.written[slot] as number,
      }));
    this.trusts = yield* findStuffed(tools, this.documents, (term) => this.toolsWith(term));
    this.hasChanged = false;
  }

  /** Reads a query into terms of the index. */
  read(query: readonly QueryWord[]): QueryTerm[] {
    const { vocabulary, postings, paired, languages } = this;
    return readQuery(query, {
      vocabulary,
      inUse: (term) => postings.count(term) > 0,
      isWritten: (term) => postings.count(term) > paired.of(term),
      languages,
    });
  }

  /** Returns the words of the query that each tool has, for tools with at least one. */
  overlap(terms: readonly QueryTerm[], accept: Accept): Map<number, string[]> {
    const overlaps = new Map<number, string[]>();
    for (const { word, own, joined } of terms) {
      if (own < 0 || joined) continue;
      this.postings.each(own, (slot) => {
        const words = overlaps.get(slot);
        if (words) words.push(word);
        else if (accept(slot)) overlaps.set(slot, [word]);
      });
    }
    return overlaps;
  }

  /** Returns a function that tells whether a tool has all parts of a word, each in any of its forms. */
  containing(word: string): (slot: number) => boolean {
    const parts = wordsOf(word).map((part) => this.formsOf(part));
    return (slot) => parts.every((terms) => terms.some((term) => this.documents.has(slot, term)));
  }

  private formsOf(word: string): readonly number[] {
    const { vocabulary, languages } = this;
    const own = [word, ...[...languages].map((language) => wordIn(language, word))];
    return [...new Set([...own.map((form) => vocabulary.find(form)), ...vocabulary.family(word)])];
  }

  /**
   * Returns the matching tools, best first. The order is: tools that aren't `later`, then `later` ones, then weak ones.
   * The list has about `size` tools, or the length of the shortlist if that is greater; `matched` counts all matches.
   */
  rank(
    terms: readonly QueryTerm[],
    accept: Accept,
    { size, named, later, explain }: RankOptions,
  ): { readonly ranked: readonly Ranked[]; readonly matched: number } {
    const { telling, noise } = this.divide(terms);
    const { scores, touched } = this.sums;
    const tellingCount = this.addScores(telling, 0);
    const count = this.addScores(noise, tellingCount);
    let found = accepted(touched.subarray(0, count), accept);
    if (telling.length > 0 && accepted(touched.subarray(0, tellingCount), accept).length === 0) {
      const asked = new Set(terms.map(({ own }) => own));
      found = found.filter((slot) => this.serverTerms[this.serverIds[slot] as number]?.some((term) => asked.has(term)));
    }

    for (const [slot, factor] of this.trusts) scores[slot] = factor * (scores[slot] as number);
    const room = Math.max(SHORTLIST, size);
    const compare = (a: number, b: number) => compareTools(this.toolAt(a), this.toolAt(b));
    const look = new FinalScorer(terms, (term) => this.idf(term), this.documents);
    const bestIn = (slots: Int32Array) => topK(slots, scores, room, compare);
    const top = later
      ? [...bestIn(found.filter((slot) => !later(slot))), ...bestIn(found.filter(later))]
      : bestIn(found);
    const shortlist = [...new Set([...top, ...named])];
    const matched = found.length;
    for (let i = 0; i < count; i++) scores[touched[i] as number] = 0;

    const fits = this.serverFits(telling);
    const onlyAsks = asksOnly(terms.filter(({ joined }) => !joined).map(({ word }) => word));
    const factorOf = (slot: number) =>
      onlyAsks && !named.has(slot) && changesByName(this.toolAt(slot)) ? CHANGES_INSTEAD : 1;
    const looked = look.at(
      shortlist.map((slot) => {
        const server = this.serverIds[slot] as number;
        return {
          slot,
          own: this.own[slot] as number,
          trust: this.trustIn(slot),
          nameTrust: this.nameTrustIn(slot),
          factor: factorOf(slot),
          name: this.names[slot] as readonly number[],
          server: this.serverTerms[server] as readonly number[],
          serverFit: fits[server] as number,
        };
      }),
    );
    const bestScore = looked.reduce((most, { score }) => Math.max(most, score), 0);
    const mostCovered = looked.reduce((most, { bonuses }) => Math.max(most, bonuses.queryCoverage), 0);
    const weakness = ({ score, bonuses }: Looked): Weakness | undefined => {
      const covered = mostCovered > 0 ? bonuses.queryCoverage / mostCovered : 1;
      return score < RELEVANT * bestScore && covered < RELEVANT ? { score: score / bestScore, covered } : undefined;
    };
    const ranked = shortlist.map((slot, i): Ranked => {
      const one = looked[i] as Looked;
      const { score, words, bonuses } = one;
      return {
        slot,
        score,
        words,
        covered: bonuses.queryCoverage / BONUS.queryCoverage,
        weak: named.has(slot) ? undefined : weakness(one),
        parts: explain ? { ...bonuses, words: this.wordParts(slot, terms, look, factorOf(slot)) } : undefined,
      };
    });
    const isLater = ({ slot }: Ranked) => Number(later?.(slot) ?? false);
    ranked.sort(
      (a, b) =>
        Number(!!a.weak) - Number(!!b.weak) || isLater(a) - isLater(b) || b.score - a.score || compare(a.slot, b.slot),
    );
    return { ranked, matched };
  }

  private trustIn(slot: number): number {
    return (this.trusts.get(slot) ?? 1) * this.nameTrustIn(slot);
  }

  /** Returns how much a tool's name counts. The name of a stuffed tool counts in full. */
  private nameTrustIn(slot: number): number {
    return this.deprecated.has(slot) ? DEPRECATED : 1;
  }

  private wordParts(slot: number, terms: readonly QueryTerm[], look: FinalScorer, factor: number): WordPart[] {
    return look
      .wordsOf(slot, this.own[slot] as number, this.trustIn(slot), factor)
      .map(({ adds, term, isSearchWord }, i) => {
        const { word, own } = terms[i] as QueryTerm;
        const via = adds > 0 && term !== own ? { via: plainWord(this.vocabulary.wordOf(term)) } : {};
        const tools = own < 0 ? 0 : this.toolsWith(own);
        return { word, tools, adds, ...via, ...(isSearchWord ? { isSearchWord } : {}) };
      });
  }

  /**
   * Separates words that distinguish tools from words that a third of all tools have. If no tool has the former, common
   * words find only tools of a server that they name: "get" finds no tool for "get xyzzy".
   */
  private divide(terms: readonly QueryTerm[]) {
    const isNoise = ({ own }: QueryTerm) =>
      this.size >= NOISE_MIN && own >= 0 && this.toolsWith(own) > this.size * NOISE_SHARE;
    return { telling: terms.filter((term) => !isNoise(term)), noise: terms.filter(isNoise) };
  }

  /** Runs the first stage: adds to the scores. Appends slots whose score was 0 to `touched`; returns its new count. */
  private addScores(terms: readonly QueryTerm[], touchedCount: number): number {
    let count = touchedCount;
    for (const { weight, own, variants } of terms) {
      for (const variant of variants) {
        if (own >= 0 && variant.term !== own && this.postings.count(variant.term) > COMMON) continue;
        const worth = weight * variant.weight * this.idf(variant.term);
        count = this.postings.score(variant.term, worth, this.sums, count);
      }
    }
    return count;
  }

  /**
   * Returns how well each server as a whole fits the query, 0 to 1, by the server's number. This is BM25 over servers:
   * the frequency of a word is the number of a server's tools that have it. Only distinguishing words count.
   */
  private serverFits(terms: readonly QueryTerm[]): Float64Array {
    const fits = new Float64Array(this.serverTerms.length);
    const counts = new Int32Array(fits.length);
    const touched = new Int32Array(fits.length);
    for (const { own, weight, joined } of terms) {
      if (own < 0 || joined) continue;
      const having = this.postings.countBy(own, this.serverIds, counts, touched);
      const rarity = Math.log(1 + (this.servers.size - having + 0.5) / (having + 0.5));
      for (let i = 0; i < having; i++) {
        const id = touched[i] as number;
        const tools = counts[id] as number;
        fits[id] = (fits[id] as number) + (weight * rarity * tools) / (tools + SERVER_HALF);
        counts[id] = 0;
      }
    }
    let best = 0;
    for (let id = 0; id < fits.length; id++) best = Math.max(best, fits[id] as number);
    if (best > 0) for (let id = 0; id < fits.length; id++) fits[id] = (fits[id] as number) / best;
    return fits;
  }

  /**
   * Returns the number of tools that have a term in their own texts. If there are none, returns the number that have it
   * as a search word. A search word thus never makes a word of definitions less rare.
   */
  private toolsWith(term: number): number {
    const all = this.postings.count(term);
    return all - this.searched.of(term) || all;
  }

  /** Returns the rarity of a term: its inverse document frequency. The 1 in the logarithm keeps it above 0. */
  private idf(term: number): number {
    const count = this.toolsWith(term);
    return Math.log(1 + (this.size - count + 0.5) / (count + 0.5));
  }
}
