// The interfaces through which the core reaches the outside: models, tools and their catalog.

import type { Catalog } from './catalog/catalog';
import type { ToolMark } from './catalog/marks';
import type { Json, Tool, ToolDefinition } from './catalog/tool';
import type { ValueOrigin } from './conversation/origins';
import type { CallOutcome, ConversationPlan, OpaqueBlock, ResultPart, Transcript } from './conversation/transcript';

/** The facts about a model that the core needs to plan a request. */
export interface ModelInfo {
  readonly id: string;
  readonly vendor: string;
  readonly name: string;
  /** A number that changes with the key or address: a request that one of them refused may succeed with the next. */
  readonly access?: number;
  /** In tokens; 0 if unknown. */
  readonly maxInputTokens: number;
  /** False only if it is known that the model takes no tools. */
  readonly toolCalling: boolean;
  /** How many tools one request may have; Infinity if there is no limit. */
  readonly maxTools: number;
  /** The provider's own tool search; undefined if it has none. */
  readonly native?: NativeSearch;
  /** Whether code that the provider runs can call tools; undefined if no model of the provider's wire does that. */
  readonly runsCode?: boolean;
  /**
   * Whether tools can be added in mid-conversation, behind the earlier messages. If not, they are added to the list
   * before them.
   */
  readonly addsTools?: boolean;
  /** Whether a request can demand a call of a tool in its list. */
  readonly forcesCalls?: boolean;
  /** Whether a note in mid-conversation can take a tool away. */
  readonly removesTools?: boolean;
  /** When the provider switches the model off, as `2026-11-30`, if that has been announced. */
  readonly retires?: string;
  /** One sentence for the user if this provider's other models search and this one doesn't. */
  readonly degraded?: string;
}

/** A provider's own tool search. */
export interface NativeSearch {
  /**
   * Strategies that the provider runs (delivery `server`), the one for `auto` first: `bm25`, `regex`, or {@link
   * PROVIDER_STRATEGY}. Empty if it only takes references.
   */
  readonly strategies: readonly string[];
  /** Whether it takes found tools as references (delivery `client`). */
  readonly references: boolean;
  /** How many deferred tools one request may have. */
  readonly maxDeferred: number;
  /** Whether the model sees the request's description of a server with deferred tools, which names those tools. */
  readonly describesServers?: boolean;
}

/**
 * The most tools in a part of a server that is described to the model, a namespace. The service advises fewer than ten;
 * the model sees the namespace's description, not its tools.
 */
export const NAMESPACE_SIZE = 9;

/** A provider's ranking that has no name of its own. */
export const PROVIDER_STRATEGY = 'provider';

export interface ModelRequest {
  /** Guidance for the model; empty if there is none. */
  readonly system: string;
  readonly transcript: Transcript;
  /** Tools that the model sees: ours, the eager ones, and with `local` the discovered ones. */
  readonly tools: readonly ToolDefinition[];
  readonly delivery: DeliveryName;
  /** How a query is matched; with `server` one of the provider's own strategies. */
  readonly strategy: string;
  /**
   * With `server` and `client`, all deferred tools in the catalog's order, including discovered ones; otherwise empty.
   */
  readonly deferred: readonly ToolDefinition[];
  /**
   * Names of the servers' tools when the conversation was opened. Descriptions of servers use them, so that they don't
   * change.
   */
  readonly opened?: ConversationPlan['names'];
  /** Whether code that the provider runs is offered in any case, because the conversation began with it. */
  readonly code?: true;
  /** Names of the tools that the prompt mentions with `#`: the model should call one. Empty once it has called one. */
  readonly required: readonly string[];
  /** Set if the user asked for an answer without calls. The tools stay in the request, so that its cache holds. */
  readonly withoutCalls?: true;
}

/** A search that the provider itself ran during its answer. */
export interface ProviderSearch {
  readonly callId: string;
  readonly queries: readonly string[];
  readonly strategy: string;
  /** Model names, best first. */
  readonly found: readonly string[];
  /** The provider's error message, if it failed. */
  readonly error?: string;
}

