// The interfaces through which the core uses the outside: models, tools and their catalog.

import type { Catalog } from './catalog/catalog';
import type { ToolMark } from './catalog/marks';
import type { Json, Tool, ToolDefinition } from './catalog/tool';
import type { CallOutcome, ConversationPlan, OpaqueBlock, ResultPart, Transcript } from './conversation/transcript';

/** The facts about a model that the core needs to plan a request. */
export interface ModelInfo {
  readonly id: string;
  readonly vendor: string;
  readonly name: string;
  /** A number that changes with the key or the address. A request refused under one may succeed under the next. */
  readonly access?: number;
  /** The model's context for input, in tokens; 0 if unknown. */
  readonly maxInputTokens: number;
  /** False only if the model is known not to take tools. */
  readonly toolCalling: boolean;
  /** The maximum number of tools in one request; Infinity if there is no limit. */
  readonly maxTools: number;
  /** The provider's own tool search; undefined if it has none. */
  readonly native?: NativeSearch;
  /** Whether code that the provider runs can call tools; undefined if the provider runs no code. */
  readonly runsCode?: boolean;
  /** Whether tools can be added in mid-conversation, not only to the list before the messages. */
  readonly addsTools?: boolean;
  /** Whether a request can demand a call of a tool in its list without losing the prompt cache. */
  readonly forcesCalls?: boolean;
  /** Whether a note in mid-conversation can remove a tool. */
  readonly removesTools?: boolean;
  /** Whether the model's counts are shown as estimates: it reports no usage, and how it counts isn't known. */
  readonly estimates?: boolean;
  /** The date on which the provider switches the model off, as `2026-11-30`, if it has been announced. */
  readonly retires?: string;
}

/** A provider's own tool search. */
export interface NativeSearch {
  /**
   * The strategies that the provider runs (delivery `server`), beginning with the one for `auto`: `bm25`, `regex`, or
   * {@link PROVIDER_STRATEGY}. Empty if the provider only takes references.
   */
  readonly strategies: readonly string[];
  /** Whether the provider takes found tools as references (delivery `client`). */
  readonly references: boolean;
  readonly maxDeferred: number;
  /** Whether the model sees descriptions of servers with deferred tools. They contain the tools' names. */
  readonly describesServers?: boolean;
}

/**
 * The maximum number of tools in a namespace, which is a part of a server. The model sees a description of the
 * namespace, not its tools. The service advises fewer than ten.
 */
export const NAMESPACE_SIZE = 9;

/** The name for a provider's ranking that has no name of its own. */
export const PROVIDER_STRATEGY = 'provider';

export interface ModelRequest {
  /** Guidance for the model; empty if there is none. */
  readonly system: string;
  readonly transcript: Transcript;
  /** The tools that the model sees: ours, the eager ones, and with delivery `local` the discovered ones. */
  readonly tools: readonly ToolDefinition[];
  readonly delivery: DeliveryName;
  /** The strategy that answers searches. With delivery `server`, it is one of the provider's own. */
  readonly strategy: string;
  /** With `server` or `client`, all deferred tools in the catalog's order, also discovered ones; otherwise empty. */
  readonly deferred: readonly ToolDefinition[];
  /** The tools' names by server when the conversation began, so that descriptions of servers don't change. */
  readonly opened?: ConversationPlan['names'];
  /** Set if the conversation began with code that the provider runs. Such code is then always offered. */
  readonly code?: true;
  /** Names of tools. The model must call one of them. Empty if it may do as it likes. */
  readonly required: readonly string[];
}

/** A request without instructions, conversation and tools, to which its parts are added. */
export const EMPTY_REQUEST: ModelRequest = {
  system: '',
  transcript: [],
  tools: [],
  delivery: 'local',
  strategy: '',
  deferred: [],
  required: [],
};

/** A search that the provider itself ran during a reply. */
export interface ProviderSearch {
  readonly callId: string;
  readonly queries: readonly string[];
  readonly strategy: string;
  /** Model names of the tools found, best first. */
  readonly found: readonly string[];
  /** The provider's error message, if the search failed. */
  readonly error?: string;
}

