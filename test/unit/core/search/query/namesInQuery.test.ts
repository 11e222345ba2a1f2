import { describe, expect, it } from 'vitest';
import { listedNames, NameTable } from '../../../../../src/core/search/query/namesInQuery';
import { nearestNames } from '../../../../../src/core/search/query/nearest';
import { parseQuery } from '../../../../../src/core/search/query/parseQuery';
import { problemOfLength } from '../../../../../src/core/search/query/queryLength';
import { makeTool } from '../makeTool';

it.each([
  ['read_file, list_files', ['read_file', 'list_files']],
  [' read_file;list_files\n', ['read_file', 'list_files']],
  ['readFile a/b read_file readFile', ['readFile', 'a/b', 'read_file']],
  ['read_file', []],
  ['read_file and list_files', []],
  ['read_file _x', []],
  ['files folders', []],
  ['', []],
])('a list of names is only names: %j', (text, names) => expect(listedNames(text)).toEqual(names));

describe('the table of names', () => {
  const table = (...tools: readonly ReturnType<typeof makeTool>[]) => {
    const names = new NameTable<string>();
    for (const tool of tools) names.add(tool, tool.id);
    return names;
  };
  const issue = makeTool('github', 'create_issue');
  const other = makeTool('gitlab', 'create_issue');

  it('finds a tool by its name, id and model name', () => {
    const names = table({ ...issue, modelName: 'mcp_issue' }, other);
    expect(names.find('Create-Issue')).toEqual([issue.id, other.id]);
    expect(names.find('github/create_issue')).toEqual([issue.id]);
    expect(names.find('mcp issue')).toEqual([issue.id]);
    expect(names.find('issue')).toEqual([]);
  });

  it('forgets a tool, and only this one', () => {
    const same = { ...issue, modelName: 'create_issue' };
    const names = table(same, other);
    names.remove(same, same.id);
    expect(names.find('create_issue')).toEqual([other.id]);
    expect(names.find('github/create_issue')).toEqual([]);
    names.remove(other, other.id);
    for (const name of ['create_issue', 'gitlab/create_issue', 'gitlab_create_issue'])
      expect(names.find(name)).toEqual([]);
  });

  it('has a tool once under a name, none under an empty one', () => {
    const odd = { ...makeTool('_', '-'), id: '_/-', modelName: '__' };
    const same = { ...makeTool('a', 'b_c'), id: 'b/c', modelName: 'bC' };
    const names = table(odd, same, { ...makeTool('a', 'x'), modelName: 'a_x' });
    expect(names.find('-')).toEqual([]);
    expect(names.find('b c')).toEqual(['b/c']);
    expect(names.find('ax')).toEqual(['a/x']);
  });

  it.each<[string, readonly string[][]]>([
    ['create_issue', [['github/create_issue', 'gitlab/create_issue']]],
    ['please create issue', []],
    ['please "create issue"', [['github/create_issue', 'gitlab/create_issue']]],
    ['please `create issue`', [['github/create_issue', 'gitlab/create_issue']]],
    ["please 'create issue'", [['github/create_issue', 'gitlab/create_issue']]],
    ["don'create issue's", []],
    ['functions.create_issue now', [['github/create_issue', 'gitlab/create_issue']]],
    ['use github/create_issue now', [['github/create_issue']]],
    ['github.create_issue, create_issue', [['github/create_issue'], ['gitlab/create_issue']]],
    ['fetch', [['web/fetch']]],
    ['use fetch now', []],
    ['web:fetch it', [['web/fetch']]],
    ['x_fetch it', []],
    ['"fetch" create_issue', [['github/create_issue', 'gitlab/create_issue'], ['web/fetch']]],
    ['get_two put_one', [['a/get_two'], ['a/put_one']]],
    ['put_one get_two', [['a/put_one'], ['a/get_two']]],
    ['"put one" or get_two', [['a/put_one'], ['a/get_two']]],
    ['put_one or "get two"', [['a/put_one'], ['a/get_two']]],
    ['create or get with getTwo', [['a/get_two']]],
    ['a/b/c/d/e/f/g/h/i/j/put_one now', [['a/put_one']]],
    ['a/b/c/d/e/f/g/h/i/j/k/put_one now', []],
  ])('finds the names in %j', (text, groups) => {
    const tools = [makeTool('web', 'fetch'), makeTool('a', 'put_one'), makeTool('a', 'get_two')];
    expect(table(issue, other, ...tools).mentioned(text)).toEqual(groups);
  });
});

