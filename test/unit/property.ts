import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';

/** The cases that once failed, by the test's name. `npm run fuzz` adds to them, and every run plays them first. */
const KEPT = join(import.meta.dirname, '../data/failedCases.json');
/** Number of cases of a property that says nothing about it. */
const CASES = 1_000;
/** The seed of the runs that play a tenth, which always play the same. */
const SEED = 1;

/** A case's place: the seed, and fast-check's path to the case within the cases of this seed. */
interface Kept {
  readonly seed: number;
  readonly path: string;
}

/** Whether this is `npm run fuzz`, which plays every random case. */
export const isFuzz = (): boolean => process.env.FUZZ !== undefined;

/** The number of cases to play: a tenth of them, or all by `npm run fuzz`. */
export const share = (all: number): number => (isFuzz() ? all : Math.ceil(all / 10));

/** Arbitrary values, one for each argument of a check. */
type Values<Ts extends unknown[]> = [...{ [K in keyof Ts]: fc.Arbitrary<Ts[K]> }];
/** A check, with its parameters before it if there are any. */
type Checked<Ts extends unknown[], Result> =
  | [check: (...values: Ts) => Result]
  | [parameters: fc.Parameters<Ts>, check: (...values: Ts) => Result];

/** Checks that something holds for any such values, as {@link playCases} does. */
export function holds<Ts extends [unknown, ...unknown[]]>(values: Values<Ts>, ...checked: Checked<Ts, void>): void {
  const [parameters, check] = checked.length === 1 ? [{}, checked[0]] : checked;
  playCases(fc.property<Ts>(...values, check), parameters);
}

/** Does what {@link holds} does, with a check that takes its time. */
export function holdsAsync<Ts extends [unknown, ...unknown[]]>(
  values: Values<Ts>,
  ...checked: Checked<Ts, Promise<void>>
): Promise<void> {
  const [parameters, check] = checked.length === 1 ? [{}, checked[0]] : checked;
  return playCases(fc.asyncProperty<Ts>(...values, check), parameters);
}

/** Checks a property as `fc.assert` does, with a {@link share} of `numRuns` cases, after those that failed before. */
export function playCases<Ts>(property: fc.IAsyncProperty<Ts>, parameters?: fc.Parameters<Ts>): Promise<void>;
export function playCases<Ts>(property: fc.IProperty<Ts>, parameters?: fc.Parameters<Ts>, kept?: string): void;
export function playCases<Ts>(
  property: fc.IRawProperty<Ts>,
  { numRuns = CASES, ...parameters }: fc.Parameters<Ts> = {},
  file = KEPT,
): void | Promise<void> {
  const name = String(expect.getState().currentTestName);
  const seed = parameters.seed ?? (isFuzz() ? Math.floor(Math.random() * 2 ** 31) : SEED);
  if (isFuzz()) process.stdout.write(`seed ${seed}: ${name}\n`);
  const failed: { readonly [name: string]: readonly Kept[] } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {};
  const own = failed[name] ?? [];
  const reporter = (details: fc.RunDetails<Ts>): void => {
    if (!details.failed) return;
    const found = { seed: details.seed, path: details.counterexamplePath ?? '' };
    if (isFuzz() && !own.some((each) => each.seed === found.seed && each.path === found.path))
      writeFileSync(file, `${JSON.stringify({ ...failed, [name]: [...own, found] }, null, 2)}\n`);
    throw new Error(fc.defaultReportMessage(details));
  };
  const played = [...own.map((each) => ({ ...each, endOnFailure: true })), { seed, numRuns: share(numRuns) }];
  const play = (part: fc.Parameters<Ts>) => fc.assert(property, { ...parameters, ...part, reporter });
  if (property.isAsync()) return played.reduce((before, part) => before.then(() => play(part)), Promise.resolve());
  for (const part of played) play(part);
}
