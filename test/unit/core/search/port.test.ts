import { describe, expect, it } from 'vitest';
import { ToolIndex } from '../../../../src/core/search/index';
import { createSearchPort } from '../../../../src/core/search/port';
import { type ExternalStrategy, StrategyRegistry } from '../../../../src/core/search/registry';
import { makeTool } from './makeTool';

const index = new ToolIndex([makeTool('github', 'create_issue', 'Create an issue'), makeTool('github', 'list_issues', 'List issues')]);
const signal = () => new AbortController().signal;
const atOnce = (run: () => void) => {
  run();
  return () => {};
};

function searchWith(strategy: ExternalStrategy, timer?: Parameters<typeof createSearchPort>[2], query = 'create issue') {
  const registry = new StrategyRegistry();
  registry.register('mine', strategy);
  return createSearchPort(index, registry, timer).search({ query, strategy: 'mine', limit: 5 }, signal());
}

describe('createSearchPort', () => {
  it('runs a registered strategy and keeps its order', async () => {
    const outcome = await searchWith(async () => ['list_issues', 'github/create_issue']);
    expect(outcome).toMatchObject({ ok: true, strategy: 'mine', hits: [{ tool: { name: 'list_issues' }, matchType: 'external' }, {}] });
  });

  it.each<[string, ExternalStrategy]>([
    [
      'throws',
      () => {
        throw new Error('no network');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no network'))],
    ['names tools that do not exist', () => ['no_such_tool']],
    ['answers nonsense', () => 'create_issue' as unknown as string[]],
  ])('falls back to bm25, visibly, where a strategy %s', async (_, strategy) => {
    const outcome = await searchWith(strategy);
    expect(outcome).toMatchObject({ ok: true, strategy: 'bm25', warning: expect.stringContaining('"mine"') });
    expect(outcome.ok && outcome.hits[0]?.tool.name).toBe('create_issue');
  });

  it('falls back where a strategy hangs, and aborts it', async () => {
    let aborted = false;
    const outcome = await searchWith(
      (_, __, inner) => {
        inner.addEventListener('abort', () => {
          aborted = true;
        });
        return new Promise(() => {});
      },
      (run) => atOnce(() => setTimeout(run)),
    );
    expect(outcome).toMatchObject({ ok: true, strategy: 'bm25', warning: expect.stringContaining('2 s') });
    expect(aborted).toBe(true);
  });

  it('refuses a strategy that does not exist and names those that do', async () => {
    const outcome = await createSearchPort(index, new StrategyRegistry()).search({ query: 'x', strategy: 'gone', limit: 5 }, signal());
    expect(outcome).toMatchObject({ ok: false, error: { code: 'unknown_strategy', message: expect.stringContaining('bm25') } });
  });

  it('answers a cancelled search with an error', async () => {
    const outcome = await createSearchPort(index, new StrategyRegistry()).search(
      { query: 'x', strategy: 'bm25', limit: 5 },
      AbortSignal.abort(),
    );
    expect(outcome).toMatchObject({ ok: false, error: { code: 'strategy_failed' } });
  });
});

describe('StrategyRegistry', () => {
  it('lists, tells of changes, unregisters and refuses a taken name', () => {
    const registry = new StrategyRegistry();
    let changes = 0;
    registry.onDidChange(() => changes++);
    const unregister = registry.register('mine', () => []);
    expect(registry.names()).toEqual(['mine']);
    expect(() => registry.register('mine', () => [])).toThrow('already');
    expect(() => registry.register('bm25', () => [])).toThrow('already');
    unregister();
    expect(registry.names()).toEqual([]);
    expect(changes).toBe(2);
  });
});
