import { describe, expect, it } from 'vitest';
import { refuse as refuseClaude } from '../../standin/anthropicRules.mjs';
import { refuse as refuseGpt } from '../../standin/openaiRules.mjs';
import { chanceOf } from '../providers/attack/chance';
import { MODELS } from '../providers/attack/models';

type Body = { readonly [key: string]: unknown };
/** What is wrong, the changed fields, the words of the stand-in, and whether the double knows the rule too. */
type Wrong = readonly [what: string, change: Body, words: string, knows?: 'both'];

const NUMBERS = { type: 'object', properties: { a: { type: 'number' } } };
const user = (content: unknown) => ({ role: 'user', content });
const said = (...content: unknown[]) => ({ role: 'assistant', content });

/** The double written from the documentation alone refuses a request; undefined if it doesn't. */
function refusedByDouble(model: string, body: Body): string | undefined {
  const answer = MODELS[model]?.(chanceOf(1))(body, []) ?? { refused: 'no model' };
  return 'refused' in answer ? answer.refused : undefined;
}

describe('A wrong request to Claude', () => {
  const SUM = { name: 'sum', description: 'Adds', input_schema: NUMBERS };
  const BM25 = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' };
  const deferred = { ...SUM, defer_loading: true };
  const valid = { model: 'claude-sonnet-4-6', max_tokens: 500, messages: [user('hi')], tools: [BM25, deferred] };
  const searched = { type: 'server_tool_use', id: 'srvtoolu_1', name: BM25.name, input: { query: 'x' } };
  const found = (tool_name: string) => ({
    type: 'tool_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: { type: 'tool_search_tool_search_result', tool_references: [{ type: 'tool_reference', tool_name }] },
  });
  const call = { type: 'tool_use', id: 'toolu_1', name: 'sum', input: {} };
  const answers = (content: unknown) => user([{ type: 'tool_result', tool_use_id: 'toolu_1', content }]);
  const marked = { cache_control: { type: 'ephemeral' } };
  const marks = [1, 2, 3, 4, 5].map((text) => ({ type: 'text', text: `${text}`, ...marked }));

  it.each<Wrong>([
    ['only deferred tools', { tools: [deferred] }, 'At least one tool must have defer_loading=false', 'both'],
    ['a deferred tool with a breakpoint', { tools: [BM25, { ...deferred, ...marked }] }, 'prompt caching', 'both'],
    ['a deferred search', { tools: [{ ...BM25, defer_loading: true }, SUM] }, 'cannot have defer_loading', 'both'],
    ['two tools of one name', { tools: [SUM, SUM] }, 'must be unique', 'both'],
    ['a name with a space', { tools: [{ ...SUM, name: 'a b' }] }, 'should match pattern'],
    ['a schema of a text', { tools: [{ ...SUM, input_schema: { type: 'string' } }] }, 'input_schema.type'],
    ['a schema of alternatives', { tools: [{ ...SUM, input_schema: { ...NUMBERS, anyOf: [] } }] }, 'does not support'],
    ['an unknown field', { tools: [{ ...SUM, server: 'x' }] }, 'Extra inputs are not permitted'],
    ['a demand without its tool', { tool_choice: { type: 'tool', name: 'gone' } }, 'not found', 'both'],
    ['an unknown block', { messages: [user([{ type: 'novel' }])] }, 'does not match any of the expected tags'],
    ['an empty text', { messages: [user([{ type: 'text', text: '' }])] }, 'non-', 'both'],
    ['a call without result', { messages: [user('x'), said(call), user('y')] }, '`tool_result` blocks', 'both'],
    [
      'a result without call',
      { messages: [user('x'), said(searched), answers('y')] },
      'unexpected `tool_use_id`',
      'both',
    ],
    ['an empty list as result', { messages: [user('x'), said(call), answers([])] }, 'at least 1 item', 'both'],
    [
      'a found tool that is gone',
      { messages: [user('x'), said(searched, found('gone')), user('y')] },
      "Tool reference 'gone' not found",
      'both',
    ],
    ['five breakpoints', { system: marks }, 'maximum of 4', 'both'],
  ])('is refused: %s', (_, change, words, knows) => {
    const body = { ...valid, ...(change as object) };
    expect(refuseClaude(body)).toContain(words);
    if (knows === 'both') expect(refusedByDouble('claude-sonnet-4-6', body)).toEqual(expect.any(String));
  });

  it('is refused as its model or its endpoint wants', () => {
    expect(refuseClaude(valid)).toBeUndefined();
    expect(refusedByDouble('claude-sonnet-4-6', valid)).toBeUndefined();
    expect(refuseClaude(valid, { searching: false })).toContain('does not support');
    expect(refuseClaude(valid, { counting: true })).toContain('Server tools are not supported');
    expect(refuseClaude({ ...valid, tools: [SUM] }, { rejected: ['sum'] })).toContain('JSON schema is invalid');
    const thinking = said({ type: 'thinking', thinking: 'Hm', signature: 'no' }, call);
    const changed = { ...valid, messages: [user('x'), thinking, answers('y')] };
    expect(refuseClaude(changed, { signed: () => false })).toContain('Invalid `signature`');
  });
});