/** The usage that the provider reported for one model call. */
export interface Usage {
  /** All input tokens, including those read from and written to a cache. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** One event of a model's reply, while it arrives. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  /** `caller`: the id of the provider's code that made the call; absent if the model made it. */
  | {
      readonly type: 'call';
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
      readonly caller?: string;
    }
  /** Code that the provider runs; it may wait for calls over several replies. */
  | { readonly type: 'code'; readonly callId: string; readonly code: string }
  /** The output of that code, or its error. */
  | { readonly type: 'codeEnded'; readonly callId: string; readonly ok: boolean; readonly output: string }
  | { readonly type: 'search'; readonly search: ProviderSearch }
  /** The model's thinking, or a summary of it: shown while it lasts, and no part of the answer. */
  | { readonly type: 'thinking'; readonly text: string }
  /** The service's own word for the part of the request whose change kept it from reusing its cache. */
  | { readonly type: 'cacheMiss'; readonly reason: string }
  /** A message for the user that isn't part of the answer. */
  | { readonly type: 'warning'; readonly message: string }
  /** The service asked for a wait, which begins now. */
  | { readonly type: 'waiting'; readonly models: string; readonly seconds: number }
  | { readonly type: 'opaque'; readonly block: OpaqueBlock }
  /**
   * `soFar`: reported before the reply's end, and replaced by a later one. Without a later one, the reply was cut off.
   */
  | { readonly type: 'usage'; readonly usage: Usage; readonly soFar?: true };

/**
 * A wire to one model. `send` throws {@link ModelError} for errors that the user can understand; any other error is a
 * bug. It yields one `opaque` block for a whole reply if a later request must repeat that reply unchanged.
 */
export interface ModelPort {
  /** Read again before each turn: a service's answer may correct it. */
  readonly info: ModelInfo;
  send(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /**
   * The model's own count. Rejects with {@link CountRefused} if there is none, with another error if a later try may
   * help.
   */
  countTokens(text: string, signal: AbortSignal): Promise<number>;
  /** The exact tokens of a set of definitions in one batched count; absent if only their text can be counted. */
  countDefinitions?(tools: readonly ToolDefinition[], signal: AbortSignal): Promise<number>;
  /** The input tokens of a request before any search in it, except for the provider's own search tool. */
  countRequest?(request: ModelRequest, signal: AbortSignal): Promise<number>;
}

/** Why a service refused, if extensions that use our models can react to it: its key, a missing model, a limit. */
export type Refusal = 'key' | 'model' | 'limit';

/** An expected failure of a model: refused, offline, over quota. `message` is for the user. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** True if the service's answer corrected the model's `info`: planned again, the request can work. */
  readonly replan: boolean;
  readonly refusal: Refusal | undefined;
  /** True if the service refused before it began to answer. Such a request costs nothing. */
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

/** The error of a model that has no count, or whose service refuses to count for good. Another try is of no use. */
export class CountRefused extends Error {
  override readonly name = 'CountRefused';
}

/** MCP's `_meta`, as a server sent it. */
export type ResultMeta = { readonly [key: string]: Json };

/** The result of running a tool. A failure is a value: the model gets it and the turn goes on. */
export interface ToolRun {
  readonly outcome: CallOutcome;
  readonly parts: readonly ResultPart[];
  /** MCP's `structuredContent`, for code that reads results. The model reads the parts. */
  readonly structured?: Json;
  /** MCP's `_meta` of the result, for other extensions. No model, script or client ever gets it. */
  readonly meta?: ResultMeta;
  /** Set if the call was cancelled before it began. */
  readonly notRun?: true;
  /** The arguments that contain text of earlier results. */
  readonly origins?: readonly ValueOrigin[];
  /** The resources to which the server only links, until the model is offered a tool that reads them. */
  readonly links?: readonly ResourceLink[];
}

/** A resource to which a server's result links. */
export interface ResourceLink {
  /** The URI as the model sees it. */
  readonly uri: string;
  /** The address under which the server's host reads it. */
  readonly address: string;
}

/** Notes on a call for the user who decides about it. */
export interface CallNotes {
  readonly marks: readonly ToolMark[];
  readonly origins: readonly ValueOrigin[];
}

/** Makes a result that is a message to the model instead of a tool's own result. */
export function toolMessage(outcome: CallOutcome, text: string): ToolRun {
  return { outcome, parts: [{ type: 'text', text }] };
}

/** The result of a call that the user stopped before it began. */
export const CANCELLED_BEFORE: ToolRun = {
  ...toolMessage('cancelled', 'The user cancelled the call before it ran.'),
  notRun: true,
};
/** The result of a call that the user stopped when it may have begun. Its effects are unknown. */
export const CANCELLED_MEANWHILE: ToolRun = toolMessage('cancelled', 'The user cancelled the call. It may have run.');

/**
 * Delays a call until its turn: called once the user has consented, because several calls may be confirmed together.
 */
export type InOrder = (start: () => Promise<ToolRun>) => Promise<ToolRun>;

/** Runs tools at their source. Never rejects: every error is in the result, in words for the model. */
export interface ToolRunner {
  run(
    tool: Tool,
    input: { readonly [name: string]: unknown },
    signal: AbortSignal,
    inOrder?: InOrder,
  ): Promise<ToolRun>;
}

/** The source of the catalog. It follows servers as they start, stop and change their tools. */
export interface ToolSource {
  readonly catalog: Catalog;
  /** Calls `listener` after each change; the returned function stops that. */
  onDidChange(listener: (catalog: Catalog) => void): () => void;
  /** Reads the tools again now and returns the catalog. */
  refresh(): Catalog;
  /**
   * Waits while configured servers are still starting, `timeoutMs` at the most. `onWait` is called with the names of
   * those servers whenever they change.
   */
  whenReady(options: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly onWait: (servers: readonly string[]) => void;
  }): Promise<Catalog>;
}

/** How a found tool reaches the model. `server` and `client` need a provider that knows tool references. */
export type DeliveryName = 'server' | 'client' | 'local' | 'bridge';
