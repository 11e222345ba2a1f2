import { expect, it } from 'vitest';
import { readReply } from '../../../../src/providers/openai/stream';
import { makeTool, makeWorld, playTurn, schema, TestRunner } from '../../core/turn/world';
import { inProcess } from '../inProcess';
import { portOf } from '../ports';

it('goes on with a program cut at its limit, after its calls', async () => {
  const { fetch, served } = inProcess(new Set(['halfprogram']));
  const port = portOf('gpt-5.6-sol', { fetch });
  const echo = makeTool('math', 'echo', 'Does echo', { inputSchema: schema({ x: { type: 'string' } }, ['x']) });
  const runner = new TestRunner();
  const settings = { allowedCallers: { 'math/*': 'both' as const } };
  const { status } = await playTurn(makeWorld([echo]), port, { prompt: 'code: echo x=a', runner, settings });
  expect(served.flatMap(({ error }) => error ?? [])).toEqual([]);
  expect([status, runner.ran.length]).toEqual(['answered', 1]);
});

const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
const half = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_2',
  name: 'math_echo',
  arguments: '{"x',
  status: 'incomplete',
  caller: { type: 'program', caller_id: 'call_1' },
};

const whole = { ...half, arguments: '{"x":"a"}', status: 'completed' };
const ended = { type: 'program_output', id: 'cmo_1', call_id: 'call_1', status: 'completed', result: 'out' };

it.each([
  ['end if the text after it is cut', thought, [ended]],
  ['end if its next call is cut', half, [ended]],
  ['call if it goes on with one', whole, []],
])('keeps a program’s %s', async (_, item, said) => {
  const response = { id: 'r1', status: 'incomplete', output: [], incomplete_details: { reason: 'max_output_tokens' } };
  async function* events() {
    yield { type: 'response.output_item.done', output_index: 0, item };
    yield { type: 'response.incomplete', response };
  }
  const access = { model: 'gpt-5.6-sol', name: 'GPT', apiKey: 'sk-test-half', baseUrl: 'https://gpt.test/v1' };
  const kept: unknown[] = [];
  for await (const event of readReply(events() as never, access, new AbortController().signal, said))
    if (event.type === 'opaque') kept.push(event.block.value);
  expect(kept).toEqual([item === whole ? [whole] : said]);
});
