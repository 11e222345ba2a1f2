// The sessions of clients with a protocol revision before 2026. Such a client reports its name once and then sends its
// session's id.

import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { EndpointOptions, EndpointTools } from '../core/agents/endpointPort';
import { setLatest } from '../core/util/setLatest';
import { errorBody } from './guard';
import { createMcpServer } from './mcpServer';

/** Clients rarely end their sessions, so the one that has been idle longest is closed. Its client starts a new one. */
const MAX_SESSIONS = 32;

interface ClientSession {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** The number of calls without an answer so far. */
  running: number;
}

export class Sessions {
  readonly #options: EndpointOptions;
  /** The sessions by id. The one with the latest request is last. */
  readonly #sessions = new Map<string, ClientSession>();

  constructor(options: EndpointOptions) {
    this.#options = options;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#open(request);
    const session = this.#sessions.get(id);
    // According to the protocol, the client then starts a new session.
    if (!session) return Response.json(errorBody('That session is over.'), { status: 404 });
    setLatest(this.#sessions, id, session, MAX_SESSIONS);
    if (request.method === 'GET')
      // Otherwise the client's next stream is refused until the transport notices that the present stream is closed.
      request.signal.addEventListener('abort', () => session.transport.closeStandaloneSSEStream(), { once: true });
    return session.transport.handleRequest(request);
  }

  toolsChanged(): void {
    // A client without an open stream receives this with its next answer.
    for (const { server } of this.#sessions.values()) void server.sendToolListChanged().catch(() => {});
  }

  /** Cancels running calls and closes all sessions. Never rejects. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ server }) => server.close().catch(() => {})));
  }

  async #open(request: Request): Promise<Response> {
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const body: unknown = await request
      .clone()
      .json()
      .catch(() => undefined);
    // The transport answers with an error that there is no session.
    if (!isInitializeRequest(body)) return transport.handleRequest(request);
    if (!this.#makeRoom()) return Response.json(errorBody('All sessions are busy.'), { status: 503 });
    const tools: EndpointTools = {
      ...this.#options.tools,
      answer: async (call, signal) => {
        session.running++;
        try {
          return await this.#options.tools.answer(call, signal);
        } finally {
          session.running--;
        }
      },
    };
    const server = createMcpServer({ ...this.#options, tools }, ({ name }) => ({
      chat: `mcp ${id}`,
      by: { client: name },
    }));
    const session: ClientSession = { server, transport, running: 0 };
    this.#sessions.set(id, session);
    server.onclose = () => this.#sessions.delete(id);
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  /** Closes the session that has been idle longest if there are too many. Returns false if all have running calls. */
  #makeRoom(): boolean {
    if (this.#sessions.size < MAX_SESSIONS) return true;
    for (const [id, { server, running }] of this.#sessions) {
      if (running > 0) continue;
      this.#sessions.delete(id);
      void server.close().catch(() => {});
      return true;
    }
    return false;
  }
}
