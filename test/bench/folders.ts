import { readFileSync, writeFileSync } from 'node:fs';
import type { Tool } from '../../src/core/catalog/tool';
import type { WordsOf } from '../../src/core/search/words/searchWords';
import {
  type Change,
  changeOf,
  comparable,
  FIRST,
  FIVE,
  type Marks,
  macro,
  objections,
  points,
  RETURNED,
  type Run,
} from './compare';
import { InputError } from './data';
import { ours } from './engines';
import { percent, printTable, recallAt } from './measures';
import { type DataSet, isSingleNeed, kindsOf, readSets } from './sets';

/** The options of a run: the file in which to store it, and the stored run to compare it with. */
interface Options {
  readonly strategy: string;
  readonly 'no-words': boolean;
  /** The shipped words, for tools without words of their own. */
  readonly shipped?: WordsOf | undefined;
  readonly save?: string | undefined;
  readonly baseline?: string | undefined;
}

/**
 * Measures the quality of search in every set of the folders, by kind of query, each catalog by itself and all in one.
 * Compares it with a stored run if one is given.
 */
export async function evaluateFolders(
  dirs: readonly string[],
  { strategy, save, baseline, shipped, 'no-words': noWords }: Options,
): Promise<void> {
  const { sets, together } = readSets(dirs, noWords, shipped);
  const before = baseline === undefined ? undefined : readRun(baseline);
  const run: Run = {
    strategy,
    apart: await marksOf(strategy, sets, undefined),
    together: await marksOf(strategy, sets, together),
  };
  if (save !== undefined) writeFileSync(save, `${JSON.stringify(run)}\n`);
  if (before) comparable(before, run);
  printRun('Each catalog by itself', run.apart, before?.apart);
  printRun(`All in one catalog of ${together.length} tools`, run.together, before?.together);
  if (before) sayVerdict(before, run);
}

/** The marks of a strategy for every query, over the tools of each set, or over `tools` if given. */
async function marksOf(strategy: string, sets: readonly DataSet[], tools: readonly Tool[] | undefined): Promise<Marks> {
  const engine = ours(strategy);
  const wordsOf = (tool: Tool) => {
    for (const set of sets) {
      const words = set.wordsOf(tool);
      if (words) return words;
    }
    return undefined;
  };
  const shared = tools && (await engine.build(tools, wordsOf));
  const marks: Record<string, Marks[string]> = {};
  for (const set of sets) {
    const search = shared ?? (await engine.build(set.tools, set.wordsOf));
    for (const [kind, queries] of kindsOf(set)) {
      marks[kind] = queries.map((query) => {
        const ids = search(query.query);
        return [recallAt(1, query, ids), recallAt(5, query, ids), Math.min(5, ids.length)];
      });
    }
  }
  return marks;
}

/** A row for each kind, and for the means over kinds, of each folder and pooled. */
function rowsOf<Row>(marks: Marks, row: (label: string, kinds: readonly string[]) => Row): Row[] {
  const kinds = Object.keys(marks);
  const single = kinds.filter(isSingleNeed);
  const rows = kinds.map((kind) => row(kind, [kind]));
  const folders = [...new Set(kinds.map((kind) => kind.slice(0, kind.lastIndexOf('/'))))];
  const means = folders.map((folder): [string, readonly string[]] => [
    `${folder}: macro`,
    single.filter((kind) => kind.startsWith(`${folder}/`)),
  ]);
  if (folders.length > 1) means.push(['pooled: macro', single]);
  return [...rows, ...means.filter(([, list]) => list.length > 0).map(([label, list]) => row(label, list))];
}

function printRun(title: string, marks: Marks, before: Marks | undefined): void {
  const row = (label: string, kinds: readonly string[]): (string | number)[] => {
    const n = kinds.reduce((sum, kind) => sum + (marks[kind]?.length ?? 0), 0);
    const values = [
      n,
      percent(macro(marks, kinds, FIRST)),
      percent(macro(marks, kinds, FIVE)),
      macro(marks, kinds, RETURNED).toFixed(2),
    ];
    const changes = before
      ? [FIRST, FIVE].map((measure) => interval(changeOf(before, marks, kinds, measure as 0 | 1)))
      : [];
    return [label, ...values, ...changes];
  };
  printTable([title, 'n', 'R@1', 'R@5', 'of 5', ...(before ? ['R@1 by', 'R@5 by'] : [])], rowsOf(marks, row));
}

/** Formats a change with its interval, and with a star if the interval excludes 0. */
function interval({ by, low, high }: Change): string {
  return `${points(by)}${low > 0 || high < 0 ? '*' : ' '} [${points(low)}, ${points(high)}]`;
}

function sayVerdict(before: Run, after: Run): void {
  for (const [where, was, is] of [
    ['Each catalog by itself', before.apart, after.apart],
    ['All in one catalog', before.together, after.together],
  ] as const) {
    const against = objections(was, is);
    console.log(`${where}: ${against.length === 0 ? 'take it.' : ['leave it.', ...against].join('\n  ')}`);
  }
}

function readRun(file: string): Run {
  try {
    const run = JSON.parse(readFileSync(file, 'utf8')) as Run;
    if (run.apart && run.together) return run;
  } catch (error) {
    throw new InputError(`${file}: can't be read (${error instanceof Error ? error.message : error}).`);
  }
  throw new InputError(`${file}: is no stored run; write one with --save.`);
}
