import { ToolIndex } from '../../src/core/search/toolIndex';
import { plainlyMeant } from '../../src/core/turn/prefetch';
import { DEFAULT_CHARS_PER_TOKEN, definitionOf } from '../../src/core/usage/tokens';
import { percent, printTable } from './measures';
import { type DataSet, kindsOf } from './sets';

/** What models and annotators write for a search, not what users ask. */
const PHRASES = /:(?:step|llm-search)$/;

/** What users' own words find before the model is asked: how often, how often rightly, and what it costs where it is wrong. */
export function printPrefetch(sets: readonly DataSet[]): void {
  const rows = sets.flatMap((set) => {
    const index = new ToolIndex(set.tools);
    return [...kindsOf(set)]
      .filter(([kind]) => !PHRASES.test(kind))
      .map(([kind, queries]) => {
        const found = queries.flatMap(({ query, groups }) => {
          const tool = plainlyMeant(index.search({ query, strategy: 'bm25', limit: 1 }));
          if (!tool) return [];
          return {
            right: groups.some((group) => group.includes(tool.id)),
            tokens: definitionOf(tool).text.length / DEFAULT_CHARS_PER_TOKEN,
          };
        });
        return { kind, n: queries.length, found };
      });
  });
  const all = { kind: 'all', n: rows.reduce((sum, { n }) => sum + n, 0), found: rows.flatMap(({ found }) => found) };
  printTable(
    ['Found before the model is asked', 'n', 'found', 'right of these', 'tokens for nothing, a question'],
    (rows.length > 1 ? [...rows, all] : rows).map(({ kind, n, found }) => {
      const wrong = found.filter(({ right }) => !right);
      const lost = wrong.reduce((sum, { tokens }) => sum + tokens, 0) / n;
      return [
        kind,
        n,
        percent(found.length / n),
        found.length > 0 ? percent(1 - wrong.length / found.length) : '–',
        lost.toFixed(1),
      ];
    }),
  );
}
