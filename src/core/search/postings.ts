/**
 * Which documents contain a term, and how much each is worth for it: an inverted index in two flat typed arrays.
 *
 * Every term owns a run of cells in a shared pool. A run that is full moves to the pool's end with twice the room, so adding
 * is cheap; removing fills the hole with the run's last cell, so nothing dead is ever left behind and an updated index
 * equals a rebuilt one. The order inside a run has no meaning.
 */
export class Postings {
  private docs = new Int32Array(1 << 12);
  private impacts = new Float32Array(1 << 12);
  private used = 0;
  private starts = new Int32Array(1 << 10);
  private counts = new Int32Array(1 << 10);
  private rooms = new Int32Array(1 << 10);

  /** In how many documents the term is. */
  count(term: number): number {
    return this.counts[term] ?? 0;
  }

  /** `impact` must be above 0; a document is added once per term. */
  add(term: number, doc: number, impact: number): void {
    if (term >= this.starts.length) this.growTerms(term + 1);
    const count = this.counts[term] as number;
    if (count === this.rooms[term]) this.move(term, Math.max(2, count * 2));
    const cell = (this.starts[term] as number) + count;
    this.docs[cell] = doc;
    this.impacts[cell] = impact;
    this.counts[term] = count + 1;
  }

  remove(term: number, doc: number): void {
    const start = this.starts[term] as number;
    const last = start + (this.counts[term] as number) - 1;
    const cell = start + this.docs.subarray(start, last + 1).indexOf(doc);
    if (cell < start) return;
    this.docs[cell] = this.docs[last] as number;
    this.impacts[cell] = this.impacts[last] as number;
    this.counts[term] = last - start;
  }

  /** Adds `weight` × impact to `scores` for each document of the term; a document whose score was 0 is put into `touched`. Returns how many are in `touched` then. */
  score(term: number, weight: number, scores: Float64Array, touched: Int32Array, touchedCount: number): number {
    const { docs, impacts } = this;
    const start = this.starts[term] as number;
    const end = start + this.count(term);
    let count = touchedCount;
    for (let cell = start; cell < end; cell++) {
      const doc = docs[cell] as number;
      if (scores[doc] === 0) touched[count++] = doc;
      scores[doc] = (scores[doc] as number) + weight * (impacts[cell] as number);
    }
    return count;
  }

  /** Calls `visit` with each document of the term. */
  each(term: number, visit: (doc: number) => void): void {
    const start = this.starts[term] ?? 0;
    const end = start + this.count(term);
    for (let cell = start; cell < end; cell++) visit(this.docs[cell] as number);
  }

  /** Adds 1 to the count of each document's group, and puts groups that had none into `touched`; returns how many those are. */
  countBy(term: number, groups: Int32Array, counts: Int32Array, touched: Int32Array): number {
    const { docs } = this;
    const start = this.starts[term] ?? 0;
    const end = start + this.count(term);
    let fresh = 0;
    for (let cell = start; cell < end; cell++) {
      const group = groups[docs[cell] as number] as number;
      const count = counts[group] as number;
      if (count === 0) touched[fresh++] = group;
      counts[group] = count + 1;
    }
    return fresh;
  }

  private move(term: number, room: number): void {
    if (this.used + room > this.docs.length) this.makeRoom(room);
    const start = this.starts[term] as number;
    const count = this.counts[term] as number;
    this.docs.copyWithin(this.used, start, start + count);
    this.impacts.copyWithin(this.used, start, start + count);
    this.starts[term] = this.used;
    this.rooms[term] = room;
    this.used += room;
  }

  /** Packs the runs (those that moved left gaps) into pools that have room for `extra` cells more. */
  private makeRoom(extra: number): void {
    let needed = extra;
    for (const room of this.rooms) needed += room;
    const docs = new Int32Array(needed + (needed >> 1));
    const impacts = new Float32Array(docs.length);
    let used = 0;
    for (let term = 0; term < this.rooms.length; term++) {
      const start = this.starts[term] as number;
      const count = this.counts[term] as number;
      docs.set(this.docs.subarray(start, start + count), used);
      impacts.set(this.impacts.subarray(start, start + count), used);
      this.starts[term] = used;
      used += this.rooms[term] as number;
    }
    this.docs = docs;
    this.impacts = impacts;
    this.used = used;
  }

  private growTerms(length: number): void {
    const room = Math.max(length, this.starts.length * 2);
    this.starts = grown(this.starts, room);
    this.counts = grown(this.counts, room);
    this.rooms = grown(this.rooms, room);
  }
}

/** A copy of `array` with `length` cells. */
function grown(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(array);
  return copy;
}
