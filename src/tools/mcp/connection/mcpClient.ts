// Connects to MCP servers with the MCP SDK.

import {
  Client,
  InsufficientScopeError,
  type JSONRPCMessage,
  type MessageExtraInfo,
  ProtocolError,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  type StandardSchemaV1,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
  UriTemplate,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { ENDPOINT_NAME } from '../../../core/agents/endpointPort';
import type { Tool } from '../../../core/catalog/tool';
import { cut } from '../../../core/util/cut';
import { l10n } from '../../../core/util/l10n';
import { messageOf } from '../../../core/util/messageOf';
import { asObject, isObject, jsonText } from '../../../core/util/objects';
import { oneLine } from '../../../core/util/plainText';
import { isOverWithin, onAbort } from '../../../core/util/signals';
import { withinOrigin } from '../../../core/util/withinOrigin';
import { withoutErrorCode } from '../../outcome';
import { ServerFailure, ServerGone } from '../config/failure';
import type { Target } from '../config/resolveEntry';
import { fetchIssuer } from '../signIn/issuerRequests';
import { ServerSignIn } from '../signIn/serverSignIn';
import { Burst, tooMuchUnasked } from '../transport/burst';
import { HttpRequests, StreamCut } from '../transport/httpRequests';
import { ProcessGuard } from '../transport/processes';
import { errorWords } from '../transport/serverError';
import { StdioTransport } from '../transport/stdioTransport';
import type { CallOptions, Connection, ConnectionEvents, ConnectOptions, ListedItem } from './connection';
import { readForm } from './elicitationForm';
import { type ListKind, listAll, type ServerList, TOOL_LIST } from './listAll';

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
      new Error(`${problem} Nothing is sent there. If that is where the server is, set its "url" in ${file}.`),
  );

/** The error code of a server that refuses a call because its headers don't match its arguments. */
const HEADER_MISMATCH = -32020;
/** Options for change notifications: the SDK only reports them, and the lists are read later. */
const ANNOUNCED = { autoRefresh: false, debounceMs: 0 };
/** The maximum number of entries in a list of resources, templates or prompts. More would make the search useless. */
const MAX_ITEMS = 2_000;
const ITEM_LISTS = [
  { kind: 'resource', method: 'resources/list', key: 'resources', address: 'uri', of: 'resources' },
  {
    kind: 'template',
    method: 'resources/templates/list',
    key: 'resourceTemplates',
    address: 'uriTemplate',
    of: 'resources',
  },
  { kind: 'prompt', method: 'prompts/list', key: 'prompts', address: 'name', of: 'prompts' },
] as const;
/**
 * The maximum time that a process has to answer which protocol revisions it supports, in milliseconds. Some older
 * servers never answer.
 */
const PROBE_MS = 5_000;

/** A schema that accepts anything. Results are checked later, by the code that reads them. */
const UNCHECKED: StandardSchemaV1<unknown, { readonly [key: string]: unknown }> = {
  '~standard': {
    version: 1,
    vendor: 'tool-search',
    validate: (value) => ({ value: value as { [key: string]: unknown } }),
  },
};

/** A transport and the options of its connection. */
interface Link {
  readonly transport: Transport;
  readonly mode: VersionNegotiationMode;
  readonly requests: HttpRequests;
  /** The sign-in of this connection; undefined if none is needed. */
  readonly signIn?: ServerSignIn | undefined;
}

/**
 * Connects to a server. Only this module, the stdio transport and the sign-in use the MCP SDK, which loads with the
 * first server. The SDK first asks a server for its protocol revisions (`server/discover`). Most servers are older and
 * refuse that request. Some end or fail instead; then a second connection uses the old way.
 */
export async function connect(options: ConnectOptions, events: ConnectionEvents): Promise<Connection> {
  const { target } = options;
  const requests = new HttpRequests(fetchOwn(options.file));
  const reach = async (makeTransport: () => Transport) => {
    try {
      return await greet({ transport: makeTransport(), mode: 'auto', requests }, options, events);
    } catch (error) {
      if (!(error instanceof ServerFailure && isUndecided(error.cause)) || options.signal.aborted) throw error;
      return greet({ transport: makeTransport(), mode: 'legacy', requests }, options, events);
    }
  };
  if (target.kind === 'stdio') {
    return reach(() => new StdioTransport(target, guard, events.log));
  }
  const init = { requestInit: { headers: { ...target.headers } }, fetch: requests.fetch };
  if (!target.sseOnly) {
    try {
      if (await isSignedIn(options)) return await reachSignedIn(target, requests, options, events);
      return await reach(() => new StreamableHTTPClientTransport(target.url, init));
    } catch (error) {
      if (!(error instanceof ServerFailure)) throw error;
      if (canSignIn(options) && isUnauthorized(error.cause)) return reachSignedIn(target, requests, options, events);
      // According to the protocol, a server of the older transport refuses the first message with one of these
      // statuses.
      if (!isRefusal(error.cause)) throw error;
      events.log('It refuses Streamable HTTP, so the older transport (SSE) is tried.');
    }
  }
  return greet({ transport: new SSEClientTransport(target.url, init), mode: 'legacy', requests }, options, events);
}

