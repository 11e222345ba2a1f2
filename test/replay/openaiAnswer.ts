import type { Json } from '../../src/core/catalog/tool';
import { isObject } from '../../src/core/util/objects';
import { listOf } from './openaiEssence';
import type { Interaction } from './recording';

/** A recorded answer as the event stream that the adapter expects, since some recorders didn't stream. */
export function openaiAnswer({ status, contentType, body }: Interaction['response']): Response {
  if (typeof body === 'string') return new Response(body, { status, headers: { 'content-type': contentType } });
  if (status !== 200 || !isObject(body) || body.object !== 'response') return Response.json(body, { status });
  const events: { readonly type: string; readonly [key: string]: Json | undefined }[] = [
    ...listOf(body.output as Json).flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      ...(item.type === 'message' ? listOf(item.content) : []).map((part) =>
        part.type === 'refusal'
          ? { type: 'response.refusal.delta', output_index, delta: part.refusal }
          : { type: 'response.output_text.delta', output_index, delta: part.text },
      ),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: `response.${String(body.status)}`, response: body as Json },
  ];
  const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}
