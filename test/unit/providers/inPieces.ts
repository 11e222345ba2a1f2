/** A stream that arrives in pieces of the given sizes in bytes, over and over. */
export function inPieces(text: string, sizes: readonly number[]): Response {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  let piece = 0;
  const stream = new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const size = sizes[piece++ % sizes.length] ?? 1;
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}
