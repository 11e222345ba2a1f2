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
const [LF, CR] = [10, 13];

/**
 * Returns the response with a body that fails if a message is too long after decompression. A message is one event of
 * an event stream, which a blank line ends, or the whole body of any other response.
 * @param tooLong makes the error
 */
export function boundedResponse(response: Response, tooLong: () => Error): Response {
  const isStream = response.headers.get('content-type')?.includes('text/event-stream');
  let length = 0;
  let before: readonly number[] = [];
  return withBody(response, (body) => async () => {
    const { value } = await body.read();
    if (!value) return undefined;
    const end = isStream ? lastBlankLine(value, before) : -1;
    length = end < 0 ? length + value.length : value.length - 1 - end;
    before = [...before, ...value.subarray(-2)].slice(-2);
    if (length > MAX_MESSAGE) throw tooLong();
    return value;
  });
}

/** Returns the index at which the last blank line ends, or -1. `before` has the last two bytes before `bytes`. */
function lastBlankLine(bytes: Uint8Array, before: readonly number[]): number {
  const at = (index: number) => (index < 0 ? before[before.length + index] : bytes[index]);
  let end = bytes.lastIndexOf(LF);
  while (end >= 0 && at(at(end - 1) === CR ? end - 2 : end - 1) !== LF)
    end = end === 0 ? -1 : bytes.lastIndexOf(LF, end - 1);
  return end;
}
