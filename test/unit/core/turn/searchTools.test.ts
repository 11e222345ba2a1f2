import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCallInput, parseDescribeInput, parseSearchInput } from '../../../../src/core/turn/searchTools';
import { SETTINGS } from './world';

describe('the input of search_tools', () => {
  it.each([
    [{ queries: ['a'] }, { queries: ['a'], limit: 5 }],
    [{ queries: 'a' }, { queries: ['a'], limit: 5 }],
    [{ query: 'a' }, { queries: ['a'], limit: 5 }],
    ['{"queries":["a"]}', { queries: ['a'], limit: 5 }],
    [
      { queries: ['a'], limit: '3' },
      { queries: ['a'], limit: 3 },
    ],
    [
      { queries: ['a'], limit: 999 },
      { queries: ['a'], limit: 20 },
    ],
    [
      { queries: ['a'], search_type: 'regex', server: 'github' },
      { queries: ['a'], strategy: 'regex', server: 'github', limit: 5 },
    ],
    [
      { queries: ['a'], read_only: true },
      { queries: ['a'], readOnly: true, limit: 5 },
    ],
    [
      { queries: ['a'], read_only: false },
      { queries: ['a'], limit: 5 },
    ],
  ])('%j is read as %j', (input, value) => {
    expect(parseSearchInput(input, SETTINGS)).toEqual({ ok: true, value });
  });

  it.each([
    [undefined, /takes an object/],
    [[], /takes an object/],
    [{}, /needs "queries"/],
    [{ queries: [' '] }, /needs "queries"/],
    [{ queries: ['1', '2', '3', '4', '5', '6'] }, /at most 5 queries, not 6/],
    [{ queries: ['a'], search_type: 'semantic' }, /bm25, regex or exact, not "semantic"/],
    [{ queries: ['a'], limit: 0 }, /from 1 to 20/],
  ])('%j is refused with what to send instead', (input, message) => {
    expect(parseSearchInput(input, SETTINGS)).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });

  it('never throws, whatever a model sends', () => {
    fc.assert(
      fc.property(fc.anything(), (input) => {
        for (const parsed of [parseSearchInput(input, SETTINGS), parseDescribeInput(input), parseCallInput(input)])
          if (!parsed.ok) expect(parsed.message).not.toBe('');
      }),
    );
  });
});

describe('the input of describe_tool', () => {
  it.each([
    [{ names: ['a', '', 1, 'b'] }, ['a', 'b']],
    [{ names: 'a' }, ['a']],
    [{ name: 'a' }, ['a']],
    [{ names: Array.from({ length: 11 }, () => 'a') }, Array.from({ length: 10 }, () => 'a')],
  ])('%j is read as %j', (input, value) => {
    expect(parseDescribeInput(input)).toEqual({ ok: true, value });
  });

  it.each([{}, { names: [] }, { names: [''] }])('%j is refused with what to send instead', (input) => {
    expect(parseDescribeInput(input)).toMatchObject({ ok: false, message: expect.stringContaining('needs "names"') });
  });
});
