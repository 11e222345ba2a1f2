import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EMPTY_REQUEST, ModelError, type ModelRequest } from '../../../src/core/ports';
import { SERVICES } from '../../../src/core/settings/modelServices';
import { KnownSecrets } from '../../../src/core/util/knownSecrets';
import { listModels } from '../../../src/providers/native/listModels';
import { NativeModels } from '../../../src/providers/native/nativeModels';
import { ANTHROPIC, KEY, OPENAI, type Wire } from './wires';

/** The requests that two servers of this machine got. They have different ports, so they are different origins. */
const heard: { readonly gateway: string[]; readonly stranger: string[] } = { gateway: [], stranger: [] };
let redirect: (request: IncomingMessage) => { readonly status: number; readonly location: string } | undefined;
let wire: Wire;
let gateway: Server;
let stranger: Server;
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  const note = (list: string[], request: IncomingMessage, body: string) =>
    list.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
  const start = (
    handle: (request: IncomingMessage, body: string) => Response | { status: number; location: string },
    port: number,
  ) => {
    const server = createServer(async (request, response) => {
      const parts = [];
      for await (const part of request) parts.push(part);
      const answer = handle(request, Buffer.concat(parts).toString());
      if (!(answer instanceof Response)) response.writeHead(answer.status, { location: answer.location }).end();
      else response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
    return new Promise<Server>((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
  };
  const answer = (request: IncomingMessage) => {
    const url = request.url ?? '';
    if (url.includes('/models')) return Response.json({ data: [{ id: 'claude-sonnet-4-6' }], has_more: false });
    if (wire.isCount(url)) return wire.count(9);
    const text = wire.reply('Fine.').map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    return new Response(text.join(''), { headers: { 'content-type': 'text/event-stream' } });
  };
  gateway = await start((request, body) => {
    note(heard.gateway, request, body);
    return redirect(request) ?? answer(request);
  }, 0);
  stranger = await start((request, body) => {
    note(heard.stranger, request, body);
    return answer(request);
  }, 0);
});
beforeEach(() => {
  heard.gateway.length = 0;
  heard.stranger.length = 0;
});
afterAll(async () => {
  for (const server of [gateway, stranger]) await new Promise((resolve) => server.close(resolve));
});

/** The key under which the API of OpenTelemetry keeps the state of a process. */
const OPEN_TELEMETRY = Symbol.for('opentelemetry.js.api.1');

const signal = () => AbortSignal.timeout(5_000);
const QUESTION: ModelRequest = { ...EMPTY_REQUEST, transcript: [{ kind: 'user', text: 'my secret question' }] };

async function answerOf(port: ReturnType<Wire['create']>): Promise<string> {
  let text = '';
  for await (const event of port.send(QUESTION, signal())) if (event.type === 'text') text += event.text;
  return text;
}

describe.each([ANTHROPIC, OPENAI])('A server at the address of $service', (tested) => {
  const base = () => `${addressOf(gateway)}${tested === OPENAI ? '/v1' : ''}`;
  const port = () => tested.create(fetch, base());

  describe.each([302, 307])('that redirects to another origin with %i', (status) => {
    beforeEach(() => {
      wire = tested;
      redirect = (request) => ({ status, location: `${addressOf(stranger)}${request.url}` });
    });
    const refused = () => {
      expect(heard.stranger).toEqual([]);
      expect(heard.gateway).toHaveLength(1);
    };
    const words = () =>
      new RegExp(`^${addressOf(gateway)} redirects to ${addressOf(stranger)}.*${tested.setting.replace('.', '\\.')}`);

    it('gets no question passed on', async () => {
      const error = await answerOf(port()).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ name: 'ModelError', unanswered: true, message: expect.stringMatching(words()) });
      refused();
    });

    it('gets nothing that is counted passed on', async () => {
      const error = await port()
        .countRequest?.(QUESTION, signal())
        .catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ModelError);
      expect((error as ModelError).message).toMatch(words());
      refused();
    });

    it('gets no key passed on with a list or a test', async () => {
      const list = await listModels(tested.name, { apiKey: KEY, baseUrl: base() }, signal());
      expect(list).toMatchObject({ ok: false, message: expect.stringMatching(words()) });
      refused();
      const models = new NativeModels(SERVICES[tested.name], new KnownSecrets(), {
        loadPorts: async () => () => port(),
        address: () => ({ url: base() }),
        now: Date.now,
      });
      expect(await models.test(KEY)).toMatchObject({ ok: false, message: expect.stringMatching(words()) });
      expect(heard.stranger).toEqual([]);
    });
  });

  it('uses the user’s chosen key alone, whatever the environment has', async () => {
    wire = tested;
    redirect = () => undefined;
    const name = tested.name.toUpperCase();
    const planted = {
      [`${name}_CUSTOM_HEADERS`]: 'Authorization: Bearer planted\nX-Planted: planted',
      [`${name}_AUTH_TOKEN`]: 'planted',
      [`${name}_ADMIN_KEY`]: 'planted',
      [`${name}_ORG_ID`]: 'planted',
      [`${name}_BASE_URL`]: addressOf(stranger),
    };
    Object.assign(process.env, planted);
    try {
      expect(await answerOf(port())).toBe('Fine.');
      expect(await port().countRequest?.(QUESTION, signal())).toBe(9);
      expect(process.env).toMatchObject(planted);
    } finally {
      for (const variable of Object.keys(planted)) delete process.env[variable];
    }
    expect(heard.stranger).toEqual([]);
    for (const request of heard.gateway) {
      expect(request).toContain(KEY);
      expect(request).not.toContain('planted');
    }
  });

  it('is asked without telling trace collectors in the process', async () => {
    wire = tested;
    redirect = () => undefined;
    const traced: unknown[] = [];
    const provider = { getTracer: (...scope: unknown[]) => traced.push(scope) };
    const api = globalThis as { [OPEN_TELEMETRY]?: unknown };
    api[OPEN_TELEMETRY] = { version: '1.9.0', trace: provider };
    try {
      expect(await answerOf(port())).toBe('Fine.');
    } finally {
      delete api[OPEN_TELEMETRY];
    }
    expect(traced).toEqual([]);
  });

  it('is followed within its own origin, with all that was sent', async () => {
    wire = tested;
    redirect = (request) =>
      request.url?.startsWith('/new') ? undefined : { status: 307, location: `/new${request.url}` };
    expect(await answerOf(port())).toBe('Fine.');
    expect(heard.gateway[1]).toContain('my secret question');
    expect(await listModels(tested.name, { apiKey: KEY, baseUrl: base() }, signal())).toMatchObject({ ok: true });
  });
});
