import { type Document, impactIn } from './document';
import type { QueryTerm } from './queryTerms';
import { BONUS, NAME_PRIOR } from './ranking';

/** The second stage of the ranking, for one query: exact scores for the few tools that the first stage put on top. */
export class CloserLook {
  /** What each word of the query says: its rarity, by its weight. Two words in one say nothing new. */
  private readonly masses: readonly number[];
  private readonly mass: number;
  /** How well each term of the index stands for a word of the query. */
  private readonly standsFor = new Map<number, number>();

  constructor(
    private readonly terms: readonly QueryTerm[],
    private readonly idf: (term: number) => number,
  ) {
    this.masses = terms.map(({ own, weight, variants, joined }) => {
      if (joined) return 0;
      const rarest = own >= 0 ? idf(own) : variants.reduce((most, { term }) => Math.max(most, idf(term)), 0);
      return weight * rarest;
    });
    this.mass = this.masses.reduce((sum, mass) => sum + mass, 0);
    for (const { weight, variants } of terms) {
      for (const variant of variants) {
        this.standsFor.set(variant.term, Math.max(this.standsFor.get(variant.term) ?? 0, weight * variant.weight));
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
    for (let i = 0; i < this.terms.length; i++) {
      const { own, weight, variants } = this.terms[i] as QueryTerm;
      const limit = own >= 0 ? this.idf(own) : Number.POSITIVE_INFINITY;
      let best = 0;
      let worth = 0;
      for (const variant of variants) {
        const impact = impactIn(document, variant.term);
        if (impact === 0) continue;
        best = Math.max(best, variant.weight * Math.min(limit, this.idf(variant.term)) * impact);
        worth = Math.max(worth, variant.weight);
      }
      score += weight * best;
      covered += worth * (this.masses[i] as number);
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
