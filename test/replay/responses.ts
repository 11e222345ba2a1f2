import { readFileSync } from 'node:fs';
import type { Json, ToolDefinition } from '../../src/core/catalog/tool';
import type { ModelRequest } from '../../src/core/ports';
import { isObject } from '../../src/core/text/objects';
import type { Transcript } from '../../src/core/transcript/transcript';
import { assistantItem, collectReply } from '../../src/core/turn/reply';
import { anthropicReplay } from './anthropicReplay';
import { differences } from './compare';
import { openaiReplay } from './openaiReplay';
import { type Body, type Interaction, RecordingError } from './recording';
import type { Entry, ReplayWire } from './wire';

/** Responses alone: the requests that they answered, and what was said in between, weren't recorded. */
export interface Responses {
  readonly wire: ReplayWire;
  readonly responses: readonly Interaction['response'][];
}

/** Reads a file of whole responses, or of their events, one a line; undefined for any other. */
export function readResponses(file: string): Responses | undefined {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.txt')) {
    const whole = parse(text);
    return isEntry(whole) && (whole.object === 'response' || whole.type === 'message')
      ? { wire: whole.object === 'response' ? openaiReplay : anthropicReplay, responses: [answered(whole, 'application/json')] }
      : undefined;
  }
  const events = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => parse(line));
  if (!events.every(isEntry)) throw new RecordingError(`${file} holds a line that is no event.`);
  const starts = events.flatMap(({ type }, index) => (type === 'message_start' || type === 'response.created' ? [index] : []));
  const wire = events[0]?.type === 'message_start' ? anthropicReplay : openaiReplay;
  const streams = starts.map((start, index) => events.slice(start, starts[index + 1]));
  const responses = streams.map((stream) =>
    answered(stream.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join(''), 'text/event-stream'),
  );
  return { wire, responses };
}

/**
 * Has the adapter read each response to its end, answers what it calls, and looks whether the next request plays back what
 * came: all blocks and items that have ids, in order, with who called.
 */
export async function replayResponses({ wire, responses }: Responses) {
  const found: string[] = [];
  let transcript: Transcript = [{ kind: 'user', text: 'Go on.' }];
  let matched = 0;
  const { signal } = new AbortController();
  const tools = [...new Set(responses.flatMap((response) => calledNames(response.body)))].map(definition);
  const search = responses.flatMap((response) => searchOf(response.body))[0];
  const model = wire === anthropicReplay ? 'claude-sonnet-4-6' : 'gpt-5.6-sol';
  const port = wire.createPort(model, async (_url, init) => {
    const index = sent.push(JSON.parse(String(init?.body)) as Body) - 1;
    const response = responses[index];
    return response ? wire.answer(response) : Response.json({ error: { message: 'Nothing more is recorded.' } }, { status: 400 });
  });
  const sent: Body[] = [];
  for (let index = 0; index < responses.length; index++) {
    const request: ModelRequest = {
      system: '',
      transcript,
      required: [],
      ...(search === undefined
        ? { tools, deferred: [], delivery: 'local', strategy: '' }
        : { tools: [], deferred: tools, delivery: 'server', strategy: search }),
    };
    const sink = { text: () => {}, search: () => {}, warning: () => {}, code: () => {} };
    const reply = await collectReply(port.send(request, signal), sink, transcript.length, signal);
    if (reply.failure !== undefined) found.push(`response ${index + 1}: ${String(reply.failure)}`);
    if (sent.length <= index) found.push(`response ${index + 1}: nothing was sent`);
    const results = reply.calls.map(({ callId }) => ({
      callId,
      outcome: 'ok' as const,
      parts: [{ type: 'text' as const, text: 'done' }],
    }));
    transcript = [...transcript, assistantItem(reply, (name) => name), { kind: 'results', results }];
    const next = sent[index];
    const before = responses.slice(0, index).flatMap((response) => marksOf(response.body));
    const played = next ? wire.entries(next).flatMap((entry) => marksOf(entry)) : [];
    const different = differences(
      before,
      played.filter((mark) => !mark.startsWith('tool_result') && !mark.startsWith('function_call_output')),
    );
    found.push(...different.map((difference) => `request ${index + 1}: ${difference}`));
    if (reply.failure === undefined && different.length === 0) matched++;
  }
  return { requests: responses.length, matched, differences: found };
}

function answered(body: Json, contentType: string): Interaction['response'] {
  return { status: 200, contentType, body };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is Entry {
  return isObject(value);
}

const listOf = (value: unknown): readonly Entry[] => (Array.isArray(value) ? value.filter(isEntry) : []);

/** The events of a stream. */
function eventsOf(body: Json): readonly Entry[] {
  if (typeof body !== 'string') return [];
  return body.split('\n').flatMap((line) => {
    const event = line.startsWith('data: ') ? parse(line.slice('data: '.length)) : undefined;
    return isEntry(event) ? [event] : [];
  });
}

/** The blocks and items of a response, of a stream, or of an entry of a request. */
function partsOf(body: Json): readonly Entry[] {
  if (typeof body === 'string')
    return eventsOf(body).flatMap((event): readonly Entry[] => {
      if (event.type === 'message_start' && isEntry(event.message)) return listOf(event.message.content);
      if (event.type === 'content_block_start' && isEntry(event.content_block)) return [event.content_block];
      return event.type === 'response.output_item.done' && isEntry(event.item) ? [event.item] : [];
    });
  if (!isEntry(body)) return [];
  if (Array.isArray(body.output) && body.object === 'response') return listOf(body.output);
  return Array.isArray(body.content) && body.role !== undefined && body.id === undefined
    ? listOf(body.content)
    : body.type === 'message' && body.object === undefined && body.model !== undefined
      ? listOf(body.content)
      : [body];
}

/** Each block or item that has an id: its kind, the id, and who called. */
function marksOf(body: Json): readonly string[] {
  return partsOf(body).flatMap((part) => {
    const id = part.call_id ?? part.tool_use_id ?? part.id;
    if (typeof id !== 'string' || part.type === 'message' || part.type === 'reasoning') return [];
    const caller =
      isEntry(part.caller) && part.caller.type !== 'direct' ? ` by ${String(part.caller.tool_id ?? part.caller.caller_id)}` : '';
    return [`${String(part.type)} ${id}${caller}`];
  });
}

function definition(name: string): ToolDefinition {
  return { id: name, server: '', name, description: 'Recorded.', inputSchema: { type: 'object', properties: {} }, callers: 'both' };
}

/** The strategy of a search that Claude's service made. */
function searchOf(body: Json): readonly string[] {
  return partsOf(body).flatMap(({ name }) =>
    name === 'tool_search_tool_regex' ? ['regex'] : name === 'tool_search_tool_bm25' ? ['bm25'] : [],
  );
}

function calledNames(body: Json): readonly string[] {
  return partsOf(body).flatMap((part) =>
    (part.type === 'tool_use' || part.type === 'function_call') && typeof part.name === 'string' ? [part.name] : [],
  );
}
