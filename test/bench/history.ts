import { ToolIndex } from '../../src/core/search/toolIndex';
import { mean, points, randomNumbers } from './compare';
import type { Query } from './data';
import { searchWith } from './engines';
import { printTable, recallAt } from './measures';
import { isSingleNeed, kindsOf, readSets } from './sets';

/** How often each tool was used, and which share of these uses was of a wrong tool among the first five. */
const CASES = [
  { uses: 1, wrong: 0 },
  { uses: 2, wrong: 0 },
  { uses: 4, wrong: 0 },
  { uses: 4, wrong: 0.3 },
] as const;
const SEEDS = [1, 2, 3];

/** What use taught, by kind: the changes of R@1 and R@5 for queries to tools that were used before, and to those that never were. */
interface Changes {
  readonly used: (readonly [number, number])[];
  readonly unused: (readonly [number, number])[];
}

/**
 * What learning from use is worth: half of the tools, drawn by lot, were asked for before with other queries of the same set, and
 * each such search led to a call. No query is in the history and in the test; means are over kinds, then over seeds.
 */
export function simulateHistory(dirs: readonly string[]): void {
  const { sets } = readSets(dirs);
  const indexes = sets.map((set) => new ToolIndex(set.tools));
  const rows = CASES.map(({ uses, wrong }) => {
    const changes = SEEDS.flatMap((seed) =>
      sets.flatMap((set, i) =>
        [...kindsOf(set)]
          .filter(([kind]) => isSingleNeed(kind))
          .map(([, queries]) =>
            simulate(indexes[i] as ToolIndex, queries, { uses, wrong, random: randomNumbers(seed) }),
          ),
      ),
    );
    const cells = (['used', 'unused'] as const).flatMap((which) => {
      const kinds = changes.map((one) => one[which]).filter((list) => list.length > 0);
      return ([0, 1] as const).map((measure) =>
        points(mean(kinds.map((list) => mean(list.map((change) => change[measure]))))),
      );
    });
    const n = (which: keyof Changes) => changes.reduce((sum, one) => sum + one[which].length, 0);
    return [`${uses} a tool${wrong > 0 ? `, ${100 * wrong} % of them wrong` : ''}`, n('used'), n('unused'), ...cells];
  });
  printTable(['uses', 'n used', 'n never', 'used: R@1', 'R@5', 'never used: R@1', 'R@5'], rows);
}

function simulate(
  index: ToolIndex,
  queries: readonly Query[],
  { uses, wrong, random }: { readonly uses: number; readonly wrong: number; readonly random: () => number },
): Changes {
  const search = searchWith(index, 'bm25');
  index.learning.restore();
  const byTool = new Map<string, Query[]>();
  for (const query of shuffled(queries, random)) {
    const tool = query.groups[0]?.[0] ?? '';
    byTool.set(tool, [...(byTool.get(tool) ?? []), query]);
  }
  const history: { readonly tool: string; readonly query: string }[] = [];
  const tests: { readonly query: Query; readonly used: boolean }[] = [];
  for (const [tool, own] of byTool) {
    const before = random() < 0.5 ? own.slice(0, Math.min(uses, own.length - 1)) : [];
    history.push(...before.map(({ query }) => ({ tool, query })));
    tests.push(...own.slice(before.length).map((query) => ({ query, used: before.length > 0 })));
  }
  const marksOf = ({ query }: { readonly query: Query }) => {
    const ids = search(query.query);
    return [recallAt(1, query, ids), recallAt(5, query, ids)] as const;
  };
  const plain = tests.map(marksOf);
  for (const { tool, query } of shuffled(history, random)) {
    const others = search(query)
      .slice(0, 5)
      .filter((id) => id !== tool);
    const called = random() < wrong ? (others[Math.floor(random() * others.length)] ?? tool) : tool;
    index.learn(called, query);
  }
  const changes: Changes = { used: [], unused: [] };
  for (const [i, test] of tests.entries()) {
    const [first, five] = marksOf(test);
    const [plainFirst, plainFive] = plain[i] as readonly [number, number];
    changes[test.used ? 'used' : 'unused'].push([first - plainFirst, five - plainFive]);
  }
  index.learning.restore();
  return changes;
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
