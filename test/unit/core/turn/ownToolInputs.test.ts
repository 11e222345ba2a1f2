import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerDescribe,
  parseCallInput,
  parseDescribeInput,
  parseSearchInput,
} from '../../../../src/core/turn/ownToolInputs';
import { holds } from '../../property';
import { makeTool } from './world';

describe('the input of search_tools', () => {
  it.each([
    [{ queries: ['a'] }, { queries: ['a'] }],
    [{ queries: 'a' }, { queries: ['a'] }],
    [{ query: 'a' }, { queries: ['a'] }],
    ['{"queries":["a"]}', { queries: ['a'] }],
    [{ queries: '["a", "b"]' }, { queries: ['a', 'b'] }],
    [{ queries: '[a-z]' }, { queries: ['[a-z]'] }],
    [{ queries: [['a'], 'b'] }, { queries: ['a', 'b'] }],
    [{ queries: ['a'], limit: 999 }, { queries: ['a'] }],
    [
      { queries: ['a'], search_type: 'regex', server: 'github' },
      { queries: ['a'], strategy: 'regex', server: 'github' },
    ],
    [
      { queries: ['a'], read_only: true },
      { queries: ['a'], readOnly: true },
    ],
    [{ queries: ['a'], read_only: false }, { queries: ['a'] }],
    [
      { queries: ['a'], read_only: 'true', server: ' ', search_type: null },
      { queries: ['a'], readOnly: true },
    ],
    [
      { queries: [1, 'a', ''], search_type: 'exact' },
      { queries: ['a'], strategy: 'exact' },
    ],
    [
      { queries: [...'123456789abc'], search_type: 'bm25' },
      { queries: [...'123456789a'], left: ['b', 'c'], strategy: 'bm25' },
    ],
  ])('%j is read as %j', (input, value) => expect(parseSearchInput(input)).toEqual({ ok: true, value }));

  it.each([
    [undefined, /takes an object/],
    [[], /takes an object/],
    [{}, /needs "queries"/],
    [{ queries: [' '] }, /needs "queries"/],
    [{ queries: ['a'], search_type: 'semantic' }, /bm25, regex or exact, not "semantic"/],
  ])('%j is refused with what to send instead', (input, message) => {
    expect(parseSearchInput(input)).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });

  it('never throws, whatever a model sends', () => {
    holds([fc.anything()], (input) => {
      for (const parsed of [parseSearchInput(input), parseDescribeInput(input), parseCallInput(input)])
        if (!parsed.ok) expect(parsed.message).not.toBe('');
    });
  });
});

it.each([
  [{ names: ['a', '', 1, 'b'] }, ['a', 'b']],
  [{ names: 'a' }, ['a']],
  [{ name: 'a' }, ['a']],
  [{ names: Array.from({ length: 11 }, () => 'a') }, Array.from({ length: 10 }, () => 'a')],
])('the input of describe_tool %j is read as %j', (input, value) =>
  expect(parseDescribeInput(input)).toEqual({ ok: true, value }),
);

it.each([{}, { names: [] }, { names: [''] }])(
  'the input of describe_tool %j is refused with what to send instead',
  (input) => {
    expect(parseDescribeInput(input)).toMatchObject({ ok: false, message: expect.stringContaining('needs "names"') });
  },
);

describe('the input of call_tool', () => {
  it.each([
    [{ name: 'a', arguments: { b: 1 } }, { b: 1 }],
    [{ name: 'a', args: { b: 1 } }, { b: 1 }],
    [{ name: 'a', arguments: '{"b":1}' }, '{"b":1}'],
    ['{"name":"a"}', {}],
    [{ tool: 'a', arguments: { b: 1 } }, { b: 1 }],
  ])('%j is read with the arguments %j', (input, args) => {
    expect(parseCallInput(input)).toEqual({ ok: true, value: { name: 'a', args, beside: {} } });
  });

  it.each([{}, { name: '' }, { name: 1 }, 'a', undefined])('%j is refused with what to send instead', (input) => {
    expect(parseCallInput(input, 'own_')).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^own_call_tool needs "name" \(a tool that own_search_tools returned/),
    });
  });

  it('has a bounded name', () => {
    const parsed = parseCallInput({ name: 'x'.repeat(5_000) });
    expect(parsed.ok && parsed.value.name.length).toBeLessThanOrEqual(1_001);
  });
});

it('a description has the known tools, and names the unknown ones', () => {
  const tool = { name: 'math_sum', server: 'math', description: 'Adds.', input_schema: { type: 'object' } };
  const SUM = makeTool('math', 'sum', 'Adds.', { inputSchema: { type: 'object' } });
  expect(answerDescribe([SUM], [])).toEqual({ tools: [tool] });
  expect(answerDescribe([], ['a', 'b'], 'own_')).toEqual({
    tools: [],
    unknown: ['a', 'b'],
    message: 'Unknown names: a, b. own_search_tools finds tools.',
  });
});
