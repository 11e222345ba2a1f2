import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { ENDPOINT_NAME } from '../../../../../src/core/agents/endpointPort';
import type { Tool } from '../../../../../src/core/catalog/tool';
import { KnownSecrets } from '../../../../../src/core/util/knownSecrets';
import type { ConnectionEvents } from '../../../../../src/tools/mcp/connection/connection';
import { connectServer } from '../../../../../src/tools/mcp/connection/connectServer';
import { SdkConnection } from '../../../../../src/tools/mcp/connection/sdkConnection';
import { HttpRequests } from '../../../../../src/tools/mcp/transport/httpRequests';
import { makeTool } from '../../../core/turn/world';
import { serveInTest } from '../serve';

/**
 * How a play begins (`entry` of a server over HTTP, `stopped`), a step of the client (`list`, `items`, `call`, `close`,
 * `stop`) or of the server (`say`, `ask`, `end`).
 */
type Step = readonly [does: string, what?: string | Tool['item'], params?: object, times?: number];
/** An HTTP status, an error, or a result with messages before it. */
type Answer = number | { error?: unknown; events?: readonly [string, object][]; [key: string]: unknown };
type Play = readonly [string, { readonly [method: string]: Answer | readonly Answer[] }, ...Step[]];

const able = (capabilities: object, name = 's') => ({
  initialize: { protocolVersion: '2025-11-25', serverInfo: { name, version: '1' }, capabilities },
});
const LIST = { listChanged: true };
const ALL = able({ tools: LIST, resources: LIST, prompts: LIST, logging: {} });
const hints = { ttlMs: 500, cacheScope: 'public', resultType: 'complete' };
const LISTS = {
  'tools/list': [
    { tools: [{ name: 'a' }], ...hints, nextCursor: 'b' },
    { tools: [7], ...hints },
  ],
  'resources/list': { resources: [{ uri: 'a:b', name: 'A' }, 7, { name: 'B' }], ...hints },
  'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'a:{b}' }], ...hints, ttlMs: 300 },
  'prompts/list': { prompts: [{ name: 'p' }], ...hints, ttlMs: 400 },
};
const wanting = (...headers: readonly string[]) =>
  headers.map((header, at) => ({
    name: at === 0 ? 't' : `other${at}`,
    inputSchema: { type: 'object', properties: { a: { type: 'string', ...(header && { 'x-mcp-header': header }) } } },
  }));
const MODERN = {
  'server/discover': { supportedVersions: ['2026-07-28'], ...able({ tools: {} }).initialize, ...hints },
};
const CALL: Step = ['call', undefined, { a: 'x' }];
const form = (name: object) => ({ message: 'Who?', requestedSchema: { type: 'object', properties: { name } } });
const DONE = { content: [], resultType: 'complete' };

/** What is given a secret over HTTP and sends it back. */
const KEYED: Step = ['entry', undefined, { type: 'http', url: 'ORIGIN/mcp', headers: { 'X-Key': 'planted-key-1' } }];
const AUTHORIZED: Step = ['entry', undefined, { url: 'ORIGIN/mcp', headers: { AUTHORIZATION: 'x' } }];
const SECRET = 'with\u001b[2J\nplanted-key-1';
const LONG = `${SECRET}${'x'.repeat(700)}`;
const FOR_USER = { type: 'text', text: SECRET, annotations: { audience: ['user'] } };
const TELLING: Answer = {
  events: [
    ['notifications/message', { level: 'info', data: LONG }],
    ...Array(11).fill(['notifications/progress', { progress: 1, message: SECRET }]),
  ],
  content: Array(101).fill(FOR_USER),
};
const failing = (code: unknown, message?: unknown, data?: unknown) => ({ error: { code, message, data } });
const NO = failing(-32000, 'no');
/** Errors as servers send them, some against the protocol. */
const ERRORS: readonly Answer[] = [
  ...[-32000, -32001, -32099, -32602, -32603, -1, 0, 401, 1e21, -32000.5, 'EBAD'].map((code) => failing(code, 'why')),
  ...[undefined, '', 'Connection closed', 'Request timed out', LONG].map((message) => failing(-32000, message)),
  ...[{ reason: 'disk full' }, 'disk full', 'Failed', null].map((data) => failing(-32000, 'Failed', data)),
  ...['just a text', { reason: 'disk full' }, 7].map((error) => ({ error })),
  ...[500, 503],
];

