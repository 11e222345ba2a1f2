import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS, type StandIn, startStandIn } from '../../standin/server.mjs';
import { pieces } from '../../standin/sse.mjs';
import { anyText } from '../anyText';

const OWN = join(import.meta.dirname, '../../fixtures/wire');
const FOLDER = join(import.meta.dirname, '../../../../shared/wire/recordings');
const files = existsSync(FOLDER) ? readdirSync(FOLDER) : [];

describe('The stand-in', () => {
  let standIn: StandIn;
  beforeAll(async () => {
    standIn = await startStandIn();
  });
  afterAll(() => standIn.close());

  /** Sends all requests of recordings to the stand-in, which must take each. */
  async function acceptsAll(folder: string, files: readonly string[]): Promise<void> {
    for (const file of files) {
      const { interactions } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      // Thinking is signed: the stand-in takes its own alone.
      const asked = interactions.filter(({ request }: { request: object }) => !JSON.stringify(request).includes('"signature"'));
      expect(asked.length).toBeGreaterThan(0);
      for (const { request } of asked) {
        const reply = await fetch(standIn.url + new URL(request.url).pathname, {
          method: request.method,
          body: JSON.stringify(request.body),
          headers: file.startsWith('anthropic')
            ? { 'x-api-key': KEYS.anthropic, 'anthropic-version': '2023-06-01' }
            : { authorization: `Bearer ${KEYS.openai}` },
        });
        expect({ file, status: reply.status, text: reply.ok ? '' : await reply.text() }).toEqual({ file, status: 200, text: '' });
        await reply.body?.cancel();
      }
    }
  }

  it('accepts every request of our own recordings', () => acceptsAll(OWN, readdirSync(OWN)));

  it.skipIf(files.length === 0)('accepts every request that the real services accepted', () => acceptsAll(FOLDER, files));

  it('cuts a stream within UTF-8 sequences and loses nothing', () => {
    fc.assert(
      fc.property(anyText(2_000), (text) => {
        expect(Buffer.concat([...pieces(Buffer.from(text))]).toString()).toBe(Buffer.from(text).toString());
      }),
      { numRuns: 30 },
    );
    const borders = [...pieces(Buffer.from('naïve'))].map((piece) => piece.at(-1) ?? 0);
    expect(borders.some((byte) => byte > 0x7f)).toBe(true);
  });
});
