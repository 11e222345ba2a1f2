import { expect, it } from 'vitest';
import { makeTool, makeWorld, playTurn, schema, TestRunner } from '../core/turn/world';
import { portOf } from './ports';
import { type Event, streamed } from './wires';

const ECHO = makeTool('math', 'echo', 'Does echo', { inputSchema: schema({ x: { type: 'string' } }, ['x']) });

/** A reply that calls the tool directly, though its definition allows only code: the services don't prevent that. */
const CLAUDE: readonly Event[] = [
  { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 1, output_tokens: 1 } } },
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'math_echo', input: { x: 'a' } },
  },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
];
const CALL = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'math_echo',
  arguments: '{"x":"a"}',
  status: 'completed',
};
const GPT: readonly Event[] = [
  { type: 'response.output_item.done', output_index: 0, item: CALL },
  { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [CALL] } },
];

it.each([
  ['claude-sonnet-4-6', CLAUDE, '"allowed_callers":["code_execution_20260120"]'],
  ['gpt-5.6-sol', GPT, '"allowed_callers":["programmatic"]'],
] as const)('%s can’t call a tool directly that is left to its code', async (model, direct, allowed) => {
  const bodies: string[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    bodies.push(String(init?.body));
    return bodies.length === 1 ? streamed(direct) : new Response('{}', { status: 400 });
  };
  const port = portOf(model, { fetch: fetch as never });
  const { countTokens: _, countDefinitions: __, countRequest: ___, countToolPrompt: ____, ...silent } = port;
  const runner = new TestRunner();
  const world = makeWorld([ECHO]);
  await playTurn(
    world,
    { ...silent, info: port.info, countTokens: async () => 1 },
    { runner, settings: { mode: 'off', delivery: 'auto', allowedCallers: { 'math/*': 'code' } } },
  );
  expect(bodies[0]).toContain(allowed);
  expect(bodies[1]).toContain('math_echo can only be called from the code that you run (toolsearch.allowedCallers)');
  expect(runner.ran).toEqual([]);
  expect(world.ledger.events.flatMap((event) => (event.type === 'called' ? [event.outcome] : []))).toEqual(['refused']);
});
