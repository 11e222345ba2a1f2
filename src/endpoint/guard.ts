import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The one address of the endpoint. */
export const PATH = '/mcp';

/** A request, as far as it can be judged before its body is read. */
interface HttpRequestHead {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** What is answered instead. */
export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: { readonly [name: string]: string };
}

const METHODS = ['POST', 'GET', 'DELETE'];

/**
 * Why a request is refused; undefined where it isn't. A web page that the user has open can reach this machine's ports, under a
 * name of its own too (DNS rebinding): it is known by its `Host`, or by its `Origin`, which no MCP client sends. For the same
 * reason no answer allows another origin to read it.
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

/** Takes the same time however much of the token is right: the hashes have one length. The scheme may have any case. */
function isToken(authorization: string | undefined, token: string): boolean {
  return timingSafeEqual(hash((authorization ?? '').replace(/^bearer /i, 'Bearer ')), hash(`Bearer ${token}`));
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
