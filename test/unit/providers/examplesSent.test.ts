import { expect, it } from 'vitest';
import type { Settings } from '../../../src/core/settings/settings';
import { call, filler, makeTool, makeWorld, playTurn, schema, TestModel, text } from '../core/turn/world';
import { inProcess } from './inProcess';
import { portOf } from './ports';

const SUM = makeTool('math', 'get-sum', 'Returns the sum of two numbers', {
  modelName: 'math_get_sum',
  inputSchema: schema({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
  examples: [{ args: { a: 2, b: 40 }, description: 'The answer' }],
});
const TOOLS = [SUM, ...filler('other', 40)];

/** Asks for a sum, and returns the request after the search as it was sent. */
async function sent(wire: 'anthropic' | 'openai', delivery: Settings['delivery']): Promise<string> {
  const { fetch, served } = inProcess();
  const port = portOf(wire === 'anthropic' ? 'claude-sonnet-4-6' : 'gpt-5.6-sol', { fetch });
  const outcome = await playTurn(makeWorld(TOOLS), port, {
    prompt: 'get-sum a=1 b=1',
    settings: { delivery, mode: 'on' },
  });
  expect(outcome).toMatchObject({ status: 'answered' });
  expect(served.flatMap(({ error }) => error ?? [])).toEqual([]);
  return JSON.stringify(served.at(-1)?.body);
}

it.each(['server', 'client', 'local'] as const)('Claude reads examples and words, delivery %s', async (delivery) => {
  const body = await sent('anthropic', delivery);
  expect(body).toContain('"input_examples":[{"a":2,"b":40}]');
  expect(body).toContain('Example 1: The answer');
});

it.each(['server', 'client', 'local'] as const)('GPT reads examples in descriptions, delivery %s', async (delivery) => {
  expect(await sent('openai', delivery)).toContain(JSON.stringify('Example (The answer): {"a":2,"b":40}').slice(1, -1));
});

it.each(['anthropic', 'openai'] as const)('an answer over %s’s bridge has an example’s line', async (wire) => {
  const line = 'e.g. math_get_sum({"a":2,"b":40}) // The answer';
  expect(await sent(wire, 'bridge')).toContain(JSON.stringify(line).slice(1, -1));
});

it('a model of VS Code reads examples by describe_tool', async () => {
  const model = new TestModel([[call('describe_tool', { names: ['math_get_sum'] })], [text('done')]]);
  await playTurn(makeWorld(TOOLS), model, { settings: { delivery: 'bridge', mode: 'on' } });
  const example = 'Example (The answer): {\\"a\\":2,\\"b\\":40}';
  expect(model.requests[1]?.transcript.at(-1)).toMatchObject({
    results: [{ parts: [{ text: expect.stringContaining(example) }] }],
  });
});
