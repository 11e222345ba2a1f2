// Decides which connections and requests reach the endpoint, before anything of a request's body is read.

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

/**
 * Limits on connections that have sent the token and on those that haven't yet. If there are too many of the latter,
 * the oldest is closed.
 */
const MAX_CONNECTIONS = 100;
const MAX_STRANGERS = 20;

/** The response to a refused request. */
export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: { readonly [name: string]: string };
}

/** The body of a refusal, as MCP writes errors. */
export function errorBody(message: string): object {
  return { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
}

/**
 * Returns why a request is refused; undefined if it is allowed. A web page that the user has open can reach this
 * machine's ports, also under a host name of its own (DNS rebinding). It is recognised by its `Host` or `Origin`. A page
 * from this machine doesn't have the token, and no answer allows another origin to read it.
 */
export function refusalOf(
  { url, headers }: Pick<IncomingMessage, 'url' | 'headers'>,
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
  return undefined;
}

/**
 * Whether the header has the token. Takes the same time for any wrong token, because the hashes have one length. The
 * scheme may be in any case.
 */
function isToken(authorization: string | undefined, token: string): boolean {
  return timingSafeEqual(hash((authorization ?? '').replace(/^bearer /i, 'Bearer ')), hash(`Bearer ${token}`));
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The open connections. Each is a stranger until it has sent the token. */
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

  /** Records that a connection has sent the token; false if there are too many of these. */
  admit(socket: Socket): boolean {
    this.#strangers.delete(socket);
    if (!this.#admitted.has(socket) && this.#admitted.size >= MAX_CONNECTIONS) return false;
    this.#admitted.add(socket);
    return true;
  }
}
