import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import { CatalogCheck } from '../../../../src/core/suggestions/catalogCheck';
import { makeTool } from '../search/makeTool';

function check(tools: readonly Tool[], limit = 5) {
  const index = new ToolIndex(tools);
  const checked = new CatalogCheck(tools, limit, (query, depth) => {
    const outcome = index.search({ query, strategy: 'bm25', limit: depth });
    return outcome.ok ? outcome.hits.map((hit) => hit.tool.id) : [];
  });
  while (!checked.done) checked.step();
  return checked.suggestions;
}

describe('a thin description', () => {
  it('says hardly more than the name, and no argument is described', () => {
    expect(check([makeTool('forge', 'search_users', 'Search for users.', { q: '', page: '' })])).toEqual([
      { id: 'thin forge/search_users', kind: 'thin', tool: 'forge/search_users', words: 0, args: 2 },
    ]);
    expect(check([makeTool('forge', 'search_users', '')])).toMatchObject([{ kind: 'thin', words: 0, args: 0 }]);
  });

  it('isn’t one if arguments are described, or an example says more', () => {
    expect(check([makeTool('forge', 'search_users', 'Search for users.', { q: 'Name or e-mail address' })])).toEqual(
      [],
    );
    const example = { args: {}, description: 'who is the person behind this account' };
    expect(check([{ ...makeTool('forge', 'search_users', 'Search for users.'), examples: [example] }])).toEqual([]);
  });
});

it('leaves out resources and prompts', () => {
  const item = { kind: 'prompt', address: 'greet' } as const;
  expect(check([{ ...makeTool('forge', 'greet', ''), item }])).toEqual([]);
});

describe('a tool that its own words don’t find', () => {
  const common = 'Manages the shared resources of a project.';
  const crowd = Array.from({ length: 8 }, (_, i) =>
    makeTool('crowd', `manage_resource_${i}`, `${common} Kind ${i} with more details.`),
  );

  it('is named with the query, its rank and what comes before it', () => {
    const [found] = check(
      [...crowd, makeTool('other', 'cleanup', `${common} And afterwards removes leftovers slowly.`)],
      2,
    ).filter((suggestion) => suggestion.id === 'find other/cleanup');
    expect(found).toMatchObject({
      kind: 'unfound',
      tool: 'other/cleanup',
      query: 'manages the shared resources of a project',
      limit: 2,
    });
    expect(found?.kind === 'unfound' && found.above[0]).toMatch(/^crowd/);
    expect(found?.kind === 'unfound' && found.rank).toBeGreaterThan(2);
  });

  it('isn’t one if they do', () => {
    expect(
      check([...crowd, makeTool('other', 'cleanup', 'Tears the temporary sandbox down.')]).map(({ id }) => id),
    ).not.toContain('find other/cleanup');
  });
});

describe('of a tool’s own texts', () => {
  const tool = { ...makeTool('a', 'clear_attic', 'Removes old leftovers slowly.'), title: 'Spring cleaning' };
  const others = ['b/1', 'b/2', 'b/3', 'b/4', 'b/5'];
  const checkAt = (titleRank: number, descriptionRank: number) => {
    const find = (query: string) => {
      const rank = query.startsWith('spring') ? titleRank : query.startsWith('removes') ? descriptionRank : 1;
      return rank === 0 ? others : others.toSpliced(rank - 1, 0, tool.id);
    };
    const checked = new CatalogCheck([tool], 2, find);
    checked.step();
    return checked.suggestions;
  };
  const title = 'spring cleaning';
  const description = 'removes old leftovers slowly';

  it.each([
    [4, 3, { query: description, rank: 3, above: ['b/1', 'b/2', 'a/clear_attic'] }],
    [4, 5, { query: title, rank: 4, above: ['b/1', 'b/2', 'b/3'] }],
    [4, 4, { query: title, rank: 4 }],
    [0, 5, { query: description, rank: 5 }],
  ])('the one that finds it best is named: %i, %i', (titleRank, descriptionRank, told) => {
    expect(checkAt(titleRank, descriptionRank)).toMatchObject([{ kind: 'unfound', limit: 2, ...told }]);
  });

  it('none finds it: no rank is given', () => {
    expect(checkAt(0, 0)).toMatchObject([{ kind: 'unfound', query: title, above: ['b/1', 'b/2', 'b/3'] }]);
    expect(checkAt(0, 0)[0]).not.toHaveProperty('rank');
  });

  it('one that finds it at the limit is enough', () => {
    expect(checkAt(2, 0)).toEqual([]);
    expect(checkAt(0, 2)).toEqual([]);
  });
});

describe('two tools that look the same', () => {
  it('have one name and nearly the same words, on different servers', () => {
    const twins = [
      makeTool('forge', 'create_issue', 'Creates a new ticket in a given repository.'),
      makeTool('smithy', 'createIssue', 'Creates a new ticket in the given repository'),
    ];
    expect(check(twins)).toMatchObject([
      { kind: 'twins', tools: ['forge/create_issue', 'smithy/createIssue'], sameName: true },
    ]);
  });

  it('or the same description and arguments under two names', () => {
    const text = 'Opens the page that stands behind a bookmark in its reader.';
    const twins = [makeTool('a', 'open', text, { id: 'which' }), makeTool('a', 'show', text, { id: 'which' })];
    expect(check(twins)).toMatchObject([{ kind: 'twins', sameName: false }]);
  });

  it('aren’t those that do different things under one name', () => {
    const tools = [
      makeTool('forge', 'search', 'Looks for source code in all repositories.'),
      makeTool('shop', 'search', 'Finds articles with their prices and stock.'),
    ];
    expect(check(tools)).toEqual([]);
  });
});

describe('a check', () => {
  it('goes on step by step, one tool each', () => {
    const tools = [makeTool('a', 'one', ''), makeTool('a', 'two', '')];
    const checked = new CatalogCheck(tools, 5, () => []);
    checked.step();
    expect([checked.checked, checked.total, checked.done]).toEqual([1, 2, false]);
    checked.step();
    expect(checked.done).toBe(true);
    checked.step();
    expect(checked.suggestions).toHaveLength(2);
  });
});
