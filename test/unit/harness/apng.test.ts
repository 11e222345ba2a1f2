import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { joinFrames, readFrames } from '../../vscode/harness/apng.mjs';

/** A grey picture, one pixel a row. */
function png(rows: readonly number[]): Buffer {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, rows.length, 8, 0, 0, 0, 0]);
  const pixels = deflateSync(Buffer.from(rows.flatMap((grey) => [0, grey])));
  const chunk = (type: string, data: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const words = Buffer.alloc(8);
    words.writeUInt32BE(data.length, 0);
    words.writeUInt32BE(crc32(typed), 4);
    return Buffer.concat([words.subarray(0, 4), typed, words.subarray(4)]);
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('a moving picture', () => {
  it('holds each picture’s pixels, and how long it is shown', () => {
    const made = joinFrames([
      { png: png([1, 2]), ms: 400 },
      { png: png([3, 4]), ms: 1_500 },
    ]);
    expect(readFrames(made)).toEqual([
      { ms: 400, pixels: Buffer.from([0, 1, 0, 2]) },
      { ms: 1_500, pixels: Buffer.from([0, 3, 0, 4]) },
    ]);
  });

  it('numbers each frame and piece without a gap, for decoders', () => {
    const made = joinFrames([
      { png: png([1]), ms: 1 },
      { png: png([2]), ms: 1 },
      { png: png([3]), ms: 1 },
    ]);
    const numbers = [...made.toString('latin1').matchAll(/fcTL|fdAT/g)].map(({ index }) =>
      made.readUInt32BE(index + 4),
    );
    expect(numbers).toEqual([0, 1, 2, 3, 4]);
  });

  it('is refused if one picture is larger than another', () => {
    expect(() =>
      joinFrames([
        { png: png([1]), ms: 1 },
        { png: png([1, 2]), ms: 1 },
      ]),
    ).toThrow('differ in size');
  });
});
