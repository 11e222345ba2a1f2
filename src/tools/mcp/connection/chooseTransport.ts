// Connects to an MCP server with the MCP SDK, by the transport that it takes.

import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { l10n } from '../../../core/util/l10n';
import { messageOf } from '../../../core/util/messageOf';
import { withinOrigin } from '../../../core/util/withinOrigin';
import type { Target } from '../config/resolveEntry';
import { ServerFailure } from '../config/serverFailure';
import { fetchIssuer } from '../signIn/issuerRequests';
import { ServerSignIn } from '../signIn/serverSignIn';
import { HttpRequests } from '../transport/httpRequests';
import { ProcessGuard } from '../transport/processes';
import { StdioTransport } from '../transport/stdioTransport';
import { hasAuthorization, isRefusal, isUnauthorized, isUndecided, signInProblem, words } from './clientErrors';
import type { Connection, ConnectionEvents, ConnectOptions } from './connection';
import { SdkConnection } from './sdkConnection';

/** Ends the servers if this process ends. One instance serves all servers. */
const guard = new ProcessGuard();

/**
 * Returns the `fetch` for requests to a server. Headers and arguments are sent only to the origin in its file, even if
 * the SDK would follow a redirect.
 */
const fetchOwn = (file: string) =>
  withinOrigin(
    (input, init) => fetch(input, init),
    (problem) =>
      new Error(
        `${problem} ${l10n.t('Nothing is sent there. If that is where the server is, set its "url" in {0}.', file)}`,
      ),
  );

/** Connects to a server. The MCP SDK loads with this module, for the first server. */
export async function connect(options: ConnectOptions, events: ConnectionEvents): Promise<Connection> {
  const { target } = options;
  const requests = new HttpRequests(fetchOwn(options.file));
  const open: Open = (transport, mode) => SdkConnection.open({ transport, mode, requests }, options, events);
  const isOver = () => options.signal.aborted;
  if (target.kind === 'stdio') return reach(() => new StdioTransport(target, guard, events.log), open, isOver);
  const init = { requestInit: { headers: { ...target.headers } }, fetch: requests.fetch };
  if (!target.sseOnly) {
    try {
      if (await isSignedIn(options)) return await reachSignedIn(target, requests, options, events);
      return await reach(() => new StreamableHTTPClientTransport(target.url, init), open, isOver);
    } catch (error) {
      if (!(error instanceof ServerFailure)) throw error;
      if (canSignIn(options) && isUnauthorized(error.cause)) return reachSignedIn(target, requests, options, events);
      // According to the protocol, a server of the older transport refuses the first message with one of these
      // statuses.
      if (!isRefusal(error.cause)) throw error;
      events.log('It refuses Streamable HTTP, so the older transport (SSE) is tried.');
    }
  }
  return open(new SSEClientTransport(target.url, init), 'legacy');
}

type Open = (transport: Transport, mode: 'auto' | 'legacy') => Promise<Connection>;

/**
 * Connects in one of two ways. The SDK first asks a server for its protocol revisions (`server/discover`). Most servers
 * are older and refuse that request. Some end or fail instead; then a second connection uses the old way.
 */
async function reach(makeTransport: () => Transport, open: Open, isOver: () => boolean, first = makeTransport()) {
  try {
    return await open(first, 'auto');
  } catch (error) {
    if (isOver() || !(error instanceof ServerFailure && isUndecided(error.cause))) throw error;
    return open(makeTransport(), 'legacy');
  }
}

function canSignIn(options: ConnectOptions): boolean {
  return options.signIn !== undefined && !hasAuthorization(options);
}

async function isSignedIn(options: ConnectOptions): Promise<boolean> {
  return canSignIn(options) && (await options.signIn?.kept.read()) !== undefined;
}

/**
 * Connects to a server that needs a sign-in. Uses the stored tokens, renewed if necessary, or asks the user to sign in.
 */
async function reachSignedIn(
  target: Target & { kind: 'http' },
  requests: HttpRequests,
  options: ConnectOptions,
  events: ConnectionEvents,
): Promise<Connection> {
  if (!options.signIn) throw new ServerFailure(signInProblem(options));
  const isSignedInAlready = await isSignedIn(options);
  const signIn = new ServerSignIn(options.signIn, await options.signIn.redirect());
  /** Whether the server names the service that issues its tokens. */
  let namesIssuer = false;
  const fetchOther = fetchIssuer(target.url);
  const fetchBoth: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    // The headers in mcp.json are for the server only, not for the service that issues tokens.
    if (url.href !== target.url.href) {
      const response = await fetchOther(input, init);
      namesIssuer ||= response.ok && url.pathname.startsWith('/.well-known/oauth-protected-resource');
      return response;
    }
    return requests.fetch(input, {
      ...init,
      headers: new Headers([...Object.entries(target.headers), ...new Headers(init?.headers)]),
    });
  };
  const open: Open = (transport, mode) => SdkConnection.open({ transport, mode, requests, signIn }, options, events);
  const isOver = () => signIn.isWanted || options.signal.aborted;
  const makeTransport = () => new StreamableHTTPClientTransport(target.url, { fetch: fetchBoth, authProvider: signIn });
  const first = makeTransport();
  try {
    return await reach(makeTransport, open, isOver, first);
  } catch (error) {
    if (signIn.isWanted) {
      await signIn.finish(first, events, options.signal);
      return reach(makeTransport, open, isOver);
    }
    if (options.signal.aborted || isSignedInAlready) throw error;
    if (namesIssuer && error instanceof ServerFailure)
      throw new ServerFailure(l10n.t('Signing in to it failed: {0}', words(error.cause)), { cause: error });
    throw new ServerFailure(`${signInProblem(options)} (${messageOf(error)})`, { cause: error });
  }
}
