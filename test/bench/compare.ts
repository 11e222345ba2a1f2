import { createChance } from '../soak/chance';
import { InputError } from './data';
import { percent } from './measures';
import { isSingleNeed } from './sets';

/**
 * The result of one query: the shares of its needs met by the first hit and by the first five, and how many of five
 * were returned.
 */
export type Mark = readonly [first: number, five: number, returned: number];
/** By kind (`folder/name:kind`), the marks of its queries in order. */
export type Marks = Readonly<Record<string, readonly Mark[]>>;

/** The results of a run over labelled folders, to be stored and compared. */
export interface Run {
  readonly strategy: string;
  /** The results of each set over its own tools. */
  readonly apart: Marks;
  /** The results of the same queries over the tools of all folders in one catalog. */
  readonly together: Marks;
}

/** The measures of a mark, by their index in it. */
export const FIRST = 0;
export const FIVE = 1;
export const RETURNED = 2;
type Measure = typeof FIRST | typeof FIVE | typeof RETURNED;

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The mean over kinds of the mean over each kind's queries, so that all kinds have the same weight. */
export function macro(marks: Marks, kinds: readonly string[], measure: Measure): number {
  return mean(kinds.map((kind) => mean((marks[kind] ?? []).map((mark) => mark[measure]))));
}

/** A change with its 95 % interval from resampling. */
export interface Change {
  readonly by: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLINGS = 2_000;

/**
 * How the macro mean of these kinds changed, query by query. It is a paired bootstrap (Efron and Tibshirani, "An
 * Introduction to the Bootstrap", 1993) that draws queries within their kinds. The same inputs give the same interval.
 */
export function changeOf(before: Marks, after: Marks, kinds: readonly string[], measure: Measure): Change {
  const differences = kinds.map((kind) =>
    (after[kind] ?? []).map((mark, i) => mark[measure] - (before[kind]?.[i]?.[measure] ?? 0)),
  );
  const { next: random } = createChance(1);
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

/** The largest allowed fall of a pooled lower bound and of a single set. It is a share, not in points. */
const BOUND = -0.005;
const WORST = -0.015;
/** The share of the sets that must not fall. */
const STEADY = 5 / 7;

/** The reasons against a change, a sentence each; empty if the change is acceptable. */
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

/** Formats a share as percentage points with their sign. */
export function points(share: number): string {
  return `${share > 0 ? '+' : share < 0 ? '−' : '±'}${Math.abs(100 * share).toFixed(1)}`;
}

/** Checks that a stored run has the same queries. */
export function comparable(before: Run, after: Run): void {
  for (const [kind, marks] of Object.entries(after.apart)) {
    if (before.apart[kind]?.length !== marks.length)
      throw new InputError(`The baseline has other queries of ${kind}; save it anew.`);
  }
}
