// Hand-written answers of Anthropic's service, and ports that get them.
import type { Json } from '../../../../src/core/catalog/tool';
import type { ModelEvent, ModelPort, ModelRequest } from '../../../../src/core/ports';
import { Capabilities } from '../../../../src/providers/capabilities';
import { portOf } from '../ports';
import { requestOf as anyRequestOf, streamed } from '../wires';

export const KEY = 'sk-ant-test-0123456789';
export const never = new AbortController().signal;

export { streamed };

/** A whole reply as its events, with each block in one piece. */
export function reply(
  content: readonly { readonly type: string; readonly [key: string]: unknown }[],
  stopReason = 'end_turn',
): Response {
  return streamed([
    { type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1 } } },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason },
      usage: { input_tokens: 20, output_tokens: 5, cache_read_input_tokens: 7, cache_creation_input_tokens: 3 },
    },
    { type: 'message_stop' },
  ]);
}

export function failure(status: number, message: string, type = 'invalid_request_error'): Response {
  return Response.json({ type: 'error', error: { type, message } }, { status, headers: { 'retry-after': '0' } });
}

/** A port whose service gives these answers in order. It keeps the bodies of its requests. */
export function portOver(answers: readonly (Response | (() => Response))[], model = 'claude-sonnet-4-6') {
  const sent: { readonly [key: string]: Json }[] = [];
  const capabilities = new Capabilities();
  const port = portOf(model, {
    ...{ name: 'Claude', apiKey: KEY, capabilities },
    fetch: async (_url, init) => {
      const answer = answers[sent.length];
      sent.push(JSON.parse(String(init?.body)));
      if (!answer) throw new TypeError(`No answer ${sent.length}`);
      return typeof answer === 'function' ? answer() : answer;
    },
  });
  return { port, sent, capabilities };
}

/** All events of one request except its usage so far. An error that ended them comes last. */
export async function eventsOf(port: ModelPort, request: ModelRequest, signal = never) {
  const events: (ModelEvent | Error)[] = [];
  try {
    for await (const event of port.send(request, signal))
      if (event.type !== 'usage' || !event.soFar) events.push(event);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    events.push(error);
  }
  return events;
}

export const requestOf = (rest: Partial<ModelRequest> = {}) => anyRequestOf({ delivery: 'server', ...rest });
