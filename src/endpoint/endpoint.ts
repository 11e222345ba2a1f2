// The local MCP endpoint, through which agents outside VS Code search and call tools.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Endpoint, EndpointOptions } from '../core/agents/endpointPort';
import { messageOf } from '../core/util/messageOf';
import { type HttpRefusal, PATH, refusalOf } from './guard';
import { type ClientSession, createClientSession } from './session';

/**
 * Highest number of sessions. Clients rarely report that they have left, so the session that was idle longest is
 * closed; its client starts a new one.
 */
const MAX_SESSIONS = 32;
/**
 * Limits on connections that have sent the token and on those that haven't yet. If there are too many of the latter,
 * the oldest is closed.
 */
const MAX_CONNECTIONS = 100;
const MAX_STRANGERS = 20;
/** How long the head of a request may take, in milliseconds. */
const HEAD_MS = 10_000;

/**
 * Opens the endpoint: see {@link Endpoint}. It listens on this machine only, and answers only clients with the token.
 */
export async function openEndpoint({ tools, token, port: wanted, version, log }: EndpointOptions): Promise<Endpoint> {
  /** By id; the session with the latest request is last. */
  const sessions = new Map<string, ClientSession>();
  let closed = false;
  const strangers = new Set<Socket>();
  const admitted = new Set<Socket>();
  /** Records that a connection has sent the token; false if there are too many of these. */
  const admit = (socket: Socket) => {
    strangers.delete(socket);
    if (!admitted.has(socket) && admitted.size >= MAX_CONNECTIONS) return false;
    admitted.add(socket);
    return true;
  };
  const events = {
    opened(id: string, session: ClientSession) {
      sessions.set(id, session);
      if (sessions.size <= MAX_SESSIONS) return;
      const quiet = [...sessions.values()].find(({ running }) => running === 0);
      void quiet?.close();
    },
    closed: (id: string) => void sessions.delete(id),
    log,
  };
  const sessionOf = async (request: IncomingMessage): Promise<ClientSession | undefined> => {
    const id = request.headers['mcp-session-id'];
    if (id === undefined) return createClientSession(tools, version, events);
    const session = sessions.get(String(id));
    if (session) {
      sessions.delete(String(id));
      sessions.set(String(id), session);
    }
    return session;
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const refusal = closed
      ? { status: 503, message: 'The window has closed.' }
      : refusalOf({ method: request.method, url: request.url, headers: request.headers }, { port, token });
    if (refusal) return refuse(response, refusal);
    if (!admit(request.socket)) return refuse(response, { status: 503, message: 'Too many connections are open.' });
    const session = await sessionOf(request);
    // As the protocol demands, the client then initializes a new session.
    if (!session) return refuse(response, { status: 404, message: 'That session is over.' });
    await session.handle(request, response);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      log(messageOf(error));
      if (!response.headersSent) refuse(response, { status: 500, message: 'That failed.' });
      else response.destroy();
    });
  });
  server.headersTimeout = HEAD_MS;
  server.on('connection', (socket) => {
    strangers.add(socket);
    socket.once('close', () => {
      strangers.delete(socket);
      admitted.delete(socket);
    });
    const [oldest] = strangers;
    if (strangers.size > MAX_STRANGERS) oldest?.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  server.on('error', (error) => log(error.message));

  return {
    port,
    url: `http://127.0.0.1:${port}${PATH}`,
    toolsChanged() {
      for (const session of sessions.values()) session.toolsChanged();
    },
    async close() {
      closed = true;
      await Promise.all([...sessions.values()].map((session) => session.close()));
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** Answers in the form of MCP's errors. The rest of the request is not read. */
function refuse(response: ServerResponse, { status, message, headers }: HttpRefusal): void {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}
