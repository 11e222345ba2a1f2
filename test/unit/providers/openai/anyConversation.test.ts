import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OpaqueBlock } from '../../../../src/core/conversation/transcript';
import { ownDefinitions } from '../../../../src/core/planning/ownTools';
import type { DeliveryName } from '../../../../src/core/ports';
import { buildRequest } from '../../../../src/providers/openai/request';
import { refuse } from '../../../standin/openaiRules.mjs';
import { anyTranscript, TODAY } from '../../core/conversation/anyTranscript';
import { SETTINGS } from '../../core/turn/world';
import { holds } from '../../property';
import { request } from './definitions';

const searched = (output: object) => ({
  ...{ id: 'tso_1', call_id: null, execution: 'server', status: 'completed' },
  ...output,
});
const fn = (name: string) => ({
  type: 'function',
  name,
  description: '',
  parameters: { type: 'object', properties: {} },
  strict: false,
  defer_loading: true,
});
const items = [
  { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
  {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'hi', annotations: [] }],
  },
];
const anyOpaque = fc.array(
  fc.oneof(
    fc.record({
      wire: fc.constant('openai' as const),
      model: fc.constantFrom('gpt-5.4', 'gpt-5.5'),
      value: fc.constantFrom(
        items,
        [
          searched({ type: 'tool_search_call', id: 'tsc_1', arguments: { paths: ['math'] } }),
          searched({
            type: 'tool_search_output',
            tools: [{ type: 'namespace', name: 'math', description: 'x', tools: [fn('math_sum'), fn('gone_tool')] }],
          }),
          ...items,
        ],
        [searched({ type: 'tool_search_output', tools: [fn('math_sum')] }), ...items],
      ),
    }),
    fc.constant<OpaqueBlock>({ wire: 'anthropic', value: [{ type: 'thinking', thinking: 'x', signature: 'y' }] }),
  ),
  { maxLength: 2 },
);

it.each<DeliveryName>(['server', 'client', 'local', 'bridge'])(
  'Any conversation makes a request that the service takes, with delivery %s',
  (delivery) => {
    const native = delivery === 'server' || delivery === 'client';
    holds([anyTranscript(anyOpaque as never), fc.boolean()], { numRuns: 200 }, (transcript, eager) => {
      const deferred = [TODAY.sum, TODAY.read, ...(eager ? [] : [TODAY.echo])];
      const body = buildRequest(
        request({
          transcript: [{ kind: 'user', text: 'start' }, ...transcript],
          delivery,
          deferred: native ? deferred : [],
          tools: [
            ...ownDefinitions(delivery, SETTINGS),
            ...(eager ? [TODAY.echo] : []),
            ...(native ? [] : [TODAY.sum]),
          ],
        }),
        { model: 'gpt-5.4', features: { encryptsReasoning: true } },
      );
      expect(refuse(body)).toBeUndefined();
    });
  },
);
