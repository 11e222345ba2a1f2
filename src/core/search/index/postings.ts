/** The scores of items, by item, and a list with room for all items whose score isn't 0. */
export interface Sums {
  readonly scores: Float64Array;
  readonly touched: Int32Array;
}

/**
 * Numbered lists of items with weights (an inverted index). A list holds the documents that contain a term, or the
 * terms of a document.
 * All lists are in one flat typed array, in which each list owns a run of cells. A full run moves to the end and gets
 * twice the room, so adding is cheap. When an item is removed, the last cell of its run fills the hole. So there are no
 * dead cells, and an updated index equals a rebuilt one. The order inside a run has no meaning.
 */
export class Postings {
  /** For each list: the start of its run, the number of cells in use, and the number of cells that it owns. */
  private runs = new Int32Array(FEW);
  /** The cells, each an item followed by its weight. Both views share their bytes: for whole numbers and fractions. */
  private items = new Int32Array(FEW);
  private weights = new Float32Array(this.items.buffer);
  /** The number of cells up to the end of the last run, and the number that runs own. The difference is gaps. */
  private used = 0;
  private held = 0;

  /** Returns the number of items in the list. */
  count(list: number): number {
    return this.runs[(list << 2) + COUNT] ?? 0;
  }

  /** Makes room for `count` items, so that adding them doesn't move the list's run. */
  reserve(list: number, count: number): void {
    this.growLists(list);
    if (count > (this.runs[(list << 2) + ROOM] as number)) this.move(list, count);
  }

  /** Adds an item, at most once per list. `weight` must be above 0. */
  add(list: number, item: number, weight: number): void {
    const run = list << 2;
    if (run >= this.runs.length) this.growLists(list);
    const count = this.runs[run + COUNT] as number;
    if (count === this.runs[run + ROOM]) this.move(list, count === 0 ? 2 : count * 2);
    const cell = ((this.runs[run] as number) + count) << 1;
    this.items[cell] = item;
    this.weights[cell + 1] = weight;
    this.runs[run + COUNT] = count + 1;
  }

  /** Whether an item is in a list. */
  has(list: number, item: number): boolean {
    return this.cellOf(list, item) >= 0;
  }

  /** Removes an item from a list. */
  remove(list: number, item: number): void {
    const cell = this.cellOf(list, item);
    if (cell < 0) return;
    const { runs, items } = this;
    const run = list << 2;
    const last = ((runs[run] as number) + (runs[run + COUNT] as number) - 1) << 1;
    items[cell] = items[last] as number;
    // Copies the weight through the view for whole numbers, which moves its bytes without reading it as a number.
    items[cell + 1] = items[last + 1] as number;
    runs[run + COUNT] = (runs[run + COUNT] as number) - 1;
  }

  /** Removes all items of a list. */
  clear(list: number): void {
    this.runs[(list << 2) + COUNT] = 0;
  }

  /** Returns the cell of an item, or -1. Searches from the end, since the item to remove was often added last. */
  private cellOf(list: number, item: number): number {
    const { items } = this;
    const run = list << 2;
    const start = (this.runs[run] as number) << 1;
    for (let cell = start + (this.count(list) << 1) - 2; cell >= start; cell -= 2)
      if (items[cell] === item) return cell;
    return -1;
  }

  /** Adds `times` × weight to each item's score. Appends items whose score was 0 to `touched`; returns its new size. */
  score(list: number, times: number, { scores, touched }: Sums, touchedCount: number): number {
    const { items, weights } = this;
    const start = (this.runs[list << 2] as number) << 1;
    const end = start + (this.count(list) << 1);
    let count = touchedCount;
    for (let cell = start; cell < end; cell += 2) {
      const item = items[cell] as number;
      if (scores[item] === 0) touched[count++] = item;
      scores[item] = (scores[item] as number) + times * (weights[cell + 1] as number);
    }
    return count;
  }

  /** Calls `visit` with each item of the list, its weight and its place. */
  each(list: number, visit: (item: number, weight: number, place: number) => void): void {
    const { items, weights } = this;
    const start = (this.runs[list << 2] ?? 0) << 1;
    const count = this.count(list);
    for (let place = 0, cell = start; place < count; place++, cell += 2)
      visit(items[cell] as number, weights[cell + 1] as number, place);
  }

  /** Counts the items of each group. Writes groups whose count was 0 to `touched`, and returns their number. */
  countBy(list: number, groups: Int32Array, counts: Int32Array, touched: Int32Array): number {
    const { items } = this;
    const start = (this.runs[list << 2] ?? 0) << 1;
    const end = start + (this.count(list) << 1);
    let fresh = 0;
    for (let cell = start; cell < end; cell += 2) {
      const group = groups[items[cell] as number] as number;
      const count = counts[group] as number;
      if (count === 0) touched[fresh++] = group;
      counts[group] = count + 1;
    }
    return fresh;
  }

  private move(list: number, room: number): void {
    if ((this.used + room) << 1 > this.items.length) this.makeRoom(room);
    const { runs, items, used } = this;
    const run = list << 2;
    // A loop is faster here than a call, since most runs are short.
    let from = (runs[run] as number) << 1;
    let to = used << 1;
    for (let left = runs[run + COUNT] as number; left > 0; left--) {
      items[to++] = items[from++] as number;
      items[to++] = items[from++] as number;
    }
    this.held += room - (runs[run + ROOM] as number);
    runs[run] = used;
    runs[run + ROOM] = room;
    this.used += room;
  }

  /** Makes room for `extra` more cells: closes the gaps if they are large, otherwise enlarges the array. */
  private makeRoom(extra: number): void {
    const { runs, items, used } = this;
    const isSparse = this.held < used / 2;
    this.items = new Int32Array(4 * ((isSparse ? this.held : used) + extra));
    this.weights = new Float32Array(this.items.buffer);
    if (!isSparse) {
      this.items.set(items.subarray(0, used << 1));
      return;
    }
    this.used = 0;
    for (let run = 0; run < runs.length; run += 4) {
      const start = runs[run] as number;
      this.items.set(items.subarray(start << 1, (start + (runs[run + COUNT] as number)) << 1), this.used << 1);
      runs[run] = this.used;
      this.used += runs[run + ROOM] as number;
    }
  }

  private growLists(list: number): void {
    const length = (list + 1) << 2;
    if (length > this.runs.length) this.runs = grown(this.runs, 2 * length);
  }
}

/**
 * The initial length of arrays. It is so small that the first tools make all arrays grow. The JavaScript engine then
 * sees the growing code early and needn't compile the surrounding code a second time.
 */
export const FEW = 16;

/** The offsets of a list's count and room from its start in `runs`. The fourth number of each list is unused. */
const COUNT = 1;
const ROOM = 2;

/** A copy of `array` with `length` cells. */
export function grown(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(array);
  return copy;
}
