import { expect, it } from 'vitest';
import { boundedResponse } from '../../../../src/core/util/boundedResponse';
import { messageOf } from '../../../../src/core/util/messageOf';

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

const half = new Uint8Array(32 * MEGABYTE);
const text = (written: string) => new TextEncoder().encode(written);

it('a body has 64 MB at most', async () => {
  expect(await read('application/json', [half, half])).toBe(64 * MEGABYTE);
  expect(await read('application/json', [half, half, new Uint8Array(1)])).toBe('too long');
  expect(await read('application/json', [half, half, text('\n\n')])).toBe('too long');
});

it.each([['\n\n'], ['\r\n\r\n'], ['\n', '\n'], ['\r\n', '\r', '\n'], ['\n\r', '\n']])(
  'an event of a stream ends with a blank line: %j',
  async (...ends) => {
    const read = await readStream([half, text('\n'), half.subarray(10), ...ends.map(text), half, half]);
    expect(read).toBe(128 * MEGABYTE - 9 + ends.join('').length);
    expect(await readStream([...ends.map(text), half, text('x'), half])).toBe('too long');
  },
);

it('lines of a stream are one event before a blank line', async () => {
  expect(await readStream([half, text('\n'), half, text('\r\n'), text('data: x\n')])).toBe('too long');
});

const readStream = (pieces: readonly Uint8Array[]) => read('text/event-stream', pieces);
