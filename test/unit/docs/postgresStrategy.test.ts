import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresStrategy, SCHEMA, storeTools } from '../../../docs/examples/postgresStrategy';
import type { ExternalStrategy } from '../../../src/api';
import { createSearchPort } from '../../../src/core/search/searchPort';
import { StrategyRegistry } from '../../../src/core/search/strategies/registry';
import { ToolIndex } from '../../../src/core/search/toolIndex';
import type { SearchRequest } from '../../../src/core/search/types';
import type { Timer } from '../../../src/core/util/signals';
import { readQueries, readTools } from '../../bench/data';
import { recallAt } from '../../bench/measures';
import { makeTool } from '../core/search/makeTool';

const BENCH = path.resolve(import.meta.dirname, '../../bench');
const TOOLS = readTools(`${BENCH}/tools.jsonl`);

/** Postgres itself, compiled to WebAssembly, with its data in memory. */
let postgres: PGlite;
beforeAll(async () => {
  postgres = await PGlite.create();
  await postgres.exec(SCHEMA);
  await storeTools(postgres, TOOLS);
});
afterAll(async () => {
  if (!postgres.closed) await postgres.close();
});

const index = new ToolIndex(TOOLS);

async function search(
  request: Partial<SearchRequest>,
  strategy: ExternalStrategy = postgresStrategy(postgres),
  timer?: Timer,
) {
  const registry = new StrategyRegistry();
  registry.register('postgres', strategy);
  const port = createSearchPort(index, registry, timer ? { timer } : {});
  const outcome = await port.search(
    { query: '', strategy: 'postgres', limit: 5, ...request },
    new AbortController().signal,
  );
  if (!outcome.ok) throw new Error(outcome.error.message);
  return { ...outcome, ids: outcome.hits.map(({ tool }) => tool.id) };
}

describe('a search by Postgres', () => {
  it('finds most of what the queries of our benchmark need', async () => {
    const queries = readQueries(`${BENCH}/queries.jsonl`);
    let recall = 0;
    for (const query of queries) recall += recallAt(5, query, (await search({ query: query.query })).ids);
    expect(recall / queries.length).toBeGreaterThan(0.5);
  });

  it('keeps to the server and tools that may be found', async () => {
    const query = 'create a new issue';
    const [first = ''] = (await search({ query })).ids;
    const server = first.split('/')[0] ?? '';
    expect((await search({ query, server })).ids.every((id) => id.startsWith(`${server}/`))).toBe(true);
    const candidates = new Set(TOOLS.map(({ id }) => id).filter((id) => id !== first));
    expect((await search({ query, candidates })).ids).not.toContain(first);
  });

  it('leaves out tools that this window does not have', async () => {
    await storeTools(postgres, [makeTool('elsewhere', 'create_issue', 'Create an issue')]);
    const { ids, strategy } = await search({ query: 'create issue', limit: 3 });
    expect([strategy, ids.length]).toEqual(['postgres', 3]);
    expect(ids).not.toContain('elsewhere/create_issue');
  });

  it('takes words as words', async () => {
    for (const query of ["'; DROP TABLE tools; --", ':*', '& | !', 'the of and'])
      expect((await search({ query })).strategy).toBe('postgres');
  });

  it('follows a tool that changes', async () => {
    const [tool = makeTool('', '')] = TOOLS;
    await storeTools(postgres, [{ ...tool, description: 'Brews zanzibar coffee' }]);
    expect((await search({ query: 'zanzibar' })).ids).toEqual([tool.id]);
  });
});

describe('while Postgres is down, bm25 answers, and the user reads why', () => {
  it('when it refuses', async () => {
    const pool = { query: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:5432')) };
    const outcome = await search({ query: 'create issue' }, postgresStrategy(pool));
    expect(outcome.ids.length).toBeGreaterThan(0);
    expect(outcome.warning).toBe(
      'The search strategy "postgres" failed: connect ECONNREFUSED 10.0.0.5:5432; bm25 searched instead.',
    );
  });

  it('when it does not answer in time', async () => {
    const pool = { query: () => new Promise<never>(() => {}) };
    const atOnce: Timer = (run) => {
      run();
      return () => {};
    };
    const { strategy, warning } = await search({ query: 'create issue' }, postgresStrategy(pool), atOnce);
    expect([strategy, warning]).toEqual([
      'bm25',
      'The search strategy "postgres" failed: no answer within 2 s; bm25 searched instead.',
    ]);
  });

  it('when it has no such table', async () => {
    await postgres.exec('ALTER TABLE tools RENAME TO others');
    const { warning } = await search({ query: 'create issue' });
    expect(warning).toMatch(/relation "tools" does not exist; bm25 searched instead/);
    await postgres.exec('ALTER TABLE others RENAME TO tools');
  });

  it('when it is closed', async () => {
    await postgres.close();
    const { strategy, warning } = await search({ query: 'create issue' });
    expect([strategy, warning]).toEqual(['bm25', expect.stringContaining('closed')]);
  });
});
