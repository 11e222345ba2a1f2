import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The only path of the endpoint. */
export const PATH = '/mcp';

/** The parts of a request that are checked before its body is read. */
interface HttpRequestHead {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** The response to a refused request. */
export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: { readonly [name: string]: string };
}

const METHODS = ['POST', 'GET', 'DELETE'];

/**
 * Returns why a request is refused; undefined if it is allowed. A web page that the user has open can reach this
 * machine's ports, also under a host name of its own (DNS rebinding). It is recognised by its `Host`, or by its
 * `Origin`, which no MCP client sends. For the same reason, no answer allows another origin to read it.
 */
export function refusalOf(
  { method, url, headers }: HttpRequestHead,
  { port, token }: { readonly port: number; readonly token: string },
): HttpRefusal | undefined {
  const host = headers.host?.toLowerCase();
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)
    return { status: 403, message: 'This address is not served under that host.' };
  if (headers.origin !== undefined) return { status: 403, message: 'Web pages are not served.' };
  if (url?.split('?', 1)[0] !== PATH) return { status: 404, message: `There is nothing here but ${PATH}.` };
  if (!isToken(headers.authorization, token))
    return {
      status: 401,
      message:
        'Send the token as "Authorization: Bearer …". VS Code copies it with "Tool Search: Copy MCP Server Entry".',
      headers: { 'WWW-Authenticate': 'Bearer' },
    };
  if (!METHODS.includes(method ?? ''))
    return { status: 405, message: `${method} is not served.`, headers: { Allow: METHODS.join(', ') } };
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