/** The usage that the provider reported for one model call. */
export interface Usage {
  /** All input tokens, including those read from a cache and those written to it. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** One event of a model's reply, while it arrives. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  /** A call. `caller` is the id of the provider's code that made it; absent if the model made it. */
  | {
      readonly type: 'call';
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
      readonly caller?: string;
    }
  /** A script that the provider runs. It may wait for calls over several replies. */
  | { readonly type: 'code'; readonly callId: string; readonly code: string }
  /** The end of such a script, with its output or its error. */
  | { readonly type: 'codeEnded'; readonly callId: string; readonly ok: boolean; readonly output: string }
  | { readonly type: 'search'; readonly search: ProviderSearch }
  /** The model's thinking, or a summary of it. It isn't part of the answer. */
  | { readonly type: 'thinking'; readonly text: string }
  /** The part of the request whose change caused a cache miss, in the service's own word. */
  | { readonly type: 'cacheMiss'; readonly reason: string }
  /** A message for the user that isn't part of the answer. */
  | { readonly type: 'warning'; readonly message: string }
  /** The service asked for a wait, which begins now. */
  | { readonly type: 'waiting'; readonly models: string; readonly seconds: number }
  | { readonly type: 'opaque'; readonly block: OpaqueBlock }
  /** A gateway has started the reply again. The calls so far aren't part of it. */
  | { readonly type: 'restarted' }
  /** Token usage. With `soFar`, a later report replaces it; if none follows, the reply was cut off. */
  | { readonly type: 'usage'; readonly usage: Usage; readonly soFar?: true };

/**
 * The connection to one model. `send` throws {@link ModelError} for errors that the user can understand; any other
 * error is a bug. If later requests must repeat a reply unchanged, `send` yields one `opaque` block for it.
 */
export interface ModelPort {
  /** The model's properties. They are read again before each turn, since a service's answer may correct them. */
  readonly info: ModelInfo;
  send(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Counts a text. Rejects with {@link CountRefused} if the model can't, with another error if it may later on. */
  countTokens(text: string, signal: AbortSignal): Promise<number>;
  /** Counts the tokens of several definitions exactly, in one request. Absent if only their text can be counted. */
  countDefinitions?(tools: readonly ToolDefinition[], signal: AbortSignal): Promise<number>;
  /** Counts the tokens that the service adds to a request as soon as it has a tool. Absent if it adds none. */
  countToolPrompt?(signal: AbortSignal): Promise<number>;
  /** Counts the input tokens of a request before any search in it. The provider's own search tool isn't counted. */
  countRequest?(request: ModelRequest, signal: AbortSignal): Promise<number>;
}

/** The reason why a service refused, as far as extensions that use our models can react to it. */
export type Refusal = 'key' | 'model' | 'limit';

/** An expected failure of a model, such as a refusal, no connection or an exceeded quota. `message` is for the user. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** Whether the service's answer corrected the model's `info`, so that a newly planned request can succeed. */
  readonly replan: boolean;
  readonly refusal: Refusal | undefined;
  /** Whether the service refused before it began to answer. Such a request costs nothing. */
  readonly unanswered: boolean;

