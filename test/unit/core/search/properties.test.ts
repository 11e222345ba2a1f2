import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import { BUILT_IN_STRATEGIES, type ScoreParts, type SearchOutcome } from '../../../../src/core/search/types';
import { anyText } from '../../anyText';
import { countBreaths } from '../../breaths';
import { holds, holdsAsync } from '../../property';
import { makeTool } from './makeTool';

/** Few words, so that tools share them and often have equal scores. */
const word = fc.constantFrom('create', 'issue', 'list', 'files', 'get', 'user', 'café', '文件', 'HTTPUrl', 'me', '3d');
const name = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('_')),
  fc.string({ minLength: 1, maxLength: 12 }),
);
const tool = fc
  .tuple(
    fc.constantFrom('github', 'files', 'My Server'),
    name,
    fc.oneof(
      fc.array(word).map((words) => words.join(' ')),
      fc.string(),
    ),
    fc.jsonValue(),
  )
  .map(([server, toolName, description, schema]): Tool => {
    const made = makeTool(server, toolName, description, { [description.slice(0, 8)]: 'An argument' });
    return typeof schema === 'object' && schema !== null
      ? { ...made, inputSchema: { ...made.inputSchema, extra: schema, items: schema } }
      : made;
  });
const catalog = fc.uniqueArray(tool, { selector: ({ id }) => id, maxLength: 30 });
const query = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
  fc.string({ maxLength: 60 }),
  anyText(30),
  fc
    .array(fc.constantFrom('(', ')', '[', ']', '*', '+', '?', '{1000}', '\\', '|', 'a', '.', '^', '$', '(?=', '\\1'), {
      maxLength: 20,
    })
    .map((parts) => parts.join('')),
);
const strategy = fc.constantFrom(...BUILT_IN_STRATEGIES, 'auto');

/** The parts of an outcome that don't depend on time. */
function answer(outcome: SearchOutcome): unknown {
  if (!outcome.ok) return outcome.error;
  const { ms: _, hits, below, ...rest } = outcome;
  return {
    ...rest,
    hits: [...hits, ...below].map(({ tool: { id }, score, matchType, terms }) => ({ id, score, matchType, terms })),
  };
}

describe('ToolIndex, for any catalog and query', () => {
  it('answers without an exception, with each tool once, within the limit', () => {
    holds([catalog, query, strategy, fc.integer({ min: 1, max: 20 })], { numRuns: 150 }, (tools, text, name, limit) => {
      const outcome = new ToolIndex(tools).search({ query: text, strategy: name, limit });
      if (!outcome.ok) return;
      const ids = [...outcome.hits, ...outcome.below].map((hit) => hit.tool.id);
      expect(outcome.hits.length).toBeLessThanOrEqual(limit);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(tools.map((one) => one.id)).toContain(id);
      for (const hit of outcome.hits) expect(Number.isFinite(hit.score)).toBe(true);
    });
  });

  it('explains each bm25 score by parts that add up to it', () => {
    holds([catalog, query], { numRuns: 150 }, (tools, text) => {
      const outcome = new ToolIndex(tools).search({ query: text, strategy: 'bm25', limit: 20, explain: true });
      if (!outcome.ok) return;
      for (const { score, terms, parts, matchType } of [...outcome.hits, ...outcome.below]) {
        if (matchType === 'select') continue;
        const { words, ...bonuses } = parts as ScoreParts;
        const sum = [...words.map(({ adds }) => adds), ...Object.values(bonuses)].reduce(
          (total, part) => total + part,
          0,
        );
        expect(sum).toBeCloseTo(score, 10);
        expect(words.filter(({ adds }) => adds > 0).map(({ word }) => word)).toEqual(terms);
      }
    });
  });

  it('answers the same in whatever order the tools came', () => {
    holds([catalog, query, strategy, fc.nat()], { numRuns: 150 }, (tools, text, name, seed) => {
      const shuffled = tools
        .map((one, i) => ({ one, key: (i * 7919 + seed) % 31 }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one);
      const request = { query: text, strategy: name, limit: 10 };
      expect(answer(new ToolIndex(shuffled).search(request))).toEqual(answer(new ToolIndex(tools).search(request)));
    });
  });

  it('answers after any updates as a newly built index', () => {
    holds(
      [fc.array(catalog, { minLength: 1, maxLength: 5 }), query, strategy],
      { numRuns: 150 },
      (versions, text, name) => {
        const index = new ToolIndex();
        for (const version of versions) index.setTools(version);
        const request = { query: text, strategy: name, limit: 10 };
        expect(index.size).toBe(versions.at(-1)?.length);
        expect(answer(index.search(request))).toEqual(answer(new ToolIndex(versions.at(-1)).search(request)));
      },
    );
  });

  it('answers after overlapping updates, bit by bit, as a fresh index', async () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 100));
    const breaths = countBreaths();
    try {
      await holdsAsync(
        [fc.array(fc.tuple(catalog, fc.nat({ max: 6 })), { minLength: 1, maxLength: 4 }), query],
        { numRuns: 150 },
        async (versions, text) => {
          const index = new ToolIndex();
          const before = breaths();
          for (const [version, pause] of versions) {
            index.follow(version);
            for (let i = 0; i < pause; i++) await Promise.resolve();
          }
          await index.settled();
          const last = versions.at(-1)?.[0] ?? [];
          expect(breaths() - before).toBeGreaterThanOrEqual(last.length);
          expect(index.size).toBe(last.length);
          const request = { query: text, strategy: 'bm25', limit: 10 };
          expect(answer(index.search(request))).toEqual(answer(new ToolIndex(last).search(request)));
        },
      );
    } finally {
      clock.mockRestore();
    }
  });

  it('puts a tool first that the query names by an identifier', () => {
    const identifier = fc.uniqueArray(fc.constantFrom('create', 'issue', 'list', 'file', 'fetch', 'page'), {
      minLength: 2,
      maxLength: 3,
    });
    const written = fc
      .constantFrom('_', '-', ' ', '.')
      .chain((separator) => fc.boolean().map((upper) => ({ separator, upper })));
    holds([catalog, identifier, written], { numRuns: 150 }, (tools, parts, { separator, upper }) => {
      const named = makeTool('github', parts.join('_'));
      const others = tools.filter(({ id }) => id !== named.id);
      const mention = upper ? parts.join(separator).toUpperCase() : parts.join(separator);
      const outcome = new ToolIndex([...others, named]).search({
        query: `now "${mention}" it`,
        strategy: 'bm25',
        limit: 3,
      });
      const firstNames = outcome.ok
        ? outcome.hits.filter((hit) => hit.matchType === 'exact_name').map((hit) => hit.tool.id)
        : [];
      expect(firstNames).toContain(named.id);
      expect(outcome.ok && outcome.hits[0]?.matchType).toBe('exact_name');
    });
  });

  it('returns candidates only', () => {
    holds([catalog, query, strategy], { numRuns: 150 }, (tools, text, name) => {
      const candidates = new Set(tools.filter((_, i) => i % 2 === 0).map(({ id }) => id));
      const outcome = new ToolIndex(tools).search({ query: text, strategy: name, limit: 20, candidates });
      if (!outcome.ok) return;
      expect(outcome.searched).toBe(candidates.size);
      for (const hit of outcome.hits) expect(candidates).toContain(hit.tool.id);
    });
  });
});