function hasAuthorization({ target }: ConnectOptions): boolean {
  return target.kind === 'http' && Object.keys(target.headers).some((name) => name.toLowerCase() === 'authorization');
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
  if (!options.signIn) throw new ServerFailure(`It ${signInProblem(options)}`);
  const isSignedInAlready = await isSignedIn(options);
  const signIn = new ServerSignIn(options.signIn, await options.signIn.redirect());
  /** Whether the server names the service that issues its tokens. */
  let namesIssuer = false;
  const fetchBoth: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    // The headers in mcp.json are for the server only, not for the service that issues tokens.
    if (url.href !== target.url.href) {
      const response = await fetchIssuer(input, init);
      namesIssuer ||= response.ok && url.pathname.startsWith('/.well-known/oauth-protected-resource');
      return response;
    }
    return requests.fetch(input, {
      ...init,
      headers: new Headers([...Object.entries(target.headers), ...new Headers(init?.headers)]),
    });
  };
  const greetOnce = async (transport: StreamableHTTPClientTransport) => {
    try {
      return await greet({ transport, mode: 'auto', requests, signIn }, options, events);
    } catch (error) {
      if (signIn.isWanted || !(error instanceof ServerFailure && isUndecided(error.cause))) throw error;
      return greet({ transport: makeTransport(), mode: 'legacy', requests, signIn }, options, events);
    }
  };
  const makeTransport = () => new StreamableHTTPClientTransport(target.url, { fetch: fetchBoth, authProvider: signIn });
  const transport = makeTransport();
  try {
    return await greetOnce(transport);
  } catch (error) {
    if (signIn.isWanted) {
      await signIn.finish(transport, events, options.signal);
      return greetOnce(makeTransport());
    }
    if (options.signal.aborted || isSignedInAlready) throw error;
    if (namesIssuer && error instanceof ServerFailure)
      throw new ServerFailure(`Signing in to it failed: ${words(error.cause)}`, { cause: error });
    throw new ServerFailure(`It ${signInProblem(options)} (${messageOf(error)})`, { cause: error });
  }
}

/** Whether the request for revisions failed in a way that doesn't show how to connect. */
function isUndecided(cause: unknown): boolean {
  return cause instanceof SdkError && cause.code === SdkErrorCode.EraNegotiationFailed;
}