  constructor(
    message: string,
    options: { readonly replan?: boolean; readonly refusal?: Refusal; readonly unanswered?: boolean } = {},
  ) {
    super(message);
    this.replan = options.replan ?? false;
    this.refusal = options.refusal;
    this.unanswered = options.unanswered ?? false;
  }
}

/** The error of a model that can't count, or whose service always refuses to count. A further attempt is useless. */
export class CountRefused extends Error {
  override readonly name = 'CountRefused';
}

/** The result of a tool. A failure is a value too: the model gets it, and the turn continues. */
export interface ToolRun {
  readonly outcome: CallOutcome;
  readonly parts: readonly ResultPart[];
  /** MCP's `structuredContent`, for code that reads results. The model reads `parts`. */
  readonly structured?: Json;
  /** Set if the tool itself reported the failure, so that the call as such was fine. */
  readonly answered?: true;
  /** Set if the call was cancelled before it began. */
  readonly notRun?: true;
  /** Resources that the server only links to. Absent once the model has a tool that reads them. */
  readonly links?: readonly ResourceLink[];
}

export interface ResourceLink {
  /** The URI as the model sees it. */
  readonly uri: string;
  /** The address by which the server's resource is read. */
  readonly address: string;
}

/** One call of a tool, with what is known of it. Gates pass it on, with what they add. */
export interface Call {
  readonly tool: Tool;
  /** The arguments as they were sent. */
  readonly asked: unknown;
  /** The arguments that it runs with; empty until the gate `arguments` has read them. */
  readonly input: { readonly [name: string]: unknown };
  readonly by: 'model' | 'providerCode' | 'script' | 'user';
  /** The call id of the script that made it, ours or the provider's. */
  readonly script?: string;
  readonly round: number;
  readonly callId: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The number of times that it failed before. */
  readonly retry: number;
  /** Whether no search had found the tool. */
  readonly withoutDiscovery: boolean;
  /** The tool at the time when the user was asked; absent if they weren't. */
  readonly shown?: Tool;
  /** Reasons why the tool's definition looks suspicious. */
  readonly marks?: readonly ToolMark[];
  /** Returns why it mustn't run after all, when its server is ready. Refuses a call that didn't pass the last gate. */
  readonly refusal: () => ToolRun | undefined;
  /** Also identifies a script: all calls of one script have the same signal. */
  readonly signal: AbortSignal;
}

/** A call that may need the user's consent. */
export type PendingCall = Pick<Call, 'tool' | 'input' | 'marks' | 'signal'>;

/** Lets a call go on, or answers it in words for the model. Never rejects. */
export type Gate = (call: Call, goOn: (call: Call) => Promise<ToolRun>) => Promise<ToolRun>;

/** Creates a result whose text is a message of ours for the model. */
export function toolMessage(outcome: CallOutcome, text: string): ToolRun {
  return { outcome, parts: [{ type: 'text', text }] };
}

/** The result of a call that the user cancelled before it began. */
export const CANCELLED_BEFORE: ToolRun = {
  ...toolMessage('cancelled', 'The user cancelled the call before it ran.'),
  notRun: true,
};
/** The result of a call that the user cancelled when it may have begun. Its effects are unknown. */
export const CANCELLED_MEANWHILE: ToolRun = toolMessage('cancelled', 'The user cancelled the call. It may have run.');

/** Runs the calls of one chat or client: answers what their gates ask of the window, and calls the servers. */
export interface ToolRunner {
  /** Returns why a tool mustn't be called now: the user hid it, or hasn't accepted its change. */
  refusalOf(tool: Tool): ToolRun | undefined;
  /** Returns the mistakes in arguments, in words for the model; none if they fit the schema. Never rejects. */
  checkArguments(tool: Tool, input: { readonly [name: string]: unknown }): Promise<readonly string[]>;
  /** Asks the user, unless VS Code itself asks or the tool only reads. */
  readonly consent: Gate;
  /** Limits the time of a call. The time begins when the call runs. */
  readonly time: Gate;
  /** Returns why a call isn't run if its server has changed the tool since the user was asked; otherwise undefined. */
  changedSince(call: Call): ToolRun | undefined;
  /** Calls the server, unless `call.refusal` refuses. Never rejects: the result has errors in words for the model. */
  invoke(call: Call): Promise<ToolRun>;
}

/** Provides the catalog. It changes when servers start, stop or change their tools. */
export interface ToolSource {
  readonly catalog: Catalog;
  /** Calls `listener` after each change. Returns a function that stops the calls. */
  onDidChange(listener: (catalog: Catalog) => void): () => void;
  /** Reads the tools again now and returns the catalog. */
  refresh(): Catalog;
  /** Waits at most `timeoutMs` while configured servers start. Tells `onWait` their names whenever these change. */
  whenReady(options: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly onWait: (servers: readonly string[]) => void;
  }): Promise<Catalog>;
}

/** How a found tool reaches the model. `server` and `client` need a provider that takes tool references. */
export type DeliveryName = 'server' | 'client' | 'local' | 'bridge';

/** Whether a request has all deferred tools, so that the provider adds those that a search finds. */
export function isNative(delivery: DeliveryName): boolean {
  return delivery === 'server' || delivery === 'client';
}
