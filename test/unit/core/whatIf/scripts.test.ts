import { expect, it } from 'vitest';
import { whatIf } from '../../../../src/core/whatIf/whatIf';
import { useSandbox } from '../../sandbox/builtSandbox';
import type { Step } from '../usage/twinConversations';
import { type ChatCourse, inputsFor, playChat } from './tableOf';

const made = useSandbox();

const ask = (prompt: string): Step => ({ kind: 'ask', prompt, model: 0, eager: false, stop: false });
const script = (a: number) =>
  ask(`run: return [await tools.math_get_sum.text({ a: ${a}, b: 2 }), await tools.talk_echo.text({ message: "x" })];`);

it.each(['claude', 'gpt'] as const)('a row is true for turns with scripts on %s', async (wire) => {
  const course: ChatCourse = {
    wire,
    delivery: 'bridge',
    sandbox: made.sandbox,
    steps: [script(1), ask('get-sum a=1 b=2 n=1'), script(3), ask('echo message="hello" n=2')],
  };
  const { events, reported } = await playChat(course);
  const inputs = inputsFor(events, { mode: 'on', delivery: 'bridge', codeMode: 'on' }, { scripts: true });
  const { rows, leftOut } = await whatIf(inputs, new AbortController().signal);
  expect(leftOut).toEqual([]);
  expect(rows[1]).toMatchObject({ requests: reported.requests, tokens: reported.tokens });
  for (const [id, settings] of [
    ['delivery local', { delivery: 'local' }],
    ['delivery client', { delivery: 'client' }],
    ['allEager', { mode: 'off' }],
  ] as const) {
    const real = await playChat({ ...course, settings });
    const row = rows.find((each) => each.id === id);
    expect(row?.requests, id).toBe(real.reported.requests);
    const off = Math.abs((row?.tokens ?? 0) - real.reported.tokens);
    expect(off, `${id}: ${row?.tokens}, really ${real.reported.tokens}`).toBeLessThan(0.1 * real.reported.tokens);
  }
});
