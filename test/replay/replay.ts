// Replays recorded exchanges with the adapters, for `npm run replay`.
import type { Json } from '../../src/core/catalog/tool';
import type { AssistantItem, Transcript } from '../../src/core/conversation/transcript';
import type { ModelPort, ModelRequest } from '../../src/core/ports';
import { assistantItem, collectReply } from '../../src/core/turn/reply';
import { isObject } from '../../src/core/util/objects';
import { anthropicReplay } from './anthropicReplay';
import { openaiReplay } from './openaiReplay';
import { type Body, type Interaction, RecordingError, readRecording } from './recording';
import type { Entry, ReplayWire } from './wire';

const WIRES: readonly ReplayWire[] = [anthropicReplay, openaiReplay];

/** Files that are uploaded beside a conversation, which the adapters never do. */
const UPLOAD = /\/v1\/files([/?]|$)/;

/** Maximum number of differences that are shown of one request. */
const SHOWN = 20;

/** The result of replaying one file's exchanges. */
export interface FileReplay {
  readonly file: string;
  readonly requests: number;
  readonly matched: number;
  readonly differences: readonly string[];
  /** The parts of the requests that weren't compared, since the adapters never send them; absent if there are none. */
  readonly ignored?: readonly string[];
}

/**
 * `npm run replay -- FILE… [--json]`: replays files. The last line is JSON, for programs. A file without any exchange
 * to replay is a failure.
 */
export async function main(args: readonly string[]): Promise<void> {
  const names = args.filter((arg) => !arg.startsWith('--'));
  if (names.length === 0 || args.some((arg) => arg.startsWith('--') && arg !== '--json'))
    throw new RecordingError('Usage: npm run replay -- FILE… [--json]');
  const files: FileReplay[] = [];
  for (const name of names) {
    const replayed = await replayFile(name);
    files.push(replayed);
    if (args.includes('--json')) continue;
    console.log(`${replayed.matched} of ${replayed.requests} requests matched: ${name}`);
    for (const difference of replayed.differences) console.log(`  ${difference}`);
    for (const ignored of replayed.ignored ?? []) console.log(`  not compared: ${ignored}`);
  }
  console.log(JSON.stringify({ files }));
  if (files.some(({ requests }) => requests === 0)) process.exitCode = 1;
}

/** Replays one file. An error in the file is one of its differences. */
export async function replayFile(file: string): Promise<FileReplay> {
  try {
    return { file, ...(await replay(readRecording(file))) };
  } catch (error) {
    const why = error instanceof RecordingError ? error.message : `${file} can't be read: ${String(error)}`;
    return { file, requests: 0, matched: 0, differences: [why] };
  }
}

/** A conversation as far as it was replayed. */
interface Conversation {
  readonly wire: ReplayWire;
  /** The entries of its last request. */
  readonly entries: readonly Entry[];
  /** The conversation up to the adapter's reply to that request. */
  readonly transcript: Transcript;
}

/**
 * Drives the adapters with the catalogs, prompts and results of recorded exchanges, answers them with the recorded
 * responses, and compares their requests with the recorded ones.
 */