const LATER = { status: 400, ...failing(-32022, 'Unsupported protocol version', { supported: ['2031-01-01'] }) };
const TOLD_LATER = { ...MODERN['server/discover'], supportedVersions: ['2031-01-01'] };

/** What a server answers to each method, the last again and again; otherwise it is silent. Then what happens. */
const PLAYS: readonly Play[] = [
  [
    'is given a secret',
    {
      ...able({ tools: {}, prompts: {} }),
      'tools/list': [{ tools: [{ name: 'planted-key-1', title: SECRET }, SECRET], nextCursor: SECRET }, {}],
      'prompts/list': [{ prompts: [{ name: 'p', title: SECRET }, { name: 'planted-key-1' }] }, 500],
      'tools/call': [TELLING, 404],
    },
    ...([KEYED, ['list'], ['items'], ['items'], CALL, CALL, ['close']] as const),
  ],
  [
    'forbids',
    { ...ALL, 'tools/list': [401, 403], 'tools/call': [401, 403, 502] },
    ...([KEYED, ['list'], ['list'], CALL, CALL, CALL] as const),
  ],
  [
    'refuses its authorization',
    { ...ALL, 'tools/list': 401, 'tools/call': 401 },
    ...([AUTHORIZED, ['list'], CALL] as const),
  ],
  ['greets with 401 for its authorization', { initialize: 401 }, AUTHORIZED],
  ...[500, 405, 401].map((status): Play => [`greets with ${status}`, { initialize: status }, KEYED]),
  ['tells errors', { ...ALL, 'tools/call': ERRORS }, KEYED, ...ERRORS.map(() => CALL)],
  ['speaks later revisions', { 'server/discover': LATER, initialize: LATER }, KEYED],
  ['tells later revisions', { 'server/discover': TOLD_LATER, initialize: LATER }, KEYED],
  ['speaks another revision', { initialize: { ...ALL.initialize, protocolVersion: '1999-01-01' } }, KEYED],
  ['is of the older transport', {}, ['entry', undefined, { type: 'sse', url: 'ORIGIN/sse' }]],
  ['has no address', {}, ['entry', undefined, { url: '${nope}' }]],
  ['has nothing to start', {}, ['entry', undefined, {}]],
  ['has nothing', able({}), ['list'], ['items'], ['close'], ['close']],
  ['lists all', { ...ALL, ...LISTS }, ['list'], ['items']],
  [
    'lists some',
    { ...able({ resources: {}, prompts: {} }), ...LISTS, 'prompts/list': failing(-32601) },
    ['list'],
    ['items'],
  ],
  ['lists nothing', { ...ALL, 'tools/list': failing(-32603) }, ['list'], ['items'], ['end']],
  ['is called', { ...ALL, 'tools/call': [DONE, NO] }, CALL, CALL, ['close']],
  [
    'is read',
    { ...ALL, 'resources/read': { contents: [] }, 'prompts/get': { messages: [] } },
    ['call', { kind: 'linked', address: '' }, { uri: 'a:linked' }],
    ['call', { kind: 'resource', address: 'a:b' }],
    ['call', { kind: 'template', address: 'a:{x}{?y}' }, { x: 1, y: true }],
    ['call', { kind: 'template', address: 'a:{x' }],
    ['call', { kind: 'prompt', address: 'p' }, { x: 'y' }],
  ],
  [
    'tells progress',
    ALL,
    CALL,
    ...[{ message: 'half' }, { total: 2 }, { message: 'half', total: 2 }, { total: 0 }].map(
      (told, at): Step => ['say', 'notifications/progress', { progressToken: 1, progress: at + 1, ...told }],
    ),
    ['stop'],
  ],
  [
    'asks',
    ALL,
    ['ask', 'roots/list'],
    ...[{ default: 'x' }, { enum: Array(501).fill('x') }].map(
      (more): Step => ['ask', 'elicitation/create', form({ type: 'string', ...more })],
    ),
    ['ask', 'sampling/createMessage', { messages: [], maxTokens: 1 }],
  ],
  [
    'tells',
    ALL,
    ...['tools', 'resources', 'prompts'].map((kind): Step => ['say', `notifications/${kind}/list_changed`]),
    ...['text', { a: 1 }].map((data): Step => ['say', 'notifications/message', { level: 'info', data }]),
  ],
  ['ends during a call', ALL, CALL, ['end'], CALL],
  ['is closed during a call', ALL, CALL, ['close'], CALL],
  ['says much', { ...ALL, 'tools/call': DONE }, ['say', 'notifications/other', {}, 10_000], CALL],
  ['says too much', { ...ALL, 'tools/call': DONE }, ['say', 'notifications/other', {}, 10_001], CALL],
  ['is an endpoint of ours', able({}, ENDPOINT_NAME)],
  ['refuses', { initialize: NO }],
  ['is stopped before', ALL, ['stopped', 'before']],
  ['is stopped meanwhile', {}, ['stopped', 'meanwhile']],
  [
    'wants headers',
    { ...MODERN, 'tools/list': { tools: wanting('X-A', 'a b', ''), ...hints }, 'tools/call': DONE },
    ...([['list'], CALL] as const),
  ],
  [
    'wants headers later',
    {
      ...MODERN,
      'tools/list': ['', 'X-A'].map((header) => ({ tools: wanting(header), ...hints })),
      'tools/call': [failing(-32020, 'no'), failing(-32020, 'no'), DONE],
    },
    ...([['list'], CALL, CALL] as const),
  ],
];

