/**
 * Returns the response with a new body: the pieces that `next` returns, until it returns undefined. If `next` throws,
 * reading the body fails and the connection is closed.
 * @param read makes `next` from the original body's reader; a response without a body is returned unchanged
 */
export function withBody(
  response: Response,
  read: (body: ReadableStreamDefaultReader<Uint8Array>) => () => Promise<Uint8Array | undefined>,
): Response {
  if (!response.body) return response;
  const reader = response.body.getReader();
  const next = read(reader);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const piece = await next();
        if (piece) controller.enqueue(piece);
        else controller.close();
      } catch (error) {
        reader.cancel().catch(() => {});
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/** The maximum length of a message, in bytes. An endless message would fill the memory. */
const MAX_MESSAGE = 64 * 2 ** 20;
const LINE_END = 10;

/**
 * Returns the response with a body that fails if a message is too long after decompression. A message is one line of an
 * event stream, or the whole body of any other response.
 * @param tooLong makes the error
 */
export function boundedResponse(response: Response, tooLong: () => Error): Response {
  const isStream = response.headers.get('content-type')?.includes('text/event-stream');
  let length = 0;
  return withBody(response, (body) => async () => {
    const { value } = await body.read();
    if (!value) return undefined;
    const lineEnd = isStream ? value.lastIndexOf(LINE_END) : -1;
    length = lineEnd < 0 ? length + value.length : value.length - 1 - lineEnd;
    if (length > MAX_MESSAGE) throw tooLong();
    return value;
  });
}
