import { crc32, inflateSync } from 'node:zlib';

/**
 * Joins PNG pictures into a moving one (APNG, https://www.w3.org/TR/png-3/#apng-frame-based-animation). The compressed
 * data of each picture is copied without decoding. All pictures must have the same size and format, as screenshots of
 * one page have.
 * @param {readonly {png: Buffer, ms: number}[]} frames each with the milliseconds for which it is shown
 */
export function joinFrames(frames) {
  const parts = frames.map(({ png }) => readChunks(png));
  const [first] = parts;
  if (!first) throw new Error('A moving picture needs at least one frame.');
  const header = dataOf(first, 'IHDR')[0];
  if (parts.some((chunks) => !dataOf(chunks, 'IHDR')[0].equals(header)))
    throw new Error('The frames differ in size or form.');
  let sequence = 0;
  const body = parts.flatMap((chunks, index) => {
    const control = frameControl(sequence++, header, frames[index].ms);
    const data = dataOf(chunks, 'IDAT').map((piece) =>
      index === 0 ? chunk('IDAT', piece) : chunk('fdAT', Buffer.concat([uint32(sequence++), piece])),
    );
    return [control, ...data];
  });
  const plays = 0; // for ever
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('acTL', Buffer.concat([uint32(frames.length), uint32(plays)])),
    ...body,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The chunk that shows a frame for `ms` over the whole picture, replacing the frame before. */
function frameControl(sequence, header, ms) {
  const delay = Buffer.alloc(4);
  delay.writeUInt16BE(ms, 0);
  delay.writeUInt16BE(1_000, 2);
  const noOffset = Buffer.alloc(8);
  return chunk('fcTL', Buffer.concat([uint32(sequence), header.subarray(0, 8), noOffset, delay, Buffer.from([0, 0])]));
}

function chunk(type, data) {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), typed, uint32(crc32(typed))]);
}

function uint32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

function readChunks(png) {
  const chunks = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

const dataOf = (chunks, type) => chunks.filter((each) => each.type === type).map(({ data }) => data);

/** The frames of a moving picture, each as its pixels' bytes and the milliseconds for which it is shown. */
export function readFrames(apng) {
  const frames = [];
  for (const { type, data } of readChunks(apng)) {
    if (type === 'fcTL') frames.push({ ms: (data.readUInt16BE(20) / data.readUInt16BE(22)) * 1_000, pieces: [] });
    if (type === 'IDAT') frames[0]?.pieces.push(data);
    if (type === 'fdAT') frames.at(-1).pieces.push(data.subarray(4));
  }
  return frames.map(({ ms, pieces }) => ({ ms, pixels: inflateSync(Buffer.concat(pieces)) }));
}
