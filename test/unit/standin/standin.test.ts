import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS, type StandIn, startStandIn } from '../../standin/server.mjs';

const OWN = join(import.meta.dirname, '../../fixtures/wire');
const SHARED = ['recordings', 'handoff', 'code/recordings'].map((folder) =>
  join(import.meta.dirname, '../../../../shared/wire', folder),
);
const recordings = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => join(folder, file));
const shared = SHARED.flatMap((folder) => (existsSync(folder) ? recordings(folder) : []));

/**
 * Requests that the stand-in can't answer: those with signed thinking, since it only accepts its own, those for models
 * that it lacks, and those that the adapters never send.
 */
const OUTSIDE =
  /"signature"|"claude-opus-4-8"|"gpt-5\.6"|"container_upload"|"tool_addition"|"additional_tools"|"role":"system"|\/v1\/files/;

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: object;
}

describe('The stand-in', () => {
  let standIn: StandIn;
  beforeAll(async () => {
    standIn = await startStandIn();
  });
  afterAll(() => standIn.close());

  /** Sends all requests of recordings to the stand-in, which must accept each. */
  async function acceptsAll(files: readonly string[]): Promise<void> {
    for (const file of files) {
      const { interactions } = JSON.parse(readFileSync(file, 'utf8')) as {
        interactions: readonly { request: Asked }[];
      };
      for (const { request } of interactions.filter(
        (interaction) => !OUTSIDE.test(JSON.stringify(interaction.request)),
      )) {
        const { pathname } = new URL(request.url);
        const reply = await fetch(standIn.url + pathname, {
          method: request.method,
          body: JSON.stringify(request.body),
          headers: pathname.startsWith('/v1/messages')
            ? { 'x-api-key': KEYS.anthropic, 'anthropic-version': '2023-06-01' }
            : { authorization: `Bearer ${KEYS.openai}` },
        });
        const text = reply.ok ? '' : await reply.text();
        expect({ file, status: reply.status, text }).toEqual({ file, status: 200, text: '' });
        await reply.body?.cancel();
      }
    }
  }

  it('accepts every request of our own recordings', () => acceptsAll(recordings(OWN)));

  it.skipIf(shared.length === 0)('accepts every request that the real services accepted', () => acceptsAll(shared));
});
