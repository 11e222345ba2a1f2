/**
 * Lists of numbers with weights, each list under a number of its own: which documents contain a term and what each is worth
 * for it (an inverted index), and the other way round which terms a document has.
 *
 * All lie in two flat typed arrays. Every list owns a run of cells there. A run that is full moves to the end with twice the
 * room, so adding is cheap; removing fills the hole with the run's last cell, so nothing dead is ever left behind and an
 * updated index equals a rebuilt one. The order inside a run has no meaning.
 */
export class Postings {
  private items = new Int32Array(1 << 12);
  private weights = new Float32Array(1 << 12);
  private used = 0;
  /** How many cells the runs own: the rest of those used are gaps. */
  private held = 0;
  private starts = new Int32Array(1 << 10);
  private counts = new Int32Array(1 << 10);
  private rooms = new Int32Array(1 << 10);

  /** How many items the list has. */
  count(list: number): number {
    return this.counts[list] ?? 0;
  }

  /** Makes room for so many items, so that adding them moves nothing. */
  reserve(list: number, count: number): void {
    if (list >= this.starts.length) this.growLists(list + 1);
    if (count > (this.rooms[list] as number)) this.move(list, count);
  }

  /** `weight` must be above 0; an item is added once per list. */
  add(list: number, item: number, weight: number): void {
    if (list >= this.starts.length) this.growLists(list + 1);
    const count = this.counts[list] as number;
    if (count === this.rooms[list]) this.move(list, Math.max(2, count * 2));
    const cell = (this.starts[list] as number) + count;
    this.items[cell] = item;
    this.weights[cell] = weight;
    this.counts[list] = count + 1;
  }

  /** Whether an item is in a list. */
  has(list: number, item: number): boolean {
    const start = this.starts[list] as number;
    return this.items.subarray(start, start + this.count(list)).includes(item);
  }

  /** Removes an item from a list. */
  remove(list: number, item: number): void {
    const start = this.starts[list] as number;
    const last = start + (this.counts[list] as number) - 1;
    const cell = start + this.items.subarray(start, last + 1).indexOf(item);
    if (cell < start) return;
    this.items[cell] = this.items[last] as number;
    this.weights[cell] = this.weights[last] as number;
    this.counts[list] = last - start;
  }

  /** Removes all items of a list. */
  clear(list: number): void {
    this.counts[list] = 0;
  }

  /** Adds `times` × weight to `scores` for each item of the list; an item whose score was 0 is put into `touched`. Returns how many are in `touched` then. */
  score(list: number, times: number, scores: Float64Array, touched: Int32Array, touchedCount: number): number {
    const { items, weights } = this;
    const start = this.starts[list] as number;
    const end = start + this.count(list);
    let count = touchedCount;
    for (let cell = start; cell < end; cell++) {
      const item = items[cell] as number;
      if (scores[item] === 0) touched[count++] = item;
      scores[item] = (scores[item] as number) + times * (weights[cell] as number);
    }
    return count;
  }

  /** Calls `visit` with each item of the list and its weight. */
  each(list: number, visit: (item: number, weight: number) => void): void {
    const { items, weights } = this;
    const start = this.starts[list] ?? 0;
    const end = start + this.count(list);
    for (let cell = start; cell < end; cell++) visit(items[cell] as number, weights[cell] as number);
  }

  /** Adds 1 to the count of each item's group, and puts groups that had none into `touched`; returns how many those are. */
  countBy(list: number, groups: Int32Array, counts: Int32Array, touched: Int32Array): number {
    const { items } = this;
    const start = this.starts[list] ?? 0;
    const end = start + this.count(list);
    let fresh = 0;
    for (let cell = start; cell < end; cell++) {
      const group = groups[items[cell] as number] as number;
      const count = counts[group] as number;
      if (count === 0) touched[fresh++] = group;
      counts[group] = count + 1;
    }
    return fresh;
  }

  private move(list: number, room: number): void {
    if (this.used + room > this.items.length) this.makeRoom(room);
    const { items, weights, used } = this;
    const start = this.starts[list] as number;
    const count = this.counts[list] as number;
    // Most runs are short: a loop is quicker than two calls.
    for (let i = 0; i < count; i++) {
      items[used + i] = items[start + i] as number;
      weights[used + i] = weights[start + i] as number;
    }
    this.held += room - (this.rooms[list] as number);
    this.starts[list] = used;
    this.rooms[list] = room;
    this.used += room;
  }

  /** Makes room for `extra` cells more: packs the runs where much of the pool is gaps that moved runs left, else makes it larger. */
  private makeRoom(extra: number): void {
    const { items, weights, used } = this;
    const isSparse = this.held < used / 2;
    const length = 2 * ((isSparse ? this.held : used) + extra);
    this.items = new Int32Array(length);
    this.weights = new Float32Array(length);
    if (!isSparse) {
      this.items.set(items.subarray(0, used));
      this.weights.set(weights.subarray(0, used));
      return;
    }
    this.used = 0;
    for (let list = 0; list < this.rooms.length; list++) {
      const start = this.starts[list] as number;
      const count = this.counts[list] as number;
      for (let i = 0; i < count; i++) {
        this.items[this.used + i] = items[start + i] as number;
        this.weights[this.used + i] = weights[start + i] as number;
      }
      this.starts[list] = this.used;
      this.used += this.rooms[list] as number;
    }
  }

  private growLists(length: number): void {
    const room = Math.max(length, this.starts.length * 2);
    this.starts = grown(this.starts, room);
    this.counts = grown(this.counts, room);
    this.rooms = grown(this.rooms, room);
  }
}

/** A copy of `array` with `length` cells. */
export function grown(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(array);
  return copy;
}
