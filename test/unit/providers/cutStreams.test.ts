import { MessageStream } from '@anthropic-ai/sdk/lib/MessageStream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsAsync, share } from '../property';
import { inPieces } from './inPieces';
import { read, SHARED_STREAMS, type Streamed, WIRES } from './recordedStreams';

const END = /event: (message_stop|response\.(completed|incomplete))/;
/** Number of bytes at the end of a stream that are tested one by one. */
const TAIL = 1_500;
const STREAM = { headers: { 'content-type': 'text/event-stream' } };

describe.each(WIRES)('a streamed reply of %s', (_, wire, replies) => {
  it('reads the same however it is cut into pieces', async () => {
    const all = replies.map(({ body }) => body).join();
    expect(Buffer.byteLength(all)).toBeGreaterThan(all.length);
    for (const reply of replies) {
      const whole = await read(wire, reply, () => inPieces(reply.body, [reply.body.length * 4]));
      expect(whole).toMatchObject({
        failure: undefined,
        events: expect.arrayContaining([expect.objectContaining({ type: 'opaque' })]),
      });
      expect(await read(wire, reply, () => inPieces(reply.body, [1]))).toEqual(whole);
      await holdsAsync(
        [fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 })],
        { numRuns: 10 },
        async (sizes) => {
          expect(await read(wire, reply, () => inPieces(reply.body, sizes))).toEqual(whole);
        },
      );
    }
  });

  it('fails with a reason at each place if it ends too early', async () => {
    for (const reply of replies) {
      const whole = await read(wire, reply, () => inPieces(reply.body, [64]));
      const end = reply.body.search(END);
      await holdsAsync([fc.integer({ min: 0, max: end })], { numRuns: 40 }, async (length) => {
        const cut = await read(wire, reply, () => inPieces(reply.body.slice(0, length), [64]));
        expect(cut.failure).toMatch(/ended before the answer was complete/);
        expect(whole.text.startsWith(cut.text)).toBe(true);
        const said = cut.events.filter(({ type }) => type !== 'usage' && type !== 'opaque');
        for (const event of said) expect(whole.events).toContainEqual(event);
      });
    }
  });

  // Cuts at every byte of the part in which calls end and at every tenth before it, or at a tenth of these places.
  it('fails with a reason if it ends within the shortest reply', async () => {
    const [reply] = [...replies].sort((a, b) => a.body.length - b.body.length);
    if (!reply) throw new Error('There is no recording.');
    const whole = await read(wire, reply, () => inPieces(reply.body, [4_096]));
    const end = reply.body.search(END);
    const bytes = Buffer.from(reply.body.slice(0, end));
    for (let length = 0; length < bytes.length; length += (length < bytes.length - TAIL ? 10 : 1) * (10 / share(10))) {
      const cut = await read(wire, reply, () => new Response(bytes.subarray(0, length), STREAM));
      expect(cut.failure).toMatch(/ended before the answer was complete/);
      const calls = cut.events.filter(({ type }) => type === 'call');
      for (const call of calls) expect(whole.events).toContainEqual(call);
    }
  });

  it('reads or refuses corrupted bytes in words', async () => {
    for (const reply of replies) {
      const bytes = Buffer.from(reply.body);
      await holdsAsync(
        [fc.integer({ min: 0, max: bytes.length - 1 }), fc.integer({ min: 0, max: 255 })],
        { numRuns: 100 },
        async (at, byte) => {
          const damaged = Buffer.from(bytes);
          damaged[at] = byte;
          const { failure = '' } = await read(wire, reply, () => new Response(damaged, STREAM));
          expect(failure).not.toMatch(/TypeError|SyntaxError|RangeError|undefined|\[object/);
        },
      );
    }
  });
});

/** The blocks or items of a stream: put together by Anthropic's own client, or as OpenAI ends each. */
async function written({ body }: Streamed): Promise<readonly object[]> {
  const events = [...body.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
  if (events.at(-1).response)
    return events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : []));
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  return (await MessageStream.fromReadableStream(new Response(lines).body as never).finalMessage()).content;
}

async function expectKept(wire: (typeof WIRES)[number][1], reply: Streamed): Promise<void> {
  const { events, failure } = await read(wire, reply, () => inPieces(reply.body, [7, 100]));
  expect(failure).toBeUndefined();
  const [kept] = events.flatMap((event) => (event.type === 'opaque' ? [event.block.value] : []));
  expect(kept).toEqual(await written(reply));
}

it('A recorded reply is kept whole, as its service wrote it', async () => {
  for (const [, wire, replies] of WIRES) for (const reply of replies) await expectKept(wire, reply);
});

it.skipIf(SHARED_STREAMS.length === 0)('A recorded reply of the real services is kept whole', async () => {
  const [[, claude], [, gpt]] = WIRES as [(typeof WIRES)[number], (typeof WIRES)[number]];
  for (const reply of SHARED_STREAMS) await expectKept(reply.body.startsWith('event: response') ? gpt : claude, reply);
});
