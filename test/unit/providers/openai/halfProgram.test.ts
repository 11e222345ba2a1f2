import { expect, it } from 'vitest';
import { runTurn } from '../../../../src/core/turn/turn';
import { Capabilities } from '../../../../src/providers/capabilities';
import { createOpenaiPort } from '../../../../src/providers/openai/openaiPort';
import { makeRequest, makeTool, makeWorld, schema, TestRunner, TestSink } from '../../core/turn/world';
import { inProcess } from '../inProcess';

it('goes on with a program cut at its limit, after its calls', async () => {
  const { fetch, served } = inProcess(new Set(['halfprogram']));
  const access = { model: 'gpt-5.6-sol', name: 'GPT', apiKey: 'sk-test-half', baseUrl: 'https://gpt.test/v1' };
  const port = createOpenaiPort({ ...access, capabilities: new Capabilities(), fetch });
  const echo = makeTool('math', 'echo', 'Does echo', { inputSchema: schema({ x: { type: 'string' } }, ['x']) });
  const runner = new TestRunner();
  const settings = { allowedCallers: { 'math/*': 'both' as const } };
  const { status } = await runTurn(
    makeWorld([echo]),
    makeRequest(port, { prompt: 'code: echo x=a', runner, settings }),
    new TestSink(),
    new AbortController().signal,
  );
  expect(served.flatMap(({ error }) => error ?? [])).toEqual([]);
  expect([status, runner.ran.length]).toEqual(['answered', 1]);
});
