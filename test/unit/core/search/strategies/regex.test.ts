import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../../../src/core/search/strategies/regex';
import { ToolIndex } from '../../../../../src/core/search/toolIndex';
import { makeTool } from '../makeTool';

const index = new ToolIndex([
  makeTool('github', 'create_issue', 'Create a new issue'),
  makeTool('github', 'list_issues', 'List issues', { state: 'open or closed' }),
  makeTool('files', 'read_file', 'Read a file'),
]);
const find = (query: string) => {
  const outcome = index.search({ query, strategy: 'regex', limit: 5 });
  return outcome.ok ? outcome.hits.map((hit) => hit.tool.name) : outcome.error.code;
};

describe('the regex strategy', () => {
  it('searches every field, in any case, names first', () => {
    expect(find('CREATE.*issue')).toEqual(['create_issue']);
    expect(find('^list_')).toEqual(['list_issues']);
    expect(find('closed$')).toEqual(['list_issues']);
    expect(find('(?i)(?P<verb>read|list)')).toEqual(['list_issues', 'read_file']);
    expect(find('^read_file\\Z')).toEqual(['read_file']);
  });

  it('matches the names that models see', () => {
    expect(find('github_.*')).toEqual(['create_issue', 'list_issues']);
    expect(find('^github_create_issue$|files_read_file')).toEqual(['create_issue', 'read_file']);
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
    const compiled = compilePattern(pattern);
    expect(compiled).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(message) } });
  });

  it('takes escaped signs and classes for what they are', () => {
    for (const pattern of ['\\(\\?=', '[(?=]', '\\\\']) expect(compilePattern(pattern).ok).toBe(true);
  });

  it('says what to write instead of a phrase that finds nothing', () => {
    expect(index.search({ query: 'create an issue', strategy: 'regex', limit: 5 })).toMatchObject({
      hits: [],
      hint: expect.stringContaining('"create.*an.*issue"'),
    });
    const without = ['nosuchthing', 'Create a new'].map((query) =>
      index.search({ query, strategy: 'regex', limit: 5 }),
    );
    for (const outcome of without) expect(outcome).not.toHaveProperty('hint');
  });

  it('answers a pattern that hangs a backtracking engine', () => {
    const slow = new ToolIndex([makeTool('x', 'y', 'a'.repeat(5_000))]);
    const outcome = slow.search({ query: '(a+)+$b', strategy: 'regex', limit: 5 });
    expect(outcome).toMatchObject({ ok: true, hits: [] });
    expect(outcome.ms).toBeLessThan(1_500);
  });
});
