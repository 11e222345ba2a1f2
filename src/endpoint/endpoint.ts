// The local MCP endpoint, through which agents outside VS Code search and call tools. It supports the stateless
// protocol of 2026, and the older revisions with sessions.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NodeServerResponseLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { Endpoint, EndpointOptions } from '../core/agents/endpointPort';
import { messageOf } from '../core/util/messageOf';
import { Connections, errorBody, type HttpRefusal, PATH, refusalOf } from './guard';
import { createMcpServer } from './mcpServer';
import { NamedClients } from './namedClients';
import { Sessions } from './sessions';

/** The maximum number of clients of the 2026 revision that wait for changes of the tool list. */
const MAX_SUBSCRIPTIONS = 32;
/** The maximum time to receive the headers of a request. */
const HEAD_MS = 10_000;

/** Opens the endpoint: see {@link Endpoint}. It can be reached only from this machine, and only with the token. */
export async function openEndpoint(options: EndpointOptions): Promise<Endpoint> {
  let closed = false;
  const connections = new Connections();
  const clients = new NamedClients();
  const onerror = (error: Error) => options.log(error.message);
  const modern = createMcpHandler(() => createMcpServer(options, (client) => clients.find(client)), {
    legacy: 'reject',
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror,
  });
  const sessions = new Sessions(options);
  const answer = toNodeHandler(
    { fetch: async (request) => ((await isLegacyRequest(request)) ? sessions : modern).fetch(request) },
    { onerror },
  );
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const refusal = closed ? { status: 503, message: 'The window has closed.' } : refusalOf(request, options.token);
    if (refusal) return refuse(response, refusal);
    if (!connections.admit(request.socket))
      return refuse(response, { status: 503, message: 'Too many connections are open.' });
    await answer(request, withHeadAtOnce(response));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      options.log(messageOf(error));
      response.destroy();
    });
  });
  server.headersTimeout = HEAD_MS;
  server.on('connection', (socket) => connections.add(socket));
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.on('error', onerror);

  return {
    port,
    url: `http://127.0.0.1:${port}${PATH}`,
    toolsChanged() {
      modern.notify.toolsChanged();
      sessions.toolsChanged();
    },
    async close() {
      closed = true;
      await Promise.all([modern.close(), sessions.close()]);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** Sends the headers of a stream at once. The SDK's adapter would wait for the first event, which may take long. */
function withHeadAtOnce(response: ServerResponse): NodeServerResponseLike {
  return {
    writeHead: (status, headers) => response.writeHead(status, headers).flushHeaders(),
    write: (chunk) => response.write(chunk),
    end: (chunk) => response.end(chunk),
    on: (event, listener) => response.on(event, listener),
    get destroyed() {
      return response.destroyed;
    },
  };
}

/** Sends an error. The rest of the request isn't read. */
function refuse(response: ServerResponse, { status, message, headers }: HttpRefusal): void {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close', ...headers });
  response.end(JSON.stringify(errorBody(message)));
}
