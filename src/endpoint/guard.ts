// Decides which connections and requests the endpoint accepts, before it reads a request's body.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';

/** The only path of the endpoint. */
export const PATH = '/mcp';
const METHODS: readonly string[] = ['GET', 'POST', 'DELETE'];
/** The maximum numbers of connections with and without the token. Of too many without it, the oldest is closed. */
const MAX_CONNECTIONS = 100;
const MAX_STRANGERS = 20;

/** The response to a refused request. */
export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: { readonly [name: string]: string };
}

/** Returns the body of a refusal, in MCP's form of an error. */
export function errorBody(message: string): object {
  return { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
}

/**
 * Returns why a request is refused; undefined if it is accepted. A web page in the user's browser can send requests to
 * this machine, also under its own host name (DNS rebinding), so `Host` and `Origin` are checked. A page served by this
 * machine doesn't have the token, and no response lets other origins read it.
 */
export function refusalOf(
  { method = '', url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  token: string,
): HttpRefusal | undefined {
  if (!validateHostHeader(headers.host, localhostAllowedHostnames()).ok)
    return { status: 403, message: 'This address is not served under that host.' };
  if (!validateOriginHeader(headers.origin, localhostAllowedOrigins()).ok)
    return { status: 403, message: 'Web pages are not served.' };
  if (url?.split('?', 1)[0] !== PATH) return { status: 404, message: `There is nothing here but ${PATH}.` };
  if (!isToken(headers.authorization, token))
    return {
      status: 401,
      message:
        'Send the token as "Authorization: Bearer …". VS Code copies it with "Tool Search: Copy MCP Server Entry".',
      headers: { 'WWW-Authenticate': 'Bearer' },
    };
  if (!METHODS.includes(method))
    return { status: 405, message: 'Method not allowed.', headers: { Allow: METHODS.join(', ') } };
  return undefined;
}

/** Whether a header has the token, in a scheme of any case. Hashes are compared, so the time doesn't depend on it. */
function isToken(authorization: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash((authorization ?? '').replace(/^bearer /i, 'Bearer ')), hash(`Bearer ${token}`));
}

/** The open connections, with and without the token. */
export class Connections {
  readonly #strangers = new Set<Socket>();
  readonly #admitted = new Set<Socket>();

  add(socket: Socket): void {
    this.#strangers.add(socket);
    socket.once('close', () => {
      this.#strangers.delete(socket);
      this.#admitted.delete(socket);
    });
    const [oldest] = this.#strangers;
    if (this.#strangers.size > MAX_STRANGERS) oldest?.destroy();
  }

  /** Records that a connection has sent the token. Returns false if there are too many such connections. */
  admit(socket: Socket): boolean {
    this.#strangers.delete(socket);
    if (!this.#admitted.has(socket) && this.#admitted.size >= MAX_CONNECTIONS) return false;
    this.#admitted.add(socket);
    return true;
  }
}