describe('A wrong request to GPT', () => {
  const SUM = { type: 'function', name: 'sum', description: 'Adds', parameters: NUMBERS, strict: false };
  const SEARCH = { type: 'tool_search' };
  const CLIENT = { ...SEARCH, execution: 'client', description: 'Finds', parameters: NUMBERS };
  const MATH = { type: 'namespace', name: 'math', description: 'Adds', tools: [{ ...SUM, defer_loading: true }] };
  const valid = { model: 'gpt-5.4', store: false, input: [user('hi')], tools: [SEARCH, MATH] };
  const call = { type: 'function_call', call_id: 'call_1', name: 'sum', arguments: '{}', namespace: 'math' };
  const output = { type: 'function_call_output', call_id: 'call_1', output: '42' };
  const choice = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'gone' }] };
  const thought = { type: 'reasoning', id: 'rs_1', summary: [] };
  const search = { type: 'tool_search_call', call_id: 'call_2', execution: 'client', arguments: {} };

  it.each<Wrong>([
    ['deferred tools without search', { tools: [MATH] }, 'Deferred tools require tools.tool_search', 'both'],
    ['a search of ours without words', { tools: [{ ...CLIENT, description: '' }, MATH] }, 'empty string'],
    ['a name with a space', { tools: [{ ...SUM, name: 'a b' }] }, 'does not match pattern'],
    ['a name of 65 letters', { tools: [{ ...SUM, name: 'x'.repeat(65) }] }, 'maximum length 64'],
    ['two tools of one name', { tools: [SUM, SUM] }, 'Duplicate tool name', 'both'],
    [
      '129 tools',
      { tools: Array.from({ length: 129 }, (_, at) => ({ ...SUM, name: `s${at}` })) },
      'length 128',
      'both',
    ],
    ['a strict schema that isn’t', { tools: [{ ...SUM, strict: true }] }, "'additionalProperties' is required"],
    ['a schema of a text', { tools: [{ ...SUM, parameters: { type: 'string' } }] }, 'Invalid schema for function'],
    ['a namespace without words', { tools: [SEARCH, { ...MATH, description: '' }] }, 'tools[1].description', 'both'],
    ['an unknown field', { tools: [{ ...SUM, server: 'x' }] }, "Unknown parameter: 'tools[0].server'"],
    ['a call without output', { input: [user('x'), call] }, 'No tool output found for function call call_1', 'both'],
    ['an output without call', { input: [user('x'), output] }, 'No tool call found', 'both'],
    [
      'a call without its namespace',
      { input: [user('x'), { ...call, namespace: undefined }, output] },
      "Missing namespace for function_call 'sum'",
      'both',
    ],
    ['a search without result', { tools: [CLIENT, MATH], input: [search] }, 'No tool search output found', 'both'],
    ['thinking that can’t be read', { input: [user('x'), thought, call, output] }, 'not persisted', 'both'],
    ['a demand without its tool', { tool_choice: choice }, "named 'gone' not found", 'both'],
    ['an unknown choice of cache', { prompt_cache_options: { mode: 'often' } }, 'Supported values are', 'both'],
  ])('is refused: %s', (_, change, words, knows) => {
    const body = { ...valid, ...(change as object) };
    expect(refuseGpt(body)?.message).toContain(words);
    if (knows === 'both') expect(refusedByDouble('gpt-5.4', body)).toEqual(expect.any(String));
  });

  it('is refused as its model wants', () => {
    expect(refuseGpt(valid)).toBeUndefined();
    expect(refusedByDouble('gpt-5.4', valid)).toBeUndefined();
    expect(refuseGpt(valid, { searching: false })?.message).toContain('not supported with gpt-5.4');
    expect(refusedByDouble('gpt-4.1', valid)).toContain('not supported with gpt-4.1');
    expect(refuseGpt({ ...valid, tools: [SUM] }, { rejected: ['sum'] })?.message).toContain('Invalid schema');
  });
});
