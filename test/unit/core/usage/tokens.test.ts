import { expect, it } from 'vitest';
import type { Json } from '../../../../src/core/catalog/tool';
import type { ToolCall, Transcript } from '../../../../src/core/conversation/transcript';
import { splitTranscript } from '../../../../src/core/usage/accounting';
import { definitionOf, descriptionWithExamples, subtractTokens, sumTokens } from '../../../../src/core/usage/tokens';
import { twinTranscript } from '../../../../src/core/usage/twin';
import { estimated, measured } from '../../../data/entries';
import { result, results, said, user } from '../../../data/items';
import { makeTool } from '../turn/world';

it('sums of tokens are measured only if every part is', () => {
  expect(sumTokens([measured(1), measured(2)])).toEqual(measured(3));
  expect(sumTokens([measured(1), estimated(2)])).toEqual(estimated(3));
  expect(subtractTokens(measured(1), estimated(2))).toEqual(estimated(-1));
});

it.each([
  [
    'an object schema even if the server sent none',
    { inputSchema: {} },
    { inputSchema: { type: 'object', properties: {} } },
  ],
  ['its name, not an empty description', {}, { description: 'b' }],
  ['its title, not an empty description', { title: 'B!' }, { description: 'B!' }],
])('a tool’s definition has %s', (_, tool, shown) => {
  expect(definitionOf(makeTool('a', 'b', '', tool)).definition).toMatchObject(shown);
});

it('a tool’s definition carries the user’s examples', () => {
  const tool = makeTool('a', 'b', 'Does b', { examples: [{ args: { x: 1 }, description: 'one' }] });
  expect(descriptionWithExamples(definitionOf(tool).definition)).toBe('Does b\nExample (one): {"x":1}');
});

it('a request’s price keeps searches apart from what any system would send', () => {
  const { history, searches } = splitTranscript([
    user('question'),
    said('let me see', [
      { callId: '1', name: 'search_tools', input: { queries: ['q'] } },
      { callId: '2', name: 'github_get', input: { n: 1 } },
    ]),
    results(result('1', 'hits'), result('2', { parts: [{ type: 'omitted', mimeType: 'image/png', bytes: 9 }] })),
  ]);
  expect(searches).toBe('search_tools {"queries":["q"]}\nhits');
  expect(history).toBe('question\nlet me see\ngithub_get {"n":1}\n[image/png, 9 bytes, not shown]');
});

it('our notes count as searching, not as history', () => {
  const [history, searches] = ['Hi.', 'Tools have changed.'] as const;
  expect(splitTranscript([user(history), user(searches, { note: true })])).toEqual({ history, searches });
});

it('found definitions and joined tools count as searching', () => {
  const tool = { id: 'a/x', server: 'a', name: 'a_x', description: 'Does x', inputSchema: {} } as const;
  const search = { callId: 's', queries: ['x'], found: ['a/x'], definitions: [tool] };
  const transcript = [
    { kind: 'assistant', text: '', calls: [], searches: [search] },
    { kind: 'user', text: 'Hi.', joined: [{ ...tool, name: 'a_y' }] },
  ] as unknown as Transcript;
  expect(splitTranscript(transcript).searches).toMatch(/Does x[\s\S]*tool_addition.*a_y/);
  expect(splitTranscript(transcript, [tool]).searches).not.toContain('Does x');
});

it('the twin calls tools directly, without searches, also in the wire’s blocks', () => {
  const replyWith = (theirs: readonly Json[], ...calls: readonly ToolCall[]) => {
    const blocks = calls.map(({ callId: id, name, input }) => ({ type: 'tool_use', id, name, input: input as Json }));
    return said('', calls, { opaque: [{ wire: 'anthropic', value: [...theirs, ...blocks] }] });
  };
  const searched: readonly Json[] = [
    { type: 'server_tool_use', id: 'p', name: 'tool_search_tool_bm25', input: {} },
    { type: 'tool_search_tool_result', tool_use_id: 'p', content: {} },
  ];
  const search = { callId: 's', name: 'search_tools', input: { queries: ['sum'] } };
  const wrapped = { callId: 'c', name: 'call_tool', input: { name: 'math_get-sum', arguments: { a: 1 } } };
  expect(twinTranscript([replyWith(searched, search, wrapped), results(result('s'), result('c'))])).toEqual([
    replyWith([], { callId: 'c', name: 'math_get-sum', input: { a: 1 } }),
    results(result('c')),
  ]);
});
