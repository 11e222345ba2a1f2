import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../../src/core/catalog/tool';
import { chooseStrategy } from '../../../../../src/core/search/strategies/auto';
import { compilePattern } from '../../../../../src/core/search/strategies/regex';
import { StrategyRegistry } from '../../../../../src/core/search/strategies/registry';
import { ToolIndex } from '../../../../../src/core/search/toolIndex';
import type { SearchRequest } from '../../../../../src/core/search/types';
import { makeTool } from '../makeTool';

const TOOLS = [
  makeTool('files', 'write_file', 'Writes text to a file'),
  makeTool('files', 'read_file', 'Reads a file'),
  makeTool('web', 'read_file', 'Reads a file of a site'),
  makeTool('mail', 'send', 'Sends text'),
];

function search(query: string, strategy: string, request: Partial<SearchRequest> = {}, tools: readonly Tool[] = TOOLS) {
  const outcome = new ToolIndex(tools).search({ query, strategy, limit: 9, ...request });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome;
}

const shown = (outcome: ReturnType<typeof search>) =>
  outcome.hits.map(({ tool, score, matchType, terms }) => [tool.id, score, matchType, terms.join(' ')]);

const ids = (...asked: Parameters<typeof search>) => search(...asked).hits.map(({ tool }) => tool.id);

it.each([
  ['signs', 'regex', ['read.*', 'read.+', '\\w', '\\bread', '[a-z]', 'a|b', '(?i)a', '^read', 'read$']],
  ['signs among few words', 'regex', [' one two three a.* ']],
  ['signs among many words', 'bm25', ['one two three four a.*']],
  ['signs in a text of 200 characters', 'regex', [`${'a'.repeat(198)}.*`]],
  ['signs in a longer text', 'bm25', [`${'a'.repeat(199)}.*`]],
  ['what no engine takes', 'bm25', ['(a.*', '(?=a).*']],
  ['signs of a text', 'bm25', ['costs 5$', 'a | b', 'read a file']],
])('auto reads %s as %s', (_, strategy, queries) => {
  const why = expect.stringMatching(/^The query .+\.$/);
  expect(queries.map(chooseStrategy)).toEqual(queries.map(() => ({ strategy, why })));
});

it('auto ranks the words of a pattern that matches no tool', () => {
  const outcome = search('\\bsend\\w+.*texts', 'auto');
  expect(outcome).toMatchObject({ strategy: 'bm25', why: expect.stringContaining('matches no tool') });
  expect(shown(outcome).map(([id, , , words]) => [id, words])[0]).toEqual(['mail/send', 'send texts']);
  expect(search('\\w{9}[q-z]z', 'auto').hits).toEqual([]);
});

describe('keywords', () => {
  it('puts named tools first, then those with most words', () => {
    const outcome = search('text of a site with `read_file`', 'keywords');
    expect(shown(outcome)).toEqual([
      ['files/read_file', 2, 'exact_name', 'read file'],
      ['web/read_file', 3, 'exact_name', 'site read file'],
      ['files/write_file', 2, 'keywords', 'text file'],
      ['mail/send', 1, 'keywords', 'text'],
    ]);
    expect(outcome.matched).toBe(4);
  });

  it('shows a named tool without words of the query', () => {
    const tools = [makeTool('a', 'get_x9', 'Does something'), ...TOOLS];
    const found = shown(search('`mail/send` the text', 'keywords', {}, tools));
    expect(found).toContainEqual(['files/write_file', 1, 'keywords', 'text']);
    const renamed = [{ ...makeTool('a', 'b', 'Does something'), modelName: 'zzz_yyy' }, ...TOOLS];
    expect(shown(search('zzz_yyy', 'keywords', {}, renamed))).toEqual([['a/b', 0, 'exact_name', '']]);
  });

  it('keeps to tools that have the words that must be there', () => {
    expect(ids('+text file', 'keywords')).toEqual(['files/write_file', 'mail/send']);
    expect(ids('file', 'keywords', { server: 'web' })).toEqual(['web/read_file']);
  });
});

