/**
 * The response with its body as `next` hands it on, piece by piece; undefined is its end. Where that throws, so does whoever reads
 * it, and the connection is closed.
 * @param read makes `next` of what reads the body as it comes; a response without a body stays as it is
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

/** The longest message that anybody may send us, in bytes: what comes without end would fill memory. */
const MAX_MESSAGE = 64 * 2 ** 20;
const LINE_END = 10;

/**
 * The response, whose body fails where a message in it becomes too long, unpacked: a line of a stream of events, else all of it.
 * @param tooLong what it fails with
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
