import { expect, it } from 'vitest';
import { messageOf } from '../../../../src/core/util/messageOf';
import { boundedResponse } from '../../../../src/core/util/responseBody';

const MEGABYTE = 2 ** 20;

/** Reads a body that comes in these pieces. Returns its length, or the error. */
async function read(type: string, pieces: readonly Uint8Array[]): Promise<number | string> {
  const waiting = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = waiting.shift();
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
  const response = new Response(body, { headers: { 'content-type': type } });
  let length = 0;
  try {
    for await (const piece of boundedResponse(response, () => new Error('too long')).body ?? []) length += piece.length;
  } catch (error) {
    return messageOf(error);
  }
  return length;
}

it('a body has 64 MB at most; so has a stream’s line', async () => {
  const half = new Uint8Array(32 * MEGABYTE);
  const ended = (rest: number) => {
    const piece = new Uint8Array(rest + 1);
    piece[0] = 10;
    return piece;
  };
  expect(await read('application/json', [half, half])).toBe(64 * MEGABYTE);
  expect(await read('application/json', [half, half, new Uint8Array(1)])).toBe('too long');
  expect(await read('application/json', [half, half, ended(0)])).toBe('too long');
  expect(await read('text/event-stream', [half, half, ended(0), half, half])).toBe(128 * MEGABYTE + 1);
  expect(await read('text/event-stream', [ended(1), half, half])).toBe('too long');
});
