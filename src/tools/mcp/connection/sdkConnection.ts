// A connection to an MCP server with the MCP SDK.

import {
  Client,
  type JSONRPCMessage,
  type MessageExtraInfo,
  ProtocolError,
  type RequestOptions,
  type StandardSchemaV1,
  StreamableHTTPClientTransport,
  type Transport,
  UriTemplate,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { ENDPOINT_NAME } from '../../../core/agents/endpointPort';
import type { Tool } from '../../../core/catalog/tool';
import { l10n } from '../../../core/util/l10n';
import { messageOf } from '../../../core/util/messageOf';
import { isObject, jsonText } from '../../../core/util/objects';
import { onAbort } from '../../../core/util/signals';
import { isOverWithin } from '../../../core/util/timers';
import { ServerFailure, ServerGone } from '../config/serverFailure';
import type { ServerSignIn } from '../signIn/serverSignIn';
import type { HttpRequests } from '../transport/httpRequests';
import { createRateLimit, tooMuchUnasked } from '../transport/rateLimit';
import { StdioTransport } from '../transport/stdioTransport';
import {
  brokenConnection,
  hasAuthorization,
  isGone,
  isTimeout,
  isUnauthorized,
  signInProblem,
  startProblem,
  words,
} from './clientErrors';
import type { CallOptions, Connection, ConnectionEvents, ConnectOptions, ListedItem } from './connection';
import { readForm } from './elicitationForm';
import { type ListKind, listAll, type ServerList, TOOL_LIST } from './listAll';

/** A server refuses a call with this code if its headers don't match its arguments. */
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
/** The time that a process has to answer which protocol revisions it supports. Some older servers never answer. */
const PROBE_MS = 5_000;

/** A schema that accepts anything. Results are checked later, by the code that reads them. */
const UNCHECKED: StandardSchemaV1<unknown, { readonly [key: string]: unknown }> = {
  '~standard': {
    version: 1,
    vendor: 'tool-search',
    validate: (value) => ({ value: value as { [key: string]: unknown } }),
  },
};

/** The maximum number of notifications, requests and unexpected answers of a server in a minute. */
const MAX_UNASKED = { count: 10_000 };

/** The maximum delay of a timer in Node. */
const FOR_EVER_MS = 2 ** 31 - 1;
/** The time that a server has to end a session. */
const END_MS = 1000;

/** A transport and the options of its connection. */
interface Link {
  readonly transport: Transport;
  readonly mode: VersionNegotiationMode;
  readonly requests: HttpRequests;
  /** The sign-in of this connection; undefined if none is needed. */
  readonly signIn?: ServerSignIn | undefined;
}

/** An open connection to a server. */
export class SdkConnection implements Connection {
  readonly #link: Link;
  readonly #options: ConnectOptions;
  readonly #events: ConnectionEvents;
  readonly #process: StdioTransport | undefined;
  readonly #client: Client;
  readonly #unasked = createRateLimit(MAX_UNASKED);
  /** The reason why the server was stopped, if it sent too much unasked. */
  #flooded: string | undefined;
  #state: 'greeting' | 'open' | 'closing' | 'closed' = 'greeting';
  /** Names of tools that need arguments as HTTP headers too. Their calls go through the SDK, which supports that. */
  readonly #mirrored = new Set<string>();

  /** Connects once, in one way. Rejects with a {@link ServerFailure} whose cause is the SDK's error. */
  static async open(link: Link, options: ConnectOptions, events: ConnectionEvents): Promise<Connection> {
    const connection = new SdkConnection(link, options, events);
    await connection.#greet();
    return connection;
  }

  private constructor(link: Link, options: ConnectOptions, events: ConnectionEvents) {
    this.#link = link;
    this.#options = options;
    this.#events = events;
    this.#process = link.transport instanceof StdioTransport ? link.transport : undefined;
    this.#client = this.#createClient();
  }

  async listTools(): Promise<ServerList> {
    if (!this.#client.getServerCapabilities()?.tools)
      return { entries: [], problems: [l10n.t('It says that it has no tools.')], ttlMs: 0, isPublic: false };
    try {
      return await this.#withValidHeaders(await listAll(TOOL_LIST, this.#pageOf(TOOL_LIST.method)));
    } catch (error) {
      if (isUnauthorized(error)) throw new ServerFailure(signInProblem(this.#options), { cause: error });
      const why = isTimeout(error)
        ? l10n.t('It did not list its tools within {0} seconds.', this.#options.timeoutMs / 1000)
        : l10n.t('It did not list its tools: {0}', words(error));
      throw new ServerFailure(why, { cause: error });
    }
  }

  async listItems(): Promise<ServerList<ListedItem>> {
    const capabilities = this.#client.getServerCapabilities() ?? {};
    const offered = ITEM_LISTS.filter((list) => capabilities[list.of]);
    const lists = await Promise.all(
      offered.map(async ({ kind, address, ...list }) => {
        const listed = await listAll({ ...list, max: MAX_ITEMS }, this.#pageOf(list.method)).catch((error: unknown) => {
          // Some servers declare a capability but don't support all of its methods.
          if (error instanceof ProtocolError) return { entries: [], problems: [], ttlMs: 0, isPublic: false };
          throw new ServerFailure(l10n.t('It did not answer {0}: {1}', list.method, words(error)), { cause: error });
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
  }

  async call(
    tool: Tool,
    input: { readonly [name: string]: unknown },
    { signal, onProgress }: CallOptions,
  ): Promise<{ readonly [key: string]: unknown }> {
    const request = requestFor(tool, input);
    const how: RequestOptions = {
      signal,
      // The caller's signal ends the request.
      timeout: FOR_EVER_MS,
      onprogress: ({ progress, total, message }) =>
        onProgress([message, total ? `${progress}/${total}` : ''].filter(Boolean).join(' ')),
    };
    const once = () =>
      this.#link.requests.ask((onresumptiontoken) =>
        request.method === 'tools/call' && this.#mirrored.has(tool.name)
          ? this.#client.callTool(request.params, { ...how, onresumptiontoken })
          : this.#client.request(request, UNCHECKED, { ...how, onresumptiontoken }),
      );
    try {
      return await this.#signedIn(signal, once).catch((error: unknown) => {
        if (!(error instanceof ProtocolError && error.code === HEADER_MISMATCH)) throw error;
        // The server refused the call before running it. The SDK then reads the tools again to find the headers.
        this.#mirrored.add(tool.name);
        return once();
      });
    } catch (error) {
      throw this.#callFailure(error);
    }
  }

  async close(): Promise<void> {
    const { transport } = this.#link;
    this.#state = 'closing';
    if (transport instanceof StreamableHTTPClientTransport) await isOverWithin(END_MS, transport.terminateSession());
    await this.#client.close().catch(() => {});
    // The SDK doesn't close a transport that failed to connect.
    await transport.close().catch(() => {});
  }

  #createClient(): Client {
    const { version, timeoutMs, roots } = this.#options;
    const events = this.#events;
    const client = new Client(
      { name: 'tool-search-vscode', version },
      {
        capabilities: { roots: {}, elicitation: { form: { applyDefaults: true } } },
        jsonSchemaValidator: {
          getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
        },
        versionNegotiation: {
          mode: this.#link.mode,
          ...(this.#process && { probe: { timeoutMs: Math.min(PROBE_MS, timeoutMs) } }),
        },
        listChanged: {
          tools: { ...ANNOUNCED, onChanged: () => events.toolsChanged() },
          resources: { ...ANNOUNCED, onChanged: () => events.itemsChanged() },
          prompts: { ...ANNOUNCED, onChanged: () => events.itemsChanged() },
        },
      },
    );
    client.setRequestHandler('roots/list', () => ({ roots: [...roots()] }));
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq: { signal } }) => {
      const form = readForm(params);
      if (form) return events.asked(form, signal);
      events.log('It asked for something that no form can show: the request was cancelled.');
      return { action: 'cancel' };
    });
    client.setNotificationHandler('notifications/message', ({ params }) =>
      events.log(`${params.level}: ${typeof params.data === 'string' ? params.data : jsonText(params.data)}`),
    );
    client.onerror = (error) => {
      // A cancelled request closes its connection, which isn't an error.
      if (/^(Error: SSE stream disconnected: )?AbortError\b/.test(`${error}`)) return;
      this.#noteUnasked();
      events.log(messageOf(error));
    };
    return client;
  }

  async #greet(): Promise<void> {
    const { signal, timeoutMs, file } = this.#options;
    const { transport } = this.#link;
    const stop = onAbort(signal, () => void transport.close());
    try {
      signal.throwIfAborted();
      await this.#client.connect(transport, { timeout: timeoutMs, signal });
    } catch (error) {
      const ending = this.#ending;
      await this.close();
      throw new ServerFailure(ending ?? startProblem(error, this.#options), { cause: error });
    } finally {
      stop();
    }
    this.#watch();
    if (this.#ending !== undefined) throw new ServerFailure(this.#ending);
    if (this.#client.getServerVersion()?.name === ENDPOINT_NAME) {
      await this.close();
      throw new ServerFailure(l10n.t('It is an MCP endpoint of Tool Search itself. Remove it from {0}.', file));
    }
  }

  /** Counts what the server sends unasked, and reports when the connection ends. */
  #watch(): void {
    const { transport } = this.#link;
    const { onmessage: take } = transport;
    transport.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
      if ('method' in message) this.#noteUnasked();
      if (this.#flooded === undefined) take?.(message, extra);
    };
    this.#state = 'open';
    this.#client.onclose = () => {
      const wasOpen = this.#state === 'open';
      this.#state = 'closed';
      if (wasOpen) this.#events.ended(this.#ending ?? l10n.t('It closed the connection.'));
    };
  }

  /** Why the server was stopped or ended by itself; undefined if it runs or isn't a process. */
  get #ending(): string | undefined {
    return this.#flooded ?? this.#process?.ending;
  }

  /** Stops a server that sends too much unasked. */
  #noteUnasked(): void {
    if (this.#flooded !== undefined || this.#unasked()) return;
    this.#flooded = tooMuchUnasked();
    if (this.#process) this.#process.stop(this.#flooded);
    else void this.#link.transport.close();
  }

  /** Returns the failure of a call, whose message continues a sentence. A server that is gone is reported as ended. */
  #callFailure(error: unknown): ServerFailure {
    const cause = { cause: error };
    if (isUnauthorized(error)) {
      const wants = hasAuthorization(this.#options) ? 'refuses its Authorization' : 'wants a sign-in';
      return new ServerFailure(`failed: its server ${wants}. The user reads in the inspector what to do.`, cause);
    }
    const broken = brokenConnection(error, this.#state === 'closed');
    if (broken)
      return new ServerFailure(`was cut off: ${broken} before it answered. The call may have run all the same.`, cause);
    if (!isGone(error) || this.#state === 'closing') return new ServerFailure(`failed: ${words(error)}`, cause);
    this.#events.ended(this.#ending ?? l10n.t('It has forgotten the session, or does not listen any more.'));
    return new ServerGone(`failed: ${words(error)}`, cause);
  }

  /** Makes a request again after a sign-in, if a sign-in or a scope was missing. A refused request didn't run. */
  async #signedIn<Result>(signal: AbortSignal, request: () => Promise<Result>): Promise<Result> {
    const { signIn, transport } = this.#link;
    try {
      return await request();
    } catch (error) {
      if (!signIn?.isWanted || !(transport instanceof StreamableHTTPClientTransport)) throw error;
      await signIn.finish(transport, this.#events, signal);
      return request();
    }
  }

  #pageOf(method: ListKind['method']) {
    const { signal, timeoutMs: timeout } = this.#options;
    return (cursor: string | undefined) => {
      const request = { method, params: cursor === undefined ? {} : { cursor } };
      return this.#signedIn(signal, () =>
        this.#link.requests.ask((onresumptiontoken) =>
          this.#client.request(request, UNCHECKED, { timeout, onresumptiontoken }),
        ),
      );
    };
  }

  /** Leaves out tools that ask for headers that the protocol forbids, as the protocol demands. */
  async #withValidHeaders(list: ServerList): Promise<ServerList> {
    const wanting = list.entries.filter((tool) => jsonText(tool).includes('"x-mcp-header"'));
    if (wanting.length === 0 || this.#client.getProtocolEra() !== 'modern') return list;
    const valid = new Set((await this.#client.listTools()).tools.map(({ name }) => name));
    const isValid = (tool: unknown) => isObject(tool) && typeof tool.name === 'string' && valid.has(tool.name);
    for (const tool of wanting) if (isValid(tool) && isObject(tool)) this.#mirrored.add(String(tool.name));
    const left = list.entries.filter((tool) => !wanting.includes(tool) || isValid(tool));
    const count = list.entries.length - left.length;
    const problem = l10n.t('Number of tools left out because they ask for HTTP headers that MCP forbids: {0}.', count);
    return { ...list, entries: left, problems: count > 0 ? [...list.problems, problem] : list.problems };
  }
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
