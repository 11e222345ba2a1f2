import { expect, it, vi } from 'vitest';
import { createSearchPort } from '../../../../src/core/search/searchPort';
import { StrategyRegistry } from '../../../../src/core/search/strategies/registry';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import type { SearchRequest } from '../../../../src/core/search/types';
import type { ExternalStrategy } from '../../../../tool-search';
import { countBreaths } from '../../breaths';
import { makeTool } from './makeTool';

const index = new ToolIndex([
  makeTool('github', 'create_issue', 'Create an issue'),
  makeTool('github', 'list_issues', 'List issues'),
]);
const never = new AbortController().signal;

/** Searches these tools with strategies that ship, or with a strategy of another extension named “mine”. */
function searching(mine?: ExternalStrategy, tools = index) {
  const registry = new StrategyRegistry();
  if (mine) registry.register('mine', mine);
  const port = createSearchPort(tools, registry);
  return (query: string, request: Partial<SearchRequest> = {}, signal = never) =>
    port.search({ query, strategy: mine ? 'mine' : 'bm25', limit: 5, ...request }, signal);
}
const searchWith = (strategy: ExternalStrategy, query = 'create issue') => searching(strategy)(query);

it('runs a registered strategy and keeps its order', async () => {
  const outcome = await searchWith(async () => ['list_issues', 'github/create_issue']);
  expect(outcome).toMatchObject({
    ok: true,
    strategy: 'mine',
    hits: [{ tool: { name: 'list_issues' }, matchType: 'external' }, {}],
  });
});

it('gives a strategy copies of the tools, whole', async () => {
  const annotations = { readOnlyHint: true };
  const tool = { ...makeTool('db', 'read', 'Reads rows'), title: 'Read', annotations };
  const mine: ExternalStrategy = (_, [copy]) => {
    expect(copy).toMatchObject({ title: 'Read', inputSchema: tool.inputSchema, annotations, modelName: 'db_read' });
    Object.assign(copy?.annotations ?? {}, { readOnlyHint: false });
    Object.assign(copy?.inputSchema ?? {}, { type: 'array' });
    return ['db/read'];
  };
  expect(await searching(mine, new ToolIndex([tool]))('read', { limit: 1 })).toMatchObject({
    strategy: 'mine',
    hits: [{ tool: { annotations, inputSchema: { type: 'object' } } }],
  });
  expect(annotations).toEqual({ readOnlyHint: true });
});

it.each<[string, ExternalStrategy, string]>([
  [
    'throws',
    () => {
      throw new Error('no network');
    },
    'no network',
  ],
  ['rejects', () => Promise.reject(new Error('found no network. ')), 'found no network'],
  ['names tools that do not exist', () => ['no_such_tool'], 'named tools that do not exist'],
  ['answers nonsense', () => 'create_issue' as unknown as string[], 'its answer is not a list of names'],
  ['answers a number', () => 7 as unknown as string[], 'its answer is not a list of names'],
  ['answers with numbers', () => ['create_issue', 7] as unknown as string[], 'its answer is not a list of names'],
])('falls back to bm25, and tells why, if a strategy %s', async (_, strategy, reason) => {
  const outcome = await searchWith(strategy);
  expect(outcome).toMatchObject({ ok: true, strategy: 'bm25', why: '“mine” could not answer.' });
  expect(outcome.ok && outcome.hits[0]?.tool.name).toBe('create_issue');
  const { user, model } = (outcome.ok && outcome.warning) || {};
  expect(model).toMatch(new RegExp(`^The search strategy "mine" .*${reason}; bm25 searched instead\\.$`));
  expect(user).toMatch(
    new RegExp(`^The search strategy “mine” could not answer, so bm25 searched instead: .*${reason}\\.$`),
  );
});

it('scores a strategy’s tools by their place, each once', async () => {
  const outcome = await searchWith(() => ['list_issues', 'create_issue', 'github_list_issues']);
  expect(outcome).toMatchObject({ matched: 2, searched: 2, nearest: [] });
  expect(outcome.ok && outcome.hits.map(({ tool, score, terms }) => [tool.name, score, terms])).toEqual([
    ['list_issues', 3, []],
    ['create_issue', 2, []],
  ]);
});

it('takes an empty answer for one, with near names', async () => {
  const outcome = await searchWith(() => [], 'create isue');
  expect(outcome).toMatchObject({
    ok: true,
    strategy: 'mine',
    hits: [],
    matched: 0,
    nearest: ['github_create_issue'],
  });
  expect(outcome).not.toHaveProperty('warning');
});

it('keeps a strategy’s answer to the tools that may be found', async () => {
  const search = searching(() => ['create_issue', 'list_issues']);
  const candidates = new Set(['github/list_issues']);
  expect(await search('x', { candidates })).toMatchObject({
    hits: [{ tool: { name: 'list_issues' } }],
    matched: 1,
    searched: 1,
  });
  expect(await search('x', { candidates, server: 'gitlab' })).toMatchObject({
    ok: false,
    strategy: 'mine',
    error: { code: 'unknown_server' },
  });
});

