/** A source of random choices that are the same for the same seed. */
export interface Chance {
  /** Returns a number from 0 up to, but not including, 1. */
  next(): number;
  /** Whether an event with this probability happens. */
  happens(share: number): boolean;
  one<Item>(items: readonly Item[]): Item;
}

/** mulberry32 (T. Ettinger), public domain: small, and good enough to draw faults. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    happens: (share) => next() < share,
    one: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('There is nothing to draw from.');
      return item;
    },
  };
}
