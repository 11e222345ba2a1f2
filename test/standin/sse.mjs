/**
 * Sends a stream of server-sent events in pieces, as a network delivers them. Borders fall inside events, inside JSON
 * and inside UTF-8 sequences. `cut` ends the connection after that many events, in the middle of the next one; `stall`
 * stays silent there until the client leaves.
 */
export async function sendEvents(response, events, { cut, stall } = {}) {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  const stop = cut ?? stall;
  const texts = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const sent = stop === undefined ? texts.join('') : texts.slice(0, stop).join('') + (texts[stop] ?? '').slice(0, 40);
  for (const piece of pieces(Buffer.from(sent))) {
    if (response.destroyed) return;
    response.write(piece);
    // One piece a tick, as otherwise the kernel would join them.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (stall !== undefined) return;
  if (cut !== undefined) response.destroy();
  else response.end();
}

/**
 * Cuts at lengths that look random but are the same each time, and within each sequence of bytes over 127. A long
 * stream comes in longer pieces, as over a network: a tick for each hundred bytes would take most of a test's time.
 */
function* pieces(buffer) {
  const longest = Math.max(211, Math.ceil(buffer.length / 16));
  let state = 12_345;
  let start = 0;
  while (start < buffer.length) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const end = Math.min(buffer.length, start + 1 + (state % longest));
    const inside = buffer.subarray(start, end).findIndex((byte) => byte >= 0xc0);
    const border = inside >= 0 && start + inside + 1 < buffer.length ? start + inside + 1 : end;
    yield buffer.subarray(start, border);
    start = border;
  }
}

/** Cuts a text into deltas of a few characters, never inside a character. */
export function deltas(text, length = 7) {
  const points = [...text];
  const parts = [];
  for (let start = 0; start < points.length; start += length) parts.push(points.slice(start, start + length).join(''));
  return parts;
}