describe('exact and select', () => {
  it('find tools of one name in order of their ids', () => {
    expect(ids('read file', 'exact')).toEqual(['files/read_file', 'web/read_file']);
    expect(ids('select:read_file,send,read_file', 'bm25')).toEqual(['files/read_file', 'web/read_file', 'mail/send']);
    expect(shown(search('send', 'exact'))).toEqual([['mail/send', 1, 'exact', '']]);
    expect(shown(search('select:send', 'keywords'))).toEqual([['mail/send', 1, 'select', '']]);
  });

  it('find only tools that may be found', () => {
    const request = { server: 'web' };
    expect(ids('read file', 'exact', request)).toEqual(['web/read_file']);
    expect(ids('select:read_file,send', 'bm25', request)).toEqual(['web/read_file']);
    expect(search('select:read_file,send', 'bm25', request)).toMatchObject({ matched: 1, missing: ['send'] });
  });
});

describe('regex', () => {
  const examples = [{ description: 'Halves it', tags: ['downsizing'], args: { target: 'blue' } }];
  const properties = { size: { type: 'integer', enum: ['small'], description: 'Gross height' } };
  const tool = {
    ...makeTool('acme', 'resize', 'Changes the cluster'),
    title: 'Scaler',
    examples,
    inputSchema: { type: 'object', properties },
  } as Tool;
  it.each([
    [4, ['^resi', 'acme/res']],
    [3, ['^acme$', 'scaler']],
    [2, ['cluster$']],
    [1, ['^size$', 'gross', '^small$', 'halves', 'downsizing', '^blue$']],
  ])('scores %d for %j', (score, queries) => {
    const tools = [makeTool('other', 'other', 'Other'), tool];
    for (const query of queries)
      expect(shown(search(query, 'regex', {}, tools)), query).toEqual([['acme/resize', score, 'regex', '']]);
  });

  it('puts better fields first, then names in order', () => {
    const tools = [makeTool('c', 'file_b'), makeTool('a', 'x', 'A file'), makeTool('b', 'file_a')];
    expect(ids('file', 'regex', {}, tools)).toEqual(['b/file_a', 'c/file_b', 'a/x']);
  });

  it('shows which hit the pattern names', () => {
    expect(shown(search('send', 'regex'))).toEqual([['mail/send', 4, 'exact_name', '']]);
  });

  it('matches the names that models see, in the form of any engine', () => {
    const names = (query: string) => search(query, 'regex').hits.map(({ tool }) => tool.modelName);
    expect(names('^FILES_.*')).toEqual(['files_read_file', 'files_write_file']);
    expect(names('(?i)(?P<verb>SEND|^web_read)')).toEqual(['web_read_file', 'mail_send']);
    expect(names('^send\\Z')).toEqual(['mail_send']);
  });

  it('says what to write instead of a phrase that finds nothing', () => {
    expect(search(' nothing ', 'regex')).not.toHaveProperty('hint');
    expect(search('. nothing', 'regex').hint).toBeUndefined();
    expect(search('no thing', 'regex').hint).toContain('"no.*thing"');
    expect(search('no thing', 'regex').hint).toContain('"no|thing" for any');
    expect(search('reads a file', 'regex')).not.toHaveProperty('hint');
  });

  it.each([
    ['(?=a)b', 'unsupported_pattern', 'Look-ahead'],
    ['(?<!a)b', 'unsupported_pattern', 'Look-ahead and look-behind'],
    ['(a)\\1', 'unsupported_pattern', 'Back-references'],
    ['(?P<n>a)(?P=n)', 'unsupported_pattern', 'Back-references'],
    ['a++', 'unsupported_pattern', 'possessive'],
    ['(', 'invalid_pattern', 'not a valid regular expression'],
    ['[a', 'invalid_pattern', 'missing closing'],
    ['a'.repeat(201), 'pattern_too_long', '200'],
  ])('refuses %s with words that help', (pattern, code, message) => {
    expect(compilePattern(pattern)).toEqual({ code, message: expect.stringContaining(message) });
  });

  it('takes escaped signs and classes for what they are', () => {
    for (const pattern of ['\\(\\?=', '[(?=]', '\\\\']) expect(compilePattern(pattern)).toBeTypeOf('function');
  });

  it('answers a pattern that hangs a backtracking engine', () => {
    const outcome = search('(a+)+$b', 'regex', {}, [makeTool('x', 'y', 'a'.repeat(5_000))]);
    expect(outcome.hits).toEqual([]);
    expect(outcome.ms).toBeLessThan(1_500);
  });
});

