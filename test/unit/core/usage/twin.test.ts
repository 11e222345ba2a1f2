import { expect, it } from 'vitest';
import type { Json } from '../../../../src/core/catalog/tool';
import { twinTranscript } from '../../../../src/core/usage/twin';

it('calls a tool of call_tool directly, also in the wire’s blocks', () => {
  const through = (name: string, input: { readonly [key: string]: Json }) => ({
    kind: 'assistant' as const,
    text: '',
    calls: [{ callId: 'c', name, input }],
    opaque: [{ wire: 'anthropic' as const, value: [{ type: 'tool_use', id: 'c', name, input }] }],
  });
  const wrapped = through('call_tool', { name: 'math_get-sum', arguments: { a: 1 } });
  expect(twinTranscript([wrapped])).toEqual([through('math_get-sum', { a: 1 })]);
});
