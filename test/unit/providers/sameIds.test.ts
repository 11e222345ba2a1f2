import { describe, expect, it } from 'vitest';
import { refuse as refuseAnthropic } from '../../standin/anthropicRules.mjs';
import { refuse as refuseOpenai } from '../../standin/openaiRules.mjs';
import { makeTool, makeWorld, ok, playTurn, schema, TestRunner, TestSink } from '../core/turn/world';
import { ANTHROPIC, type Event, OPENAI, streamed, type Wire } from './wires';

const PAY = makeTool('bank', 'pay', 'Pays', { inputSchema: schema({ to: { type: 'string' } }, ['to']) });
const payTo = (to: string, id: string) => ({ id, name: PAY.modelName, input: { to } });

/** Plays a turn whose first reply has these events. Returns what ran, was said, and was sent after the reply. */
async function play(wire: Wire, events: readonly Event[]) {
  const bodies: string[] = [];
  const refused: unknown[] = [];
  const port = wire.create(async (input, init) => {
    if (wire.isCount(String(input))) return wire.count(50);
    const body = JSON.parse(String(init?.body));
    bodies.push(String(init?.body));
    refused.push(wire === ANTHROPIC ? refuseAnthropic(body) : refuseOpenai(body)?.message);
    return streamed(bodies.length === 1 ? events : wire.reply('Done.'));
  });
  const runner = new TestRunner((_, { to }) => ok(`paid ${to}`));
  const sink = new TestSink();
  const { status } = await playTurn(makeWorld([PAY]), port, { runner, sink });
  expect([status, refused]).toEqual(['answered', [undefined, undefined]]);
  return { ran: runner.ran.map(({ input }) => input), warnings: sink.warnings, next: bodies[1] ?? '' };
}

describe.each([ANTHROPIC, OPENAI])('a reply of $name with two calls of one id', (wire) => {
  it('runs only the first, says so, and goes on without the other', async () => {
    const { ran, warnings, next } = await play(
      wire,
      wire.calls([payTo('me', 'x_1'), payTo('you', 'x_1'), payTo('her', 'x_2')]),
    );
    expect(ran).toEqual([{ to: 'me' }, { to: 'her' }]);
    expect(warnings).toEqual(['The model gave two of its calls the same id. Only the first of them runs.']);
    expect(next.match(/paid \w+/g)).toEqual(['paid me', 'paid her']);
    expect(next.match(/"x_1"/g)).toHaveLength(2);
    expect(next).not.toContain('you');
  });

  it('runs equal calls once, without a word', async () => {
    const { ran, warnings } = await play(wire, wire.calls([payTo('me', 'x_1'), payTo('me', 'x_1')]));
    expect([ran, warnings]).toEqual([[{ to: 'me' }], []]);
  });

  it.each(['x_1', 'x_2'])('runs only what a reply has that began again, id %s', async (id) => {
    const given = wire
      .calls([payTo('you', 'x_1')])
      .filter(({ type }) => !/^message_(delta|stop)$|completed$/.test(type));
    const { ran, warnings, next } = await play(wire, [...given, ...wire.calls([payTo('me', id)])]);
    expect([ran, warnings]).toEqual([[{ to: 'me' }], []]);
    expect(next).not.toContain('you');
  });
});