type Tell = (who: string, ...what: readonly unknown[]) => void;
const messageOf = (id: unknown, { error, ...result }: Exclude<Answer, number>) =>
  ({ jsonrpc: '2.0', id, ...(error === undefined ? { result } : { error }) }) as JSONRPCMessage;

/** Serves over HTTP. A result that has messages comes with them in a stream. */
const serve = (answerTo: (method: string) => Answer | undefined, tell: Tell) =>
  serveInTest(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { id, method = '', params } = JSON.parse(body || '{}');
    const { authorization, 'x-key': key, 'mcp-session-id': session } = request.headers;
    if (request.method === 'DELETE') tell('client', 'DELETE', { key, session });
    if (id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end();
    tell('client', method, params, { authorization, key, session });
    const answer = answerTo(method) ?? 404;
    const scope = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="tools"' };
    if (typeof answer === 'number') return response.writeHead(answer, answer === 403 ? scope : {}).end();
    const { events = [], status = 200, ...said } = answer;
    const progressToken = params?._meta?.progressToken;
    const all = events.map(([of, more]) => ({ jsonrpc: '2.0', method: of, params: { progressToken, ...more } }));
    const type = events.length > 0 ? 'text/event-stream' : 'application/json';
    const told = [...all, messageOf(id, said)].map((each) => JSON.stringify(each));
    response.writeHead(Number(status), { 'content-type': type, 'mcp-session-id': 's1' });
    response.end(told.map((each) => (events.length > 0 ? `data: ${each}\n\n` : each)).join(''));
  });

/** Answers in memory. Returns the transports of both sides. */
async function linked(answerTo: (method: string) => Answer | undefined, tell: Tell) {
  const [transport, server] = InMemoryTransport.createLinkedPair();
  const send = transport.send.bind(transport);
  transport.send = (said, options) => {
    tell('client', { ...said, jsonrpc: undefined }, (options as { headers?: object } | undefined)?.headers);
    return send(said, options);
  };
  server.onmessage = async (said: JSONRPCMessage) => {
    const answer = 'method' in said && 'id' in said ? answerTo(said.method) : undefined;
    if (typeof answer === 'object' && 'id' in said) await server.send(messageOf(said.id, answer));
  };
  server.onclose = () => tell('closed');
  await server.start();
  return { transport, server };
}

