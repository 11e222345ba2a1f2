import { existsSync, readFileSync } from 'node:fs';
import type { Json } from '../../src/core/catalog/tool';
import type { Transcript } from '../../src/core/conversation/transcript';
import type { ModelRequest } from '../../src/core/ports';
import { assistantItem } from '../../src/core/turn/reply';
import { isObject, parseJson } from '../../src/core/util/objects';
import { anthropicReplay } from './anthropicReplay';
import { openaiReplay } from './openaiReplay';
import { eventsOf, partsOf } from './parts';
import { answerTo, changedIn, goingOn } from './playedBack';
import { type Body, type Interaction, RecordingError } from './recording';
import type { Entry, ReplayWire } from './wire';

/** Recorded responses without their requests. */
export interface Responses {
  readonly wire: ReplayWire;
  readonly responses: readonly Interaction['response'][];
  /** Number of responses from earlier files, which only lead to the others. */
  readonly earlier: number;
}

/**
 * Reads a file of whole responses, or of their events, one a line; undefined for any other file. A turn may extend over
 * several files (`NAME.1.json`, `NAME.2.json`, …), so the files before this one are read too.
 */
export function readResponses(file: string): Responses | undefined {
  const own = readOne(file);
  if (!own) return undefined;
  const [, name, number, ending] = /^(.*\.)(\d+)((?:\.[^./]+)+)$/.exec(file) ?? [];
  const before: Interaction['response'][] = [];
  for (let index = Number(number) - 1; index > 0 && existsSync(`${name}${index}${ending}`); index--)
    before.unshift(...(readOne(`${name}${index}${ending}`)?.responses ?? []));
  return { wire: own.wire, responses: [...before, ...own.responses], earlier: before.length };
}

function readOne(file: string): Pick<Responses, 'wire' | 'responses'> | undefined {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.txt')) {
    const whole = parseJson(text);
    return isEntry(whole) && (whole.object === 'response' || whole.type === 'message')
      ? {
          wire: whole.object === 'response' ? openaiReplay : anthropicReplay,
          responses: [answered(whole, 'application/json')],
        }
      : undefined;
  }
  const events = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => parseJson(line));
  if (!events.every(isEntry)) throw new RecordingError(`${file} holds a line that is no event.`);
  const starts = events.flatMap(({ type }, index) =>
    type === 'message_start' || type === 'response.created' ? [index] : [],
  );
  const wire = events[0]?.type === 'message_start' ? anthropicReplay : openaiReplay;
  const streams = starts.map((start, index) => events.slice(start, starts[index + 1]));
  const responses = streams.map((stream) =>
    answered(
      stream.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
      'text/event-stream',
    ),
  );
  return { wire, responses };
}

/**
 * Makes the adapter read each response to its end, answers its calls, and checks whether the next request repeats the
 * response completely and in order.
 */
export async function replayResponses({ wire, responses, earlier }: Responses) {
  const found: string[] = [];
  let transcript: Transcript = [{ kind: 'user', text: 'Go on.' }];
  let matched = 0;
  const asked = responses.map((response) => (wire === openaiReplay ? echoed(response) : guessed(responses)));
  const sent: Body[] = [];
  const port = wire.createPort(String(asked[0]?.model), async (_url, init) => {
    const response = responses[sent.push(JSON.parse(String(init?.body)) as Body) - 1];
    return response
      ? wire.answer(response)
      : Response.json({ error: { message: 'Nothing more is recorded.' } }, { status: 400 });
  });
  for (const [index, response] of responses.entries()) {
    const request: ModelRequest = { ...wire.scene(asked[index] ?? {}), transcript };
    const from = sent.length;
    const reply = await answerTo(port, request);
    const item = assistantItem(reply, (name) => name);
    const [body] = sent.slice(from);
    const different =
      reply.failure === undefined && body
        ? await changedIn({ wire, request, sent: body, responses: [response], reply: item })
        : [];
    const wrong = [
      ...(body ? [] : ['nothing was sent']),
      ...(reply.failure === undefined ? [] : [String(reply.failure)]),
      ...different.map((difference) => `played back: ${difference}`),
    ];
    found.push(...wrong.map((what) => `response ${index + 1}: ${what}`));
    if (wrong.length === 0 && index >= earlier) matched++;
    transcript = [...transcript, item, ...goingOn(item)];
  }
  return { requests: responses.length - earlier, matched, differences: found };
}

function answered(body: Json, contentType: string): Interaction['response'] {
  return { status: 200, contentType, body };
}

function isEntry(value: unknown): value is Entry {
  return isObject(value);
}

/** The request that OpenAI's service repeats in its answer. */
function echoed({ body }: Interaction['response']): Body {
  const response = typeof body === 'string' ? eventsOf(body)[0]?.response : body;
  if (!isEntry(response)) throw new RecordingError('A response doesn’t say what it was asked for.');
  return response;
}

/** The request that Claude must have got: the tools, the search and the code that its answer uses. */
function guessed(responses: readonly Interaction['response'][]): Body {
  const parts = responses.flatMap(({ body }) => partsOf(body));
  const code = parts.find(({ type, name }) => type === 'server_tool_use' && String(name).endsWith('code_execution'));
  const search = parts.find(({ name }) => String(name).startsWith('tool_search_tool_'))?.name;
  const names = new Set(parts.flatMap(({ type, name }) => (type === 'tool_use' ? [String(name)] : [])));
  const tools = [...names].map((name) => ({
    name,
    input_schema: { type: 'object', properties: {} },
    ...(search ? { defer_loading: true } : {}),
    ...(code ? { allowed_callers: ['direct', CODE] } : {}),
  }));
  return {
    model: 'claude-sonnet-4-6',
    max_tokens: 4096,
    tools: [
      ...tools,
      ...(code ? [{ type: CODE, name: 'code_execution' }] : []),
      ...(search ? [{ type: String(search), name: search }] : []),
    ],
  };
}

/** The version of code that the model supports. */
const CODE = 'code_execution_20260120';
