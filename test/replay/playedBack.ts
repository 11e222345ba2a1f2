import type { AssistantItem, Transcript } from '../../src/core/conversation/transcript';
import type { ModelPort, ModelRequest } from '../../src/core/ports';
import { collectReply, type Reply } from '../../src/core/turn/reply';
import { differences } from './compare';
import { partsOf } from './parts';
import type { Body, Interaction } from './recording';
import type { ReplayWire } from './wire';

/** One request of an adapter, its answers, and the adapter's reply. */
export interface Answered {
  readonly wire: ReplayWire;
  readonly request: ModelRequest;
  readonly sent: Body;
  readonly responses: readonly Interaction['response'][];
  readonly reply: AssistantItem;
}

/**
 * Lists the blocks that the next request changes or leaves out, of those that the service wrote now or before. Only the
 * service reads them in full, so the adapter must not change them.
 */
export async function changedIn({ wire, request, sent, responses, reply }: Answered): Promise<readonly string[]> {
  const next: Body[] = [];
  const port = wire.createPort(String(sent.model), async (_url, init) => {
    next.push(JSON.parse(String(init?.body)) as Body);
    return Response.json({ error: { message: 'Nothing more is recorded.' } }, { status: 400 });
  });
  await answerTo(port, { ...request, transcript: [...request.transcript, reply, ...goingOn(reply)] });
  if (!next[0]) return ['the adapter sends nothing after it'];
  const wrote = responses.flatMap(({ body }) => partsOf(body));
  const expected = [...wire.written(sent), ...wrote].flatMap((part) => wire.playedBack(part));
  return differences(
    expected,
    wire.written(next[0]).flatMap((part) => wire.playedBack(part)),
  );
}

/** The continuation of a reply: results of its calls, otherwise a question. */
export function goingOn({ calls }: AssistantItem): Transcript {
  const results = calls.map(({ callId }) => ({
    callId,
    outcome: 'ok' as const,
    parts: [{ type: 'text' as const, text: 'done' }],
  }));
  return [results.length > 0 ? { kind: 'results', results } : { kind: 'user', text: 'Go on.' }];
}

/** The adapter's reply to the answer of one request. A refusal becomes a failure. */
export function answerTo(port: ModelPort, request: ModelRequest): Promise<Reply> {
  const { signal } = new AbortController();
  const sink = {
    text: () => {},
    search: () => {},
    warning: () => {},
    waiting: () => {},
    code: () => {},
    thinking: () => {},
  };
  return collectReply(port.send(request, signal), sink, request.transcript.length, signal);
}