/** Plays a conversation. Returns what both sides said and what the connection told, a line each. */
async function play([title, answers, ...steps]: Play): Promise<string> {
  const told = [`# ${title}`];
  const tell: Tell = (who, ...what) =>
    void told.push([`${who}:`, ...what.flatMap((it) => JSON.stringify(it) ?? [])].join(' ').slice(0, 700));
  const seen = new Map<string, number>();
  const answerTo = (method: string) => {
    const at = seen.get(method) ?? 0;
    seen.set(method, at + 1);
    const given = [answers[method] ?? []].flat();
    return given[at] ?? given.at(-1);
  };
  const stop = new AbortController();
  const { signal } = stop;
  const [begins, when, value] = steps[0] ?? [];
  if (when === 'before') stop.abort();
  if (when === 'meanwhile') setImmediate(() => stop.abort());
  const events: ConnectionEvents = {
    toolsChanged: () => tell('tools changed'),
    itemsChanged: () => tell('items changed'),
    ended: (reason) => tell('ended', reason),
    asked: async (form, { aborted }) => {
      tell('asked', form, aborted);
      return { action: 'accept', content: {} };
    },
    signIn: async () => false,
    log: (line) => tell('log', line),
  };
  const failed = (error: unknown) => tell('failed', `${error}`);
  const window = { version: '1.2.3', roots: () => [{ uri: 'file:///a', name: 'a' }] };
  const { transport, server } = await linked(answerTo, tell);
  const overHttp = async () => {
    const own = JSON.parse(JSON.stringify(value).replace('ORIGIN', await serve(answerTo, tell)));
    const given = { folders: () => new Map(), home: '/', env: {}, input: async () => '', secrets: new KnownSecrets() };
    const entry = { name: 's', value: own, inputs: [], file: 'file:///mcp.json' };
    return connectServer({ ...given, window }, entry, { timeoutMs: 60_000, signal }, events);
  };
  const inMemory = () => {
    const target = { kind: 'stdio', command: 'x', args: [], env: {}, cwd: '' } as const;
    const mode = 'server/discover' in answers ? 'auto' : 'legacy';
    const link = { transport, mode, requests: new HttpRequests(fetch) } as const;
    return SdkConnection.open(link, { ...window, target, file: 'mcp.json', timeoutMs: 60_000, signal }, events);
  };
  const open = await (begins === 'entry' ? overHttp : inMemory)().catch(failed);
  for (const [does, what, params = {}, times = 1] of open ? steps : []) {
    const tool = makeTool('s', 't', '', typeof what === 'object' ? { item: what } : {});
    const said = { jsonrpc: '2.0', method: String(what), params: { ...params } } as const;
    const act = {
      list: () => open?.listTools(),
      items: () => open?.listItems(),
      call: () => open?.call(tool, { ...params }, { signal, onProgress: (text) => tell('progress', text) }),
      close: () => open?.close(),
      stop: () => stop.abort(),
      end: () => server.close(),
      say: () => server.send(said),
      ask: () => server.send({ ...said, id: 'asked' }),
    }[does];
    const done = async () => act?.();
    const all = Array.from({ length: times }, () => done().then((result) => result && tell(does, result), failed));
    if (begins === 'entry') await Promise.all(all);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  return told.join('\n').replace(/x{500,}/g, (text) => `(${text.length} x)`);
}

it('a connection says and tells what its file says', async () => {
  const told: string[] = [];
  for (const each of PLAYS) told.push(await play(each));
  await expect(`${told.join('\n\n')}\n`).toMatchFileSnapshot('connection.txt');
});
