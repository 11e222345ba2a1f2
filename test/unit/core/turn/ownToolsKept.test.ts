import { describe, expect, it } from 'vitest';
import { runTurn } from '../../../../src/core/turn/turn';
import { call, filler, makeRequest, makeTool, makeWorld, TestModel, TestSink, text } from './world';

// A conversation that only grows keeps our own tools in its beginning, even when nothing is deferred any more.

const ECHO = makeTool('math', 'echo', 'Returns a text');
const never = new AbortController().signal;

/** Begins a conversation with delivery `bridge`, then has the model call one of our tools in a turn without search. */
async function callLater(name: string, input: object) {
  const world = makeWorld([ECHO, ...filler('other', 40)]);
  const turn = async (model: TestModel, mode: 'on' | 'off', history: Parameters<typeof makeRequest>[1]) =>
    runTurn(world, makeRequest(model, { ...history, settings: { delivery: 'bridge', mode } }), new TestSink(), never);
  const info = { addsTools: true };
  const begun = await turn(new TestModel([[text('hello')]], { info }), 'on', {});
  const model = new TestModel([[call(name, input)], [text('done')]], { info });
  await turn(model, 'off', { history: begun.items });
  const [first, second] = model.requests;
  expect(first?.tools.map(({ name }) => name)).toContain(name);
  const last = second?.transcript.at(-1);
  return last?.kind === 'results' ? last.results[0] : undefined;
}

describe('our own tools in a request without deferred tools', () => {
  it('say that a search isn’t needed', async () => {
    expect(await callLater('search_tools', { queries: ['echo'] })).toMatchObject({
      outcome: 'ok',
      parts: [{ type: 'text', text: 'All tools are in your list now. Call them without a search.' }],
    });
  });

  it('call the tool that they name', async () => {
    expect(await callLater('call_tool', { name: 'math_echo', arguments: {} })).toMatchObject({ outcome: 'ok' });
  });

  it('describe the tool that they name', async () => {
    const result = await callLater('describe_tool', { names: ['math_echo'] });
    expect(JSON.stringify(result)).toContain('Returns a text');
  });
});