describe('bm25', () => {
  it('ends five hits below the limit', () => {
    const many = Array.from({ length: 60 }, (_, i) => makeTool('a', `thing_${i}`, 'Sorts apples'));
    const outcome = search('apples', 'bm25', { limit: 2 }, many);
    expect([outcome.hits.length, outcome.below.length, outcome.matched]).toEqual([2, 5, 60]);
    const all = search('apples', 'bm25', { limit: 100 }, many);
    expect([all.hits.length, all.below.length]).toEqual([60, 0]);
    for (const limit of [0, Number.NaN, -3]) expect(search('apples', 'bm25', { limit }, many).hits).toHaveLength(1);
    expect(search('apples', 'bm25', { limit: 2.9 }, many).hits).toHaveLength(2);
  });

  it('gives a named tool the best score on top of its own', () => {
    const { hits } = search('write text to `send`', 'bm25', { explain: true });
    const best = Math.max(...hits.slice(1).map(({ score }) => score));
    expect(hits[0]).toMatchObject({ tool: { name: 'send' }, matchType: 'exact_name', terms: ['text', 'send'] });
    expect(hits[0]?.parts?.named).toBeGreaterThanOrEqual(best);
    expect(hits[1]?.parts?.named).toBe(0);
  });

  it('counts a named tool that has no word of the query', () => {
    const renamed = [{ ...makeTool('a', 'b', 'Does something'), modelName: 'zzz_yyy' }, ...TOOLS];
    const outcome = search('zzz_yyy text', 'bm25', {}, renamed);
    expect(outcome.hits[0]).toMatchObject({ tool: { id: 'a/b' }, matchType: 'exact_name', terms: [] });
    expect(outcome.matched).toBe(3);
  });

  it('explains only if it is asked to', () => {
    expect(search('text', 'bm25').hits[0]).not.toHaveProperty('parts');
    expect(search('text', 'bm25').hits[0]).not.toHaveProperty('weak');
  });

  it('keeps to tools with every +word, in any form', () => {
    expect(ids('+sites file', 'bm25')).toEqual(['web/read_file']);
    for (const query of ['+writing file', '+text +write file', '+write_file text'])
      expect(ids(query, 'bm25'), query).toEqual(['files/write_file']);
    expect(ids('+nothing file', 'bm25')).toEqual([]);
  });
});

describe('the registry', () => {
  const none = () => [];
  it('refuses names that are empty, taken or its own', () => {
    const registry = new StrategyRegistry();
    for (const name of ['', '  ']) expect(() => registry.register(name, none)).toThrow('needs a name');
    for (const name of ['auto', 'regex', 'exact'])
      expect(() => registry.register(name, none)).toThrow(`There is already a search strategy named "${name}".`);
  });

  it('lists names in order and removes only the one meant', () => {
    const registry = new StrategyRegistry();
    let changes = 0;
    const stop = registry.onDidChange(() => changes++);
    const removeB = registry.register('b', none);
    registry.register('a', none);
    expect(() => registry.register('a', none)).toThrow('There is already');
    expect([registry.names(), registry.get('b'), registry.get('c')]).toEqual([['a', 'b'], none, undefined]);
    removeB();
    removeB();
    const other = () => ['x'];
    registry.register('b', other);
    removeB();
    expect([registry.get('b'), changes]).toEqual([other, 4]);
    stop();
    registry.register('c', none);
    expect(changes).toBe(4);
  });
});