it('tells a strategy the conditions of a search', async () => {
  const asked: unknown[] = [];
  const search = searching((queries, _tools, _signal, search) => {
    asked.push([queries, search]);
    return [];
  });
  await search('x', { limit: 2, readOnly: true });
  await search('x');
  const all = new Set(['github/create_issue', 'github/list_issues']);
  expect(asked).toEqual([
    [['x'], { limit: 2, readOnly: true, deferred: new Set(), discovered: new Set() }],
    [['x'], { limit: 5, readOnly: false, deferred: all, discovered: new Set() }],
  ]);
});

it('answers a search that is cancelled on the way with an error', async () => {
  const abort = new AbortController();
  const found = searching()('issue', {}, abort.signal);
  await Promise.resolve();
  queueMicrotask(() => abort.abort());
  expect(await found).toMatchObject({ ok: false, error: { message: 'The search was cancelled.' } });
});

it('refuses over 1,000 characters of a query or server, for every strategy', async () => {
  for (const request of [{ server: 'x'.repeat(1_001) }, { queries: ['a', 'x'.repeat(1_001)] }])
    expect(await searching()('a', request)).toMatchObject({ ok: false, error: { code: 'query_too_long' } });
  for (const strategy of ['auto', 'bm25', 'regex', 'keywords', 'exact', 'none']) {
    const long = await searching()('create '.repeat(200_000), { strategy });
    expect(long).toMatchObject({ ok: false, error: { code: 'query_too_long' } });
  }
  expect(await searching()('issue '.repeat(166), { strategy: 'auto' })).toMatchObject({ ok: true });
});

it('falls back if a strategy hangs, and aborts it', async () => {
  vi.useFakeTimers();
  let aborted = false;
  const searching = searchWith((_, __, inner) => {
    inner.addEventListener('abort', () => {
      aborted = true;
    });
    return new Promise(() => {});
  });
  await vi.advanceTimersByTimeAsync(2_000);
  vi.useRealTimers();
  const outcome = await searching;
  expect(outcome).toMatchObject({ ok: true, strategy: 'bm25', warning: { user: expect.stringContaining('2 s') } });
  expect(aborted).toBe(true);
});

it('asks a registered strategy once for all queries of a search', async () => {
  const asked: unknown[] = [];
  const search = searching((queries, tools, _, search) => {
    asked.push([queries, tools.map((tool) => tool.name), { ...search, discovered: new Set(search.discovered) }]);
    // `discovered` is a copy, so this doesn't change the port's own set.
    (search.discovered as Set<string>).add('x');
    return ['list_issues'];
  });
  const queries = ['create issue', 'list issues'];
  const deferred = new Set(['github/list_issues']);
  const turn = { prompt: 'file a bug', model: 'test/scripted' };
  const discovered = new Set(['github/get_issue']);
  const asker = { turn, discovered };
  const request = { limit: 3, server: 'GitHub', candidates: deferred, queries, asker };
  const outcomes = await Promise.all(queries.map((query) => search(query, request)));
  expect(asked).toEqual([
    [queries, ['list_issues'], { limit: 3, readOnly: false, server: 'GitHub', deferred, discovered, turn }],
  ]);
  expect(discovered).toEqual(new Set(['github/get_issue']));
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ ok: true, hits: [{ tool: { name: 'list_issues' } }] });
});

it('lets others go on in the middle of a long pattern', async () => {
  const many = new ToolIndex(Array.from({ length: 50 }, (_, i) => makeTool('big', `tool_${i}`, 'Does something')));
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 3));
  const breaths = countBreaths();
  const outcome = await searching(undefined, many)('tool_4.$', { strategy: 'regex', limit: 20 });
  clock.mockRestore();
  expect(outcome).toMatchObject({ ok: true, matched: 10 });
  expect(breaths()).toBeGreaterThan(10);
});

it('lets others go on between many searches at once', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1));
  const breaths = countBreaths();
  const search = searching();
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => search('list issues')));
  clock.mockRestore();
  expect(outcomes.every(({ ok }) => ok)).toBe(true);
  expect(breaths()).toBeGreaterThan(20);
});

it('refuses a strategy that does not exist and names those that do', async () => {
  expect(await searching()('x', { strategy: 'gone' })).toMatchObject({
    ok: false,
    error: { code: 'unknown_strategy', message: expect.stringContaining('bm25') },
  });
});

it('answers a cancelled search with an error', async () => {
  const outcome = await searching()('x', {}, AbortSignal.abort());
  expect(outcome).toMatchObject({ ok: false, error: { code: 'strategy_failed' } });
});
