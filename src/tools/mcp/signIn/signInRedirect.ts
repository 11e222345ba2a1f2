// The local page to which a browser returns after a sign-in (RFC 8252, loopback redirection).
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { l10n } from '../../../core/util/l10n';
import { untilAborted } from '../../../core/util/signals';

/** The port that VS Code uses for this too, so that one address can be registered for both. */
const PORT = 33418;
const page = () =>
  `<!doctype html><meta charset="utf-8"><title>Tool Search</title><p>${l10n.t('You can close this page and return to VS Code.')}</p>`;

/** The address to which a browser returns. */
export interface SignInRedirect {
  readonly url: string;
  /** Resolves with the parameters of the visit that has this `state`; rejects with the signal's reason. */
  visited(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

/**
 * Starts a server that only this machine can reach. A visit without an expected `state` gets 404.
 * @param toExternal returns an address that the user's browser can reach: in a remote window, VS Code forwards the port
 */
export async function openSignInRedirect(toExternal: (url: string) => Promise<string>): Promise<SignInRedirect> {
  const waiting = new Map<string, (params: URLSearchParams) => void>();
  const server = createServer((request, response) => {
    // Only the query is parsed: the rest, such as `//`, may be no address at all.
    const searchParams = new URLSearchParams(request.url?.split('?', 2)[1]);
    const arrive = waiting.get(searchParams.get('state') ?? '');
    if (request.method !== 'GET' || !arrive) return void response.writeHead(404).end();
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', Connection: 'close' };
    response.writeHead(200, { ...headers, 'Content-Security-Policy': "default-src 'none'" }).end(page());
    arrive(searchParams);
  });
  const listen = (at: number) => once(server.listen(at, '127.0.0.1'), 'listening');
  await listen(PORT).catch(() => listen(0));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: await toExternal(`http://127.0.0.1:${port}/`),
    visited: (state, signal) => {
      const arrived = new Promise<URLSearchParams>((arrive) => waiting.set(state, arrive));
      return untilAborted(arrived, signal).finally(() => waiting.delete(state));
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