describe('the nearest names', () => {
  it.each([
    ['create_isue', ['create_issue', 'create_issues', 'x'], 5, ['create_issue', 'create_issues']],
    ['issue create', ['create_issue'], 5, ['create_issue']],
    ['ab', ['ab_dc', 'ab_cd', 'ab', 'ab'], 2, ['ab', 'ab_cd']],
    ['a', ['a', 'b'], 5, ['a']],
    ['?', ['a', ''], 5, []],
    ['xyz', ['create'], 5, []],
    ['', ['a'], 5, []],
  ])('of %s', (text, names, limit, nearest) => expect(nearestNames(text, names, limit)).toEqual(nearest));

  it('are those of the first 200 characters', () => {
    expect(nearestNames(`fetch${' '.repeat(195)}${'abcdefghijklmnopqrstuvwxyz'.repeat(4)}`, ['fetch'], 1)).toEqual([
      'fetch',
    ]);
  });

  it('share at least a third of their pairs of characters', () => {
    // Both have 13 pairs: " a" is the first common one.
    const [text, far, near] = ['abcdefghijkl', 'abcdmnopqrst', 'abcdemnopqrs'];
    expect(nearestNames(text, [far, near], 5)).toEqual([near]);
  });
});

describe('parseQuery', () => {
  const weights = (query: string) => parseQuery(query).words.map(({ word, weight }) => `${word} ${weight}`);
  it.each([
    ['get <user name> now', ['get 1', 'user 0.3', 'name 0.3', 'now 1']],
    ['see https://a.b/c?d e', ['see 1', 'http 0.3', 'a 0.3', 'b 0.3', 'c 0.3', 'd 0.3', 'e 1']],
    ['say "one two" three', ['say 1', 'one 0.3', 'two 0.3', 'three 1']],
    ["say 'one' it's 'two'", ['say 1', 'one 0.3', 'it 1', 's 1', 'two 0.3']],
    [
      'a/b and src/c-d/e_f, and/or',
      ['a 1', 'b 1', 'and 1', 'src 1', 'c 0.3', 'd 0.3', 'e 0.3', 'f 0.3', 'and 1', 'or 1'],
    ],
    ['issue 12 v2', ['issue 1', '12 0.3', 'v2 1']],
  ])('gives values less weight: %s', (query, words) => {
    expect(weights(query).map((word) => word.replace('https', 'http'))).toEqual(words);
  });

  it.each([
    ['+issue +open now', ['issue', 'open'], 'issue open now'],
    ['a +b,c', ['b'], 'a b,c'],
    ['a+b', [], 'a+b'],
    ['+1 +a', ['a'], '+1 a'],
  ])('reads the words that must be there: %s', (query, must, text) => {
    expect(parseQuery(query)).toMatchObject({ must, text });
    expect(parseQuery(query)).not.toHaveProperty('select');
  });

  it.each([
    ['select:a', ['a'], 'a'],
    ['select: "a", `b`\n\'c\',', ['a', 'b', 'c'], 'a b c'],
    ['select:', [], ''],
    ['  Select:a,a', ['a'], 'a a'],
  ])('reads names to select: %j', (query, select, text) => {
    expect(parseQuery(query)).toMatchObject({ select, text, must: [] });
  });

  it('selects nothing in the middle of a text', () => {
    expect(parseQuery('please select:a')).not.toHaveProperty('select');
  });
});

it('the longest text of a request has at most 1,000 characters', () => {
  expect(problemOfLength(['x'.repeat(1_000), ''])).toBeUndefined();
  expect(problemOfLength(['a', 'x'.repeat(1_234)])).toEqual({
    code: 'query_too_long',
    message: 'A query has 1,234 characters, more than 1,000. Name what the tool should do in a few words.',
  });
});