/** Returns the HTTP status of a refusal; undefined for other errors. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  if (error instanceof SseError) return error.code;
  const status = error instanceof SdkError && isObject(error.data) ? error.data.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

function isRefusal(cause: unknown): boolean {
  return revisionsIn(cause) === undefined && [400, 404, 405, 406, 415, 501].includes(statusOf(cause) ?? 0);
}

async function greet(
  { transport, mode, requests, signIn }: Link,
  options: ConnectOptions,
  events: ConnectionEvents,
): Promise<Connection> {
  const process = transport instanceof StdioTransport ? transport : undefined;
  const client = new Client(
    { name: 'tool-search-vscode', version: options.version },
    {
      capabilities: { roots: {}, elicitation: { form: { applyDefaults: true } } },
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
      versionNegotiation: {
        mode,
        ...(process && { probe: { timeoutMs: Math.min(PROBE_MS, options.timeoutMs) } }),
      },
      listChanged: {
        tools: { ...ANNOUNCED, onChanged: () => events.toolsChanged() },
        resources: { ...ANNOUNCED, onChanged: () => events.itemsChanged() },
        prompts: { ...ANNOUNCED, onChanged: () => events.itemsChanged() },
      },
    },
  );
  client.setRequestHandler('roots/list', () => ({ roots: [...options.roots()] }));
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq: { signal } }) => {
    const form = readForm(params);
    if (form) return events.asked(form, signal);
    events.log('It asked for something that no form can show: the request was cancelled.');
    return { action: 'cancel' };
  });
  client.setNotificationHandler('notifications/message', ({ params }) =>
    events.log(`${params.level}: ${typeof params.data === 'string' ? params.data : jsonText(params.data)}`),
  );
  const unasked = new Burst(MAX_UNASKED);
  let flooded: string | undefined;
  const noteUnasked = () => {
    if (flooded !== undefined || unasked.add()) return;
    flooded = tooMuchUnasked();
    if (process) process.stop(flooded);
    else void transport.close();
  };
  client.onerror = (error) => {
    // A cancelled request closes its connection, which isn't an error.
    if (error.name === 'AbortError') return;
    noteUnasked();
    events.log(messageOf(error));
  };

  let state: 'greeting' | 'open' | 'closing' | 'closed' = 'greeting';
  const howItEnded = () => flooded ?? process?.ending;
  const close = async () => {
    state = 'closing';
    if (transport instanceof StreamableHTTPClientTransport) await isOverWithin(END_MS, transport.terminateSession());
    await client.close().catch(() => {});
    // The SDK doesn't close a transport that failed to connect.
    await transport.close().catch(() => {});
  };
  const stop = onAbort(options.signal, () => void transport.close());
  try {
    options.signal.throwIfAborted();
    await client.connect(transport, { timeout: options.timeoutMs, signal: options.signal });
  } catch (error) {
    const ending = howItEnded();
    await close();
    throw new ServerFailure(ending ?? startProblem(error, options), { cause: error });
  } finally {
    stop();
  }
  const { onmessage: take } = transport;
  transport.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
    if ('method' in message) noteUnasked();
    if (flooded === undefined) take?.(message, extra);
  };
  state = 'open';
  client.onclose = () => {
    const wasOpen = state === 'open';
    state = 'closed';
    if (wasOpen) events.ended(howItEnded() ?? l10n.t('It closed the connection.'));
  };
  const ending = howItEnded();
  if (ending !== undefined) throw new ServerFailure(ending);
  if (client.getServerVersion()?.name === ENDPOINT_NAME) {
    await close();
    throw new ServerFailure(l10n.t('It is an MCP endpoint of Tool Search itself. Remove it from {0}.', options.file));
  }

  /** Names of tools that need arguments as HTTP headers too. Their calls go through the SDK, which supports that. */
  const mirrored = new Set<string>();
  /** Leaves out tools that ask for headers that the protocol forbids, as the protocol demands. */
  const withValidHeaders = async (list: ServerList): Promise<ServerList> => {
    const wanting = list.entries.filter((tool) => jsonText(tool).includes('"x-mcp-header"'));
    if (wanting.length === 0 || client.getProtocolEra() !== 'modern') return list;
    const valid = new Set((await client.listTools()).tools.map(({ name }) => name));
    const isValid = (tool: unknown) => isObject(tool) && typeof tool.name === 'string' && valid.has(tool.name);
    for (const tool of wanting) if (isValid(tool) && isObject(tool)) mirrored.add(String(tool.name));
    const left = list.entries.filter((tool) => !wanting.includes(tool) || isValid(tool));
    const count = list.entries.length - left.length;
    const problem = l10n.t('Number of tools left out because they ask for HTTP headers that MCP forbids: {0}.', count);
    return { ...list, entries: left, problems: count > 0 ? [...list.problems, problem] : list.problems };
  };
  /**
   * Makes a request again after a sign-in, if it was refused because a sign-in or a scope was missing. A refused
   * request didn't run.
   */
  const signedIn = async <Result>(signal: AbortSignal, request: () => Promise<Result>): Promise<Result> => {
    try {
      return await request();
    } catch (error) {
      if (!signIn?.isWanted || !(transport instanceof StreamableHTTPClientTransport)) throw error;
      await signIn.finish(transport, events, signal);
      return request();
    }
  };

  /**
   * Makes a request without a timeout; the caller's signal ends it. The message of a rejection continues a sentence.
   * @param again whether to repeat a request after this error, once
   */
  const answered = async (
    { signal, onProgress }: CallOptions,
    ask: (how: RequestOptions) => Promise<{ readonly [key: string]: unknown }>,
    again: (error: unknown) => boolean = () => false,
  ) => {
    const how: RequestOptions = {
      signal,
      timeout: FOR_EVER_MS,
      onprogress: ({ progress, total, message }) =>
        onProgress([message, total ? `${progress}/${total}` : ''].filter(Boolean).join(' ')),
    };
    const once = () => requests.ask((onresumptiontoken) => ask({ ...how, onresumptiontoken }));
    try {
      return await signedIn(signal, once).catch((error: unknown) => {
        if (again(error)) return once();
        throw error;
      });
    } catch (error) {
      if (isUnauthorized(error))
        throw new ServerFailure(`failed: its server ${signInProblem(options)}`, { cause: error });
      const broken = brokenConnection(error, state === 'closed');
      if (broken)
        throw new ServerFailure(`was cut off: ${broken} before it answered. The call may have run all the same.`, {
          cause: error,
        });
      if (!isGone(error)) throw new ServerFailure(`failed: ${words(error)}`, { cause: error });
      events.ended('It has forgotten the session, or does not listen any more.');
      throw new ServerGone(`failed: ${words(error)}`, { cause: error });
    }
  };

  const pageOf = (method: ListKind['method']) => (cursor: string | undefined) =>
    signedIn(options.signal, () =>
      requests.ask((onresumptiontoken) =>
        client.request({ method, params: cursor === undefined ? {} : { cursor } }, UNCHECKED, {
          timeout: options.timeoutMs,
          onresumptiontoken,
        }),
      ),
    );
  const listItems = async (): Promise<ServerList<ListedItem>> => {
    const capabilities = client.getServerCapabilities() ?? {};
    const offered = ITEM_LISTS.filter((list) => capabilities[list.of]);
    const lists = await Promise.all(
      offered.map(async ({ kind, address, ...list }) => {
        const listed = await listAll({ ...list, max: MAX_ITEMS }, pageOf(list.method)).catch((error: unknown) => {
          // Some servers declare a capability but don't support all of its methods.
          if (error instanceof ProtocolError) return { entries: [], problems: [], ttlMs: 0, isPublic: false };
          throw new ServerFailure(`It did not answer ${list.method}: ${words(error)}`, { cause: error });
        });
        const entries = listed.entries.flatMap((about) => {
          const given = isObject(about) ? about[address] : undefined;
          return isObject(about) && typeof given === 'string' ? [{ kind, about, address: given }] : [];
        });
        return { ...listed, entries };
      }),
    );
    return {
      entries: lists.flatMap(({ entries }) => entries),
      problems: lists.flatMap(({ problems }) => problems),
      ttlMs: lists.length > 0 ? Math.min(...lists.map(({ ttlMs }) => ttlMs)) : 0,
      isPublic: lists.every(({ isPublic }) => isPublic),
    };
  };

  return {
    get process() {
      return process?.process;
    },
    listTools: () => {
      if (!client.getServerCapabilities()?.tools)
        return Promise.resolve({
          entries: [],
          problems: [l10n.t('It says that it has no tools.')],
          ttlMs: 0,
          isPublic: false,
        });
      return listAll(TOOL_LIST, pageOf(TOOL_LIST.method))
        .then(withValidHeaders)
        .catch((error: unknown) => {
          if (isUnauthorized(error)) throw new ServerFailure(`It ${signInProblem(options)}`, { cause: error });
          const late = isTimeout(error) ? ` within ${options.timeoutMs / 1000} seconds.` : `: ${words(error)}`;
          throw new ServerFailure(`It did not list its tools${late}`, { cause: error });
        });
    },
    call: async (tool, input, how) => {
      const request = requestFor(tool, input);
      const call = (asked: RequestOptions) =>
        request.method === 'tools/call' && mirrored.has(tool.name)
          ? client.callTool(request.params, asked)
          : client.request(request, UNCHECKED, asked);
      // The server refused the call before running it. The SDK then reads the tools again to find the headers.
      const again = (error: unknown) =>
        error instanceof ProtocolError && error.code === HEADER_MISMATCH && mirrored.add(tool.name) !== undefined;
      return answered(how, call, again);
    },
    listItems,
    close,
  };
}

