import type { Postings } from '../index/postings';
import { TermMap } from '../index/termMap';
import type { QueryTerm } from '../query/queryTerms';
import type { ScoreParts } from '../types';
import { BONUS, NAME_PRIOR, SEARCH_WORD_COVERS } from '../weights';

/** The contribution of a term of the index to the score of a query's word. A term's uses form a linked list. */
interface Use {
  /** The position of the word in the query. */
  readonly word: number;
  /** How well the term matches the word, 0 to 1. The word itself matches with 1. */
  readonly standing: number;
  /** The score of the term if its impact in a tool is 1. */
  readonly score: number;
  /** The same term's use for another word of the query. */
  readonly next: Use | undefined;
  /** The highest product of match and word weight among this use and the following ones in the list. */
  readonly most: number;
}

/** A tool to be scored. */
interface Candidate {
  readonly slot: number;
  /** The number of the tool's terms that come from its own texts. The rest are search words. */
  readonly own: number;
  /** The terms of its name and of its server's name; see `Document`. */
  readonly name: readonly number[];
  readonly server: readonly number[];
  /** How well the tool's server as a whole fits the query, 0 to 1. */
  readonly serverFit: number;
  /** The factor by which its words count; see `findStuffed`. */
  readonly trust: number;
  /** How much its name counts. */
  readonly nameTrust: number;
  /** The factor by which its score is multiplied. */
  readonly factor: number;
}

/** The final score of one tool. */
export interface Looked {
  readonly score: number;
  /** The words of the query that the tool matches. */
  readonly words: readonly string[];
  /** The parts of the score that don't come from single words. */
  readonly bonuses: Omit<ScoreParts, 'words' | 'named'>;
}

/**
 * The second stage of the ranking, for one query. It computes the final scores of the few best tools of the first stage.
 * It goes through a tool's terms, about thirty, and looks up their uses for the query, because a long query has more
 * variants than a tool has terms.
 */
export class FinalScorer {
  /** The information in each word: its rarity times its weight. 0 for joined words, which add no information. */
  private readonly masses: readonly number[];
  private readonly mass: number;
  private readonly uses = new TermMap<Use>();
  /**
   * Scratch space for the tool that is being scored. For each word of the query: the best score, the best quality of a
   * match, the matching term, and whether that term is a search word.
   */
  private readonly best: Float64Array;
  private readonly standings: Float64Array;
  private readonly standIns: Int32Array;
  private readonly searchWords: Uint8Array;
  /** The best score from words alone among the candidates. All scores from words are divided by it. */
  private top = 1;

  constructor(
    private readonly terms: readonly QueryTerm[],
    private readonly idf: (term: number) => number,
    /** The terms of each slot. */
    private readonly documents: Postings,
  ) {
    this.masses = terms.map(({ own, weight, variants, joined }, word) => {
      const rarities = variants.map(({ term }) => idf(term));
      const limit = own >= 0 ? idf(own) : Math.max(0, ...rarities);
      for (const [i, { term, weight: standing }] of variants.entries()) {
        const score = weight * standing * Math.min(limit, rarities[i] as number);
        const next = this.uses.get(term);
        this.uses.set(term, { word, standing, score, next, most: Math.max(next?.most ?? 0, weight * standing) });
      }
      return joined ? 0 : weight * limit;
    });
    this.mass = this.masses.reduce((sum, mass) => sum + mass, 0);
    this.best = new Float64Array(terms.length);
    this.standings = new Float64Array(terms.length);
    this.standIns = new Int32Array(terms.length);
    this.searchWords = new Uint8Array(terms.length);
  }

  /** Scores each candidate. Scores are comparable only within one call. */
  at(candidates: readonly Candidate[]): Looked[] {
    const coverages = candidates.map(({ name, nameTrust }) => nameTrust * this.nameCoverage(name));
    const matches = candidates.map(({ slot, own, trust, server, serverFit, factor }, i) => {
      return { ...this.match(slot, own, trust), nameCoverage: coverages[i] as number, server, serverFit, factor };
    });
    this.top = matches.reduce((most, { score }) => Math.max(most, score), 0) || 1;
    return matches.map(({ score, covered, words, server, serverFit, factor, ...match }) => {
      const bonuses = {
        nameCoverage: factor * BONUS.nameCoverage * match.nameCoverage,
        queryCoverage: factor * BONUS.queryCoverage * covered,
        serverFit: factor * BONUS.serverFit * serverFit,
        serverNamed: server.some((term) => this.standing(term) === 1) ? factor * BONUS.serverNamed : 0,
      };
      const { nameCoverage, queryCoverage, serverNamed } = bonuses;
      return {
        score: (factor * score) / this.top + nameCoverage + queryCoverage + bonuses.serverFit + serverNamed,
        words,
        bonuses,
      };
    });
  }

  /** Returns what each query word adds to the score of a tool that was scored before, and the term that matches it. */
  wordsOf(slot: number, own: number, trust: number, factor: number) {
    this.collect(slot, own, trust);
    const words = Array.from(this.best, (score, word) => ({
      adds: (factor * score) / this.top,
      term: this.standIns[word] as number,
      isSearchWord: score > 0 && this.searchWords[word] === 1,
    }));
    this.clear();
    return words;
  }

  /** Returns the BM25F score with only each word's best variant, and the share of the query that the tool covers. */
  private match(slot: number, own: number, trust: number) {
    this.collect(slot, own, trust);
    const { best, standings } = this;
    let score = 0;
    let covered = 0;
    const words: string[] = [];
    for (let word = 0; word < best.length; word++) {
      if (standings[word] === 0) continue;
      words.push(this.terms[word]?.word ?? '');
      score += best[word] as number;
      covered += (standings[word] as number) * (this.masses[word] as number);
    }
    this.clear();
    return { score, words, covered: this.mass > 0 ? (trust * covered) / this.mass : 0 };
  }

  /** Fills the scratch space from a tool's terms. It must be empty before. */
  private collect(slot: number, own: number, trust: number): void {
    const { best, standings, standIns, searchWords } = this;
    this.documents.each(slot, (term, weight, place) => {
      const impact = trust * weight;
      const isSearchWord = place >= own;
      for (let use = this.uses.get(term); use; use = use.next) {
        const { word } = use;
        const standing = use.standing * (isSearchWord ? SEARCH_WORD_COVERS : 1);
        const before = standings[word] as number;
        // If the tool has the word itself, no variant is needed.
        if (before === 1) continue;
        const score = use.score * impact;
        if (score > (best[word] as number)) {
          best[word] = score;
          standIns[word] = term;
          searchWords[word] = Number(isSearchWord);
        }
        standings[word] = Math.max(before, standing);
      }
    });
  }

  private clear(): void {
    this.best.fill(0);
    this.standings.fill(0);
  }

  private nameCoverage(name: readonly number[]): number {
    let covered = 0;
    let length = NAME_PRIOR;
    for (let i = 0; i < name.length; i += 2) {
      const rarity = this.idf(name[i] as number);
      const standing = Math.max(this.standing(name[i]), this.standing(name[i - 1]), this.standing(name[i + 1]));
      covered += rarity * standing;
      length += rarity;
    }
    return covered / length;
  }

  private standing(term: number | undefined): number {
    return term === undefined ? 0 : (this.uses.get(term)?.most ?? 0);
  }
}
