import { InputError } from './data';
import { percent } from './measures';
import { isSingleNeed } from './sets';

/**
 * What one query brought: the shares of its needs met by the first hit and by the first five, and how many of five were
 * returned.
 */
export type Mark = readonly [first: number, five: number, returned: number];
/** By kind (`folder/name:kind`), the marks of its queries in their order. */
export type Marks = Readonly<Record<string, readonly Mark[]>>;

/** All that a run over labelled folders brought, to be stored and compared with. */
export interface Run {
  readonly strategy: string;
  /** Each set by itself. */
  readonly apart: Marks;
  /** The same queries over the tools of all folders in one catalog. */
  readonly together: Marks;
}

/** The measures of a mark, by their place in it. */
export const FIRST = 0;
export const FIVE = 1;
export const RETURNED = 2;
type Measure = typeof FIRST | typeof FIVE | typeof RETURNED;

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The mean over kinds of the mean over each kind's queries: a kind of many queries counts as much as one of few. */
export function macro(marks: Marks, kinds: readonly string[], measure: Measure): number {
  return mean(kinds.map((kind) => mean((marks[kind] ?? []).map((mark) => mark[measure]))));
}

/** A change with the interval that holds it in 95 of 100 resamplings. */
export interface Change {
  readonly by: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLINGS = 2_000;

/**
 * How the macro mean of these kinds changed, query by query: a paired bootstrap (Efron and Tibshirani, "An Introduction
 * to the Bootstrap", 1993) that draws queries within their kinds. The same inputs give the same interval.
 */
export function changeOf(before: Marks, after: Marks, kinds: readonly string[], measure: Measure): Change {
  const differences = kinds.map((kind) =>
    (after[kind] ?? []).map((mark, i) => mark[measure] - (before[kind]?.[i]?.[measure] ?? 0)),
  );
  const random = randomNumbers(1);
  const means: number[] = [];
  for (let round = 0; round < RESAMPLINGS; round++) {
    let sum = 0;
    for (const list of differences) {
      let total = 0;
      for (let i = 0; i < list.length; i++) total += list[Math.floor(random() * list.length)] as number;
      sum += total / list.length;
    }
    means.push(sum / kinds.length);
  }
  means.sort((a, b) => a - b);
  const at = (share: number) => means[Math.floor(share * (RESAMPLINGS - 1))] as number;
  return { by: mean(differences.map(mean)), low: at(0.025), high: at(0.975) };
}

/** Numbers from 0 to 1 that only depend on the seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How far a pooled lower bound, and a single set, may fall; shares, not points. */
const BOUND = -0.005;
const WORST = -0.015;
/** The share of the sets that must not fall. */
const STEADY = 5 / 7;

/** What is against a change, a sentence for each reason; empty where it is to be taken. */
export function objections(before: Marks, after: Marks): string[] {
  const kinds = Object.keys(after).filter(isSingleNeed);
  const sets = [...new Set(kinds.map((kind) => kind.split(':')[0] as string))];
  const against: string[] = [];
  for (const [name, measure] of [
    ['R@1', FIRST],
    ['R@5', FIVE],
  ] as const) {
    const { low } = changeOf(before, after, kinds, measure);
    if (low <= BOUND) against.push(`${name}: the pooled lower bound is ${points(low)}.`);
    const changes = sets.map((set) => {
      const own = kinds.filter((kind) => kind.startsWith(`${set}:`));
      return { set, by: macro(after, own, measure) - macro(before, own, measure) };
    });
    const falling = changes.filter(({ by }) => by < 0);
    if (sets.length - falling.length < STEADY * sets.length)
      against.push(`${name}: ${falling.length} of ${sets.length} sets fall.`);
    for (const { set, by } of falling) if (by < WORST) against.push(`${name}: ${set} falls by ${percent(-by)}.`);
  }
  return against;
}

/** Points of a hundred with their sign. */
export function points(share: number): string {
  return `${share > 0 ? '+' : share < 0 ? '−' : '±'}${Math.abs(100 * share).toFixed(1)}`;
}

/** Checks that a stored run is of the same queries. */
export function comparable(before: Run, after: Run): void {
  for (const [kind, marks] of Object.entries(after.apart)) {
    if (before.apart[kind]?.length !== marks.length)
      throw new InputError(`The baseline has other queries of ${kind}; save it anew.`);
  }
}
