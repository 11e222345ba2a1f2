/** The longest message that anybody may send us, in bytes: what comes without end would fill memory. */
const MAX_MESSAGE = 64 * 2 ** 20;
const LINE_END = 10;

/**
 * The response, whose body fails where a message in it becomes too long, unpacked: a line of a stream of events, else all of it.
 * @param tooLong what it fails with
 */
export function boundedResponse(response: Response, tooLong: () => Error): Response {
  if (!response.body) return response;
  const isStream = response.headers.get('content-type')?.includes('text/event-stream');
  const reader = response.body.getReader();
  let length = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      const lineEnd = isStream ? value.lastIndexOf(LINE_END) : -1;
      length = lineEnd < 0 ? length + value.length : value.length - 1 - lineEnd;
      if (length <= MAX_MESSAGE) return controller.enqueue(value);
      reader.cancel().catch(() => {});
      throw tooLong();
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