/** Returns the request that calls a tool, reads a resource or gets a prompt. */
function requestFor({ name, item }: Tool, input: { readonly [name: string]: unknown }) {
  const read = (uri: string) => ({ method: 'resources/read', params: { uri } }) as const;
  switch (item?.kind) {
    case undefined:
      return { method: 'tools/call', params: { name, arguments: input } } as const;
    case 'linked':
      return read(String(input.uri));
    case 'resource':
      return read(item.address);
    case 'template':
      return read(expanded(item.address, input));
    case 'prompt': {
      const texts = input as { readonly [name: string]: string };
      return { method: 'prompts/get', params: { name: item.address, arguments: texts } } as const;
    }
  }
}

function expanded(template: string, input: { readonly [name: string]: unknown }): string {
  const texts = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
  try {
    return new UriTemplate(template).expand(texts);
  } catch (error) {
    throw new ServerFailure(`failed: its URI can't be made. ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Whether a request over HTTP certainly reached no server that knows this session. The request can be repeated after a
 * new connection. A lost connection is different, since the server may have read the request: see {@link isCutOff}.
 */
function isGone(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status === 404;
  return causeCode(error) === 'ECONNREFUSED';
}

/** Whether the connection was lost after the request was sent. The server may have run the call. */
function isCutOff(error: unknown): boolean {
  return error instanceof StreamCut || ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(String(causeCode(error)));
}

/** Statuses with which a gateway reports that the server got the request but didn't answer. */
const GATEWAY_ERRORS = new Set([502, 504]);

/** Returns the code of the cause of a failed `fetch`. */
function causeCode(error: unknown): unknown {
  return error instanceof Error ? (error.cause as { code?: unknown } | undefined)?.code : undefined;
}

/** The maximum number of notifications, requests and unexpected answers of a server in a minute. */
const MAX_UNASKED = { count: 10_000 };

/** The maximum delay of a timer in Node, in milliseconds. */
const FOR_EVER_MS = 2 ** 31 - 1;
/** The time that a server has to end a session, in milliseconds. */
const END_MS = 1000;

function startProblem(error: unknown, options: ConnectOptions): string {
  const revisions = revisionsIn(error);
  if (revisions !== undefined) return `It speaks no revision of MCP that Tool Search knows, but ${revisions}.`;
  if (isTimeout(error)) return l10n.t('It did not answer within {0} seconds.', options.timeoutMs / 1000);
  if (isUnauthorized(error)) return `It ${signInProblem(options)}`;
  return `It did not start: ${words(error)}`;
}

/** The error code of a server that supports none of the client's protocol revisions. */
const UNSUPPORTED_REVISION = -32022;
/** The maximum number of characters of a server's list of revisions. */
const MAX_REVISIONS = 200;

/** Returns the protocol revisions that a server supports if it refuses ours; undefined for other errors. */
function revisionsIn(error: unknown): string | undefined {
  const body = error instanceof SdkHttpError ? asObject(asObject(error.data)?.text) : undefined;
  const { code, data } = asObject(error instanceof ProtocolError ? error : body?.error) ?? {};
  const supported = asObject(data)?.supported;
  if (code !== UNSUPPORTED_REVISION || !Array.isArray(supported)) return undefined;
  return cut(oneLine(supported.map(String).join(', ')), MAX_REVISIONS);
}

/**
 * Returns how the connection was lost before the answer; undefined if the error is the server's own answer.
 * @param isClosed whether the connection is closed; a server may also send the SDK's code for a closed connection as an
 * error of its own
 */
function brokenConnection(error: unknown, isClosed: boolean): string | undefined {
  if (isClosed && error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed)
    return 'its server stopped';
  if (error instanceof SdkHttpError && GATEWAY_ERRORS.has(error.status))
    return `a gateway before its server said ${error.status}`;
  return isCutOff(error) ? 'the connection to its server broke' : undefined;
}

function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

/** Returns the end of a sentence that begins with the server. */
function signInProblem(options: ConnectOptions): string {
  return hasAuthorization(options)
    ? `refuses the Authorization that its "headers" in ${options.file} give. Put a valid one there; Forget MCP Inputs lets you answer again.`
    : `wants a sign-in, and ${options.file} gives it none. Add "headers": {"Authorization": "Bearer \${input:token}"} to it there and "token" to "inputs".`;
}

function isUnauthorized(error: unknown): boolean {
  if (error instanceof InsufficientScopeError || error instanceof UnauthorizedError) return true;
  const status = statusOf(error);
  return status === 401 || status === 403;
}

/** Returns an error's message. The message `fetch failed` is replaced by the message of its cause. */
function words(error: unknown): string {
  if (error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError'))
    return "The server's answer isn't valid MCP.";
  if (error instanceof ProtocolError) return errorWords({ ...error, message: withoutErrorCode(error.message) });
  const cause =
    error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message || error.cause.name})` : '';
  return `${messageOf(error)}${cause}`;
}
