import { expect, it } from 'vitest';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import type { SearchRequest } from '../../../../src/core/search/types';
import { makeTool } from './makeTool';

const TOOLS = [
  makeTool('github', 'create_issue', 'Create a new issue in a GitHub repository'),
  makeTool('github', 'list_issues', 'List issues in a GitHub repository with filters'),
  makeTool('github', 'merge_pull_request', 'Merge a pull request'),
  makeTool('filesystem', 'read_file', 'Read the complete contents of a file', { path: 'Where the file is' }),
  makeTool('filesystem', 'write_file', 'Create or overwrite a file'),
  makeTool('k8s', 'kubectl_scale', 'Scale a deployment', { replicas: 'Number of replicas wanted' }),
];

function find(query: string, request: Partial<SearchRequest> = {}) {
  const outcome = new ToolIndex(TOOLS).search({ query, strategy: 'bm25', limit: 5, ...request });
  return outcome.ok ? outcome.hits.map((hit) => hit.tool.id) : [outcome.error.code];
}

it('finds a word by another of its root, in any order', () => {
  const tools = [makeTool('a', 'one', 'Connects two peers'), makeTool('a', 'two', 'Sends mail')];
  const index = new ToolIndex(tools);
  const found = () => {
    const outcome = index.search({ query: 'connection', strategy: 'bm25', limit: 5 });
    return outcome.ok ? outcome.hits.map((hit) => hit.tool.id).sort() : [];
  };
  expect(found()).toEqual(['a/one']);
  index.setTools([...tools, makeTool('b', 'three', 'Is connecting hosts')]);
  expect(found()).toEqual(['a/one', 'b/three']);
});

it('reads a text of one server as it reads it of another', () => {
  const tool = (server: string) =>
    makeTool(server, 'run', `Runs on ${server}`, { target: 'MySQL or GitHub, 读取文件' });
  const mixed = new ToolIndex([tool('a'), tool('b')]);
  mixed.setTools([{ ...tool('a'), description: 'Starts' }]);
  mixed.setTools([{ ...tool('a'), description: 'Starts' }, tool('b')]);
  mixed.setTools([tool('a'), tool('b')]);
  const search = (index: ToolIndex) => {
    const outcome = index.search({ query: 'run mysql 读取 target', strategy: 'bm25', limit: 5, explain: true });
    return outcome.ok ? outcome.hits.map(({ tool: { id }, score, parts }) => ({ id, score, parts })) : [];
  };
  expect(search(mixed)).toEqual(search(new ToolIndex([tool('a'), tool('b')])));
});

it('keeps to tools that say that they only read, with every strategy', () => {
  const read = { ...makeTool('github', 'get_issue', 'Reads an issue'), annotations: { readOnlyHint: true } };
  const index = new ToolIndex([...TOOLS, read]);
  for (const [strategy, query] of [
    ['bm25', 'issue'],
    ['keywords', 'issue'],
    ['regex', 'issue'],
    ['exact', 'get_issue'],
  ]) {
    const outcome = index.search({ query, strategy, limit: 5, readOnly: true } as SearchRequest);
    expect(outcome).toMatchObject({ ok: true, searched: 1, hits: [{ tool: { name: 'get_issue' } }] });
  }
  const misspelt = { query: 'create_isue', strategy: 'exact', limit: 5, readOnly: true } as const;
  expect(index.search(misspelt)).toMatchObject({ hits: [], nearest: ['github_get_issue'] });
});

/** The parts of the best hit's score. */
function partsOf(query: string) {
  const outcome = new ToolIndex(TOOLS).search({ query, strategy: 'bm25', limit: 1, explain: true });
  return outcome.ok ? outcome.hits[0]?.parts : undefined;
}

