import { type Document, impactIn } from './document';
import type { QueryTerm } from './queryTerms';
import { BONUS, NAME_PRIOR } from './ranking';

/** A word of the query, with what doesn't depend on the document worked out. */
interface Word {
  /** What the word says: its rarity, by its weight; 0 for two words in one, which say nothing new. */
  readonly mass: number;
  /** The terms that stand for it, what an impact of 1 scores for each, and how well each stands for the word. */
  readonly terms: readonly number[];
  readonly scores: readonly number[];
  readonly standings: readonly number[];
}

/** The second stage of the ranking, for one query: exact scores for the few tools that the first stage put on top. */
export class CloserLook {
  private readonly words: readonly Word[];
  private readonly mass: number;
  /** How well each term of the index stands for a word of the query. */
  private readonly standsFor = new Map<number, number>();

  constructor(
    terms: readonly QueryTerm[],
    private readonly idf: (term: number) => number,
  ) {
    this.words = terms.map(({ own, weight, variants, joined }) => {
      const rarities = variants.map(({ term }) => idf(term));
      const limit = own >= 0 ? idf(own) : Math.max(0, ...rarities);
      return {
        mass: joined ? 0 : weight * limit,
        terms: variants.map(({ term }) => term),
        scores: variants.map((variant, i) => weight * variant.weight * Math.min(limit, rarities[i] as number)),
        standings: variants.map((variant) => variant.weight),
      };
    });
    this.mass = this.words.reduce((sum, { mass }) => sum + mass, 0);
    for (const { weight, variants } of terms) {
      for (const variant of variants) {
        this.standsFor.set(variant.term, Math.max(this.standing(variant.term), weight * variant.weight));
      }
    }
  }

  /** A score for each document; `fits` tells how well the server of each fits. Comparable within one call. */
  scores(documents: readonly Document[], fits: readonly number[]): number[] {
    const matches = documents.map((document) => this.match(document));
    const best = matches.reduce((most, { score }) => Math.max(most, score), 0) || 1;
    return matches.map(({ score, covered }, i) => {
      const document = documents[i] as Document;
      return (
        score / best +
        BONUS.nameCoverage * this.nameCoverage(document) +
        BONUS.queryCoverage * covered +
        BONUS.serverFit * (fits[i] as number) +
        (document.serverTerms.some((term) => this.standsFor.get(term) === 1) ? BONUS.serverNamed : 0)
      );
    });
  }

  /** BM25F with the best variant of each word only, and the share of the query that the document covers. */
  private match(document: Document): { readonly score: number; readonly covered: number } {
    let score = 0;
    let covered = 0;
    for (const { mass, terms, scores, standings } of this.words) {
      let best = 0;
      let standing = 0;
      for (let i = 0; i < terms.length; i++) {
        const impact = impactIn(document, terms[i] as number);
        if (impact === 0) continue;
        best = Math.max(best, (scores[i] as number) * impact);
        standing = Math.max(standing, standings[i] as number);
        // Where the word itself is there, nothing needs to stand for it.
        if (standing === 1) break;
      }
      score += best;
      covered += standing * mass;
    }
    return { score, covered: this.mass > 0 ? covered / this.mass : 0 };
  }

  private nameCoverage({ nameTerms, namePairs }: Document): number {
    let covered = 0;
    let length = NAME_PRIOR;
    for (let i = 0; i < nameTerms.length; i++) {
      const rarity = this.idf(nameTerms[i] as number);
      const standing = Math.max(this.standing(nameTerms[i]), this.standing(namePairs[i - 1]), this.standing(namePairs[i]));
      covered += rarity * standing;
      length += rarity;
    }
    return covered / length;
  }

  private standing(term: number | undefined): number {
    return term === undefined ? 0 : (this.standsFor.get(term) ?? 0);
  }
}