export async function replay(recorded: readonly Interaction[]): Promise<Omit<FileReplay, 'file'>> {
  const interactions = recorded.filter(({ request }) => !UPLOAD.test(request.url));
  const conversations: Conversation[] = [];
  const found: string[] = [];
  const uploads = recorded.length - interactions.length;
  const ignored = uploads > 0 ? [`${uploads} uploads of files`] : [];
  let matched = 0;
  let next = 0;
  while (next < interactions.length) {
    const first = next;
    const current = interactions[next];
    const wire = WIRES.find((candidate) => current && candidate.speaks(current.request.url));
    if (!current || !wire) {
      found.push(`request ${++next}: no adapter for ${current?.request.url}`);
      continue;
    }
    // The adapter may repeat a request, for example after a refusal. Then it is compared with the next recorded
    // request.
    const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
      const interaction = interactions[next++];
      if (!interaction) return Response.json({ error: { message: 'Nothing more is recorded.' } }, { status: 400 });
      const [before, after] = [interaction.request.body, parseBody(init)];
      const different = differences(wire.essence(before, after), wire.essence(after, before));
      if (different.length === 0) matched++;
      ignored.push(...wire.ignored(before).map((what) => `request ${next}: ${what}`));
      found.push(...different.slice(0, SHOWN).map((difference) => `request ${next}: ${difference}`));
      return wire.answer(interaction.response);
    };
    const known = conversations.findLast(
      (conversation) => conversation.wire === wire && continues(conversation, current.request.body),
    );
    const entries = wire.entries(current.request.body);
    const transcript = known
      ? [...known.transcript, ...newlySaid(known, entries)]
      : wire.history(entries, current.request.body);
    const port = wire.createPort(String(current.request.body.model), fetch as typeof globalThis.fetch);
    const request: ModelRequest = { ...wire.scene(current.request.body), transcript };
    const { failure, reply } = await run(port, request, wire.counts(current.request.url));
    if (reply) conversations.push({ wire, entries, transcript: [...transcript, reply] });
    if (next === first) found.push(`request ${++next}: nothing was sent${failure ? ` (${failure})` : ''}`);
    else if (failure && next <= interactions.length && interactions[next - 1]?.response.status === 200)
      found.push(`answer ${next}: ${failure}`);
  }
  return {
    requests: interactions.length,
    matched: Math.min(matched, interactions.length),
    differences: found,
    ...(ignored.length > 0 ? { ignored } : {}),
  };
}

/** Sends one request. Returns its reply, and the reason if the reply couldn't be read. */
async function run(
  port: ModelPort,
  request: ModelRequest,
  counts: boolean,
): Promise<{ readonly failure?: string; readonly reply?: AssistantItem }> {
  if (counts) {
    if (!port.countRequest) return { failure: 'the adapter counts no requests' };
    return port.countRequest(request, new AbortController().signal).then(
      () => ({}),
      (error: unknown) => ({ failure: String(error) }),
    );
  }
  const { signal } = new AbortController();
  const [text, search, warning, waiting, code, thinking] = Array(6).fill(() => {});
  const sink = { text, search, warning, waiting, code, thinking };
  const reply = await collectReply(port.send(request, signal), sink, request.transcript.length, signal);
  // In a replay a tool's id is its name.
  return {
    reply: assistantItem(reply, (name) => name),
    ...(reply.failure === undefined ? {} : { failure: String(reply.failure) }),
  };
}

const parseBody = (init: RequestInit | undefined): Body => JSON.parse(String(init?.body)) as Body;

/** Whether a request continues a conversation: the same entries, one reply, and new entries after it. */
function continues({ wire, entries }: Conversation, body: Body): boolean {
  const now = wire.entries(body);
  const added = now.slice(entries.length).map((entry) => (wire.isReply(entry) ? 'reply' : 'said'));
  if (!/^(reply )+(said )*$/.test(`${added.join(' ')} `)) return false;
  const essence = (some: readonly Entry[]) => some.map((entry) => wire.essenceOf(entry) as Json);
  return differences(essence(entries), essence(now.slice(0, entries.length))).length === 0;
}

/** The entries after the reply. The reply itself is the adapter's own. */
function newlySaid({ wire, entries, transcript }: Conversation, now: readonly Entry[]) {
  const calls = new Map(
    transcript.flatMap((item) =>
      item.kind === 'assistant' ? item.calls.map((call) => [call.callId, call.name] as const) : [],
    ),
  );
  return wire.said(
    now.slice(entries.length).filter((entry) => !wire.isReply(entry)),
    calls,
  );
}

/** Maximum number of characters that are shown of a text that differs. */
const MAX_TEXT = 120;

/** The differences between two JSON values, one sentence each. The order of keys doesn't matter. */
function differences(expected: unknown, actual: unknown, path = ''): readonly string[] {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length);
    return Array.from({ length }, (_, index) =>
      differences(expected[index], actual[index], `${path}[${index}]`),
    ).flat();
  }
  if (isObject(expected) && isObject(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return keys.flatMap((key) => differences(expected[key], actual[key], path === '' ? key : `${path}.${key}`));
  }
  return Object.is(expected, actual) ? [] : [`${path}: recorded ${show(expected)}, sent ${show(actual)}`];
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