it('explains a score by its parts and the word that matched', () => {
  const parts = partsOf('a repo in github');
  expect(parts?.words).toEqual([
    { word: 'repo', tools: 0, adds: expect.any(Number), via: 'repository' },
    { word: 'github', tools: 3, adds: expect.any(Number) },
  ]);
  expect(parts).toMatchObject({ named: 0, serverNamed: expect.any(Number) });
  expect(parts?.serverNamed).toBeGreaterThan(0);
});

it('counts a word once, however often it is asked', () => {
  expect(partsOf('deployment deployments Deployment')?.words).toEqual(partsOf('deployment')?.words);
});

it('forgets a server with the last of its tools', () => {
  const index = new ToolIndex(TOOLS);
  index.setTools(TOOLS.slice(3));
  const outcome = index.search({ query: 'create', strategy: 'bm25', limit: 5, server: 'github' });
  expect(outcome).toMatchObject({ ok: false, error: { code: 'unknown_server' } });
  index.setTools([]);
  expect([index.size, index.slots()]).toEqual([0, []]);
});

it('needs a word in the query, and a pattern that isn’t blank', () => {
  for (const strategy of ['bm25', 'keywords', 'exact', 'auto'])
    expect(find(' ,;', { strategy })).toEqual(['empty_query']);
  expect(find('  ', { strategy: 'regex' })).toEqual(['empty_query']);
  expect(find(',', { strategy: 'regex' })).toEqual([]);
  expect(find('create', { strategy: 'other' })).toEqual(['unknown_strategy']);
  expect(find('select:', {})).toEqual(['empty_query']);
});

it('has no server for an empty name', () => {
  expect(find('create', { server: '' })).toEqual(['unknown_server']);
  const index = new ToolIndex([makeTool('_', 'create_it')]);
  const search = (server: string) => index.search({ query: 'create it', strategy: 'bm25', limit: 5, server });
  expect([search('_').ok, search('-').ok]).toEqual([true, false]);
});

it('finds the tools with a name, in order', () => {
  const index = new ToolIndex([makeTool('b', 'get_it'), makeTool('a', 'get_it'), ...TOOLS]);
  expect(index.named('Get-It').map(({ id }) => id)).toEqual(['a/get_it', 'b/get_it']);
  expect(index.named('nothing')).toEqual([]);
});

it('scopes a request to its tools, in order of their names', () => {
  const index = new ToolIndex(TOOLS);
  const scope = (request: Partial<SearchRequest>) => {
    const found = index.scope({ query: '', strategy: 'x', limit: 1, ...request });
    return 'code' in found ? found.code : found.map(({ name }) => name);
  };
  expect(scope({ server: 'github' })).toEqual(['create_issue', 'list_issues', 'merge_pull_request']);
  expect(scope({ candidates: new Set(['k8s/kubectl_scale', 'github/list_issues']) })).toEqual([
    'kubectl_scale',
    'list_issues',
  ]);
  expect(scope({ server: 'github', candidates: new Set(['k8s/kubectl_scale']) })).toEqual([]);
  expect(scope({ readOnly: true })).toEqual([]);
  expect(scope({ server: 'x' })).toBe('unknown_server');
  expect(scope({})).toHaveLength(6);
});

it('replaces an equal tool by the new object, and a changed one', () => {
  const index = new ToolIndex(TOOLS);
  const copies = TOOLS.map((tool) => ({ ...tool }));
  index.setTools(copies);
  expect(index.named('read_file')[0]).toBe(copies[3]);
  index.setTools(copies.map((tool) => ({ ...tool, description: 'Sings' })));
  const outcome = index.search({ query: 'sings', strategy: 'keywords', limit: 9 });
  expect([outcome.ok && outcome.matched, index.size]).toEqual([6, 6]);
  expect(index.search({ query: 'deployment', strategy: 'keywords', limit: 9 })).toMatchObject({ matched: 0 });
});

it('finds the tools of a server by its name', () => {
  expect(find('github').sort()).toEqual(['github/create_issue', 'github/list_issues', 'github/merge_pull_request']);
});
