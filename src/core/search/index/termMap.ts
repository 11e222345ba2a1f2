/** Cells of the filter: a power of two. A query has some fifty terms, so one miss in twenty gets past it. */
const CELLS = 1 << 10;

/**
 * What the few terms of a query mean, to be asked for the many terms of tools. A filter before the map answers nearly all
 * that aren't in the query, for a tenth of what a look into the map costs.
 */
export class TermMap<Meaning> {
  private readonly filter = new Uint8Array(CELLS);
  private readonly meanings = new Map<number, Meaning>();

  set(term: number, meaning: Meaning): void {
    this.filter[term & (CELLS - 1)] = 1;
    this.meanings.set(term, meaning);
  }

  get(term: number): Meaning | undefined {
    return this.filter[term & (CELLS - 1)] === 0 ? undefined : this.meanings.get(term);
  }
}
