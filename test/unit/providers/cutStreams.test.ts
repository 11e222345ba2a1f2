import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../src/core/ports';
import { anthropicReplay } from '../../replay/anthropicReplay';
import { openaiReplay } from '../../replay/openaiReplay';
import { type Body, readRecording } from '../../replay/recording';
import { readResponses } from '../../replay/responses';
import type { ReplayWire } from '../../replay/wire';
import { inPieces } from './inPieces';

const FIXTURES = join(import.meta.dirname, '../../fixtures');

interface Streamed {
  readonly asked: Body;
  readonly body: string;
}

const recorded = (file: string): Streamed[] =>
  readRecording(join(FIXTURES, 'wire', file)).flatMap(({ request, response }) =>
    typeof response.body === 'string' ? [{ asked: request.body, body: response.body }] : [],
  );
const code = (): Streamed[] =>
  (readResponses(join(FIXTURES, 'responses/anthropicCode.chunks.txt'))?.responses ?? []).map(({ body }) => ({
    asked: {
      model: 'claude-sonnet-4-6',
      tools: [{ name: 'roll', allowed_callers: ['code_execution_20260120'], input_schema: {} }],
    },
    body: String(body),
  }));
/** A search of the service, calls, thinking, code, words in several scripts. */
const WIRES: readonly [string, ReplayWire, readonly Streamed[]][] = [
  ['Claude', anthropicReplay, [...recorded('anthropic.json'), ...code()]],
  ['GPT', openaiReplay, recorded('openai.json')],
];

/** What the adapter makes of a stream: all words in one, and how it failed. */
async function read(wire: ReplayWire, { asked }: Streamed, response: () => Response) {
  const port = wire.createPort(String(asked.model), async () => response());
  const events: ModelEvent[] = [];
  let text = '';
  let failure: string | undefined;
  try {
    const request = { ...wire.scene(asked), transcript: [{ kind: 'user' as const, text: 'Go on.' }] };
    for await (const event of port.send(request, new AbortController().signal)) {
      if (event.type === 'text') text += event.text;
      else events.push(event);
    }
  } catch (error) {
    failure = String(error);
  }
  return { events, text, failure };
}

describe.each(WIRES)('a streamed reply of %s', (_, wire, replies) => {
  it('reads the same wherever it is cut into pieces, within characters and within JSON, each byte for itself too', async () => {
    const all = replies.map(({ body }) => body).join();
    expect(Buffer.byteLength(all)).toBeGreaterThan(all.length);
    for (const reply of replies) {
      const whole = await read(wire, reply, () => inPieces(reply.body, [reply.body.length * 4]));
      expect(whole).toMatchObject({
        failure: undefined,
        events: expect.arrayContaining([expect.objectContaining({ type: 'opaque' })]),
      });
      expect(await read(wire, reply, () => inPieces(reply.body, [1]))).toEqual(whole);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }), async (sizes) => {
          expect(await read(wire, reply, () => inPieces(reply.body, sizes))).toEqual(whole);
        }),
        { numRuns: 5 },
      );
    }
  });

  it('says so wherever it ends too early, and never makes a call, a search or code of half of one', async () => {
    for (const reply of replies) {
      const whole = await read(wire, reply, () => inPieces(reply.body, [64]));
      const end = reply.body.search(/event: (message_stop|response\.(completed|incomplete))/);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: end }), async (length) => {
          const cut = await read(wire, reply, () => inPieces(reply.body.slice(0, length), [64]));
          expect(cut.failure).toMatch(/ended before its answer did/);
          expect(whole.text.startsWith(cut.text)).toBe(true);
          const said = cut.events.filter(({ type }) => type !== 'usage' && type !== 'opaque');
          for (const event of said) expect(whole.events).toContainEqual(event);
        }),
        { numRuns: 10 },
      );
    }
  });
});
