import type { Catalog } from './catalog/catalog';
import type { ToolMark } from './catalog/marks';
import type { Json, Tool, ToolDefinition } from './catalog/tool';
import type { ValueOrigin } from './conversation/origins';
import type { CallOutcome, ConversationPlan, OpaqueBlock, ResultPart, Transcript } from './conversation/transcript';

/** What the core must know of a model before it can plan a request. */
export interface ModelInfo {
  readonly id: string;
  readonly vendor: string;
  readonly name: string;
  /** Another number for another key or address: what was refused to one of them may be granted to the next. */
  readonly access?: number;
  /** Tokens; 0 where unknown. */
  readonly maxInputTokens: number;
  /** False only where it is known that the model takes no tools. */
  readonly toolCalling: boolean;
  /** How many tools one request may carry; Infinity where there is no limit. */
  readonly maxTools: number;
  /** What the provider itself knows of tool search; undefined where it knows nothing. */
  readonly native?: NativeSearch;
  /** Whether code that the provider runs can call tools; undefined where no model of the provider's wire does that. */
  readonly runsCode?: boolean;
  /** Whether tools can join in mid-conversation, behind what was said. If not, they join the list before it. */
  readonly addsTools?: boolean;
  /** When the provider switches the model off, as `2026-11-30`, if that has been announced. */
  readonly retires?: string;
  /** One sentence for the user if this provider's other models search and this one doesn't. */
  readonly degraded?: string;
}

/** A provider's own tool search. */
export interface NativeSearch {
  /**
   * Strategies that the provider runs (delivery `server`), the one for `auto` first: `bm25`, `regex`, or
   * {@link PROVIDER_STRATEGY}. Empty where it only takes references.
   */
  readonly strategies: readonly string[];
  /** Whether it takes found tools as references (delivery `client`). */
  readonly references: boolean;
  /** How many deferred tools one request may carry. */
  readonly maxDeferred: number;
  /** Whether the model sees of a server's deferred tools what the request says of the server, which names them. */
  readonly describesServers?: boolean;
}

/** A provider's ranking that has no name of its own. */
export const PROVIDER_STRATEGY = 'provider';

export interface ModelRequest {
  /** Guidance; empty where there is none. */
  readonly system: string;
  readonly transcript: Transcript;
  /** Tools in the model's sight: ours, the eager ones, and with `local` the discovered ones. */
  readonly tools: readonly ToolDefinition[];
  readonly delivery: DeliveryName;
  /** How a query is matched; with `server` one of the provider's own. */
  readonly strategy: string;
  /** With `server` and `client` all deferred tools in the catalog's order, discovered ones among them; else empty. */
  readonly deferred: readonly ToolDefinition[];
  /** Names of servers' tools when the conversation was opened: what describes a server goes by these, so that it stays as it is. */
  readonly opened?: ConversationPlan['names'];
  /** Whether code of the provider's is offered in any case: the conversation began with it. */
  readonly code?: true;
  /** Names in `tools` that the prompt named with `#` and that weren't called in this turn: the model should call them. */
  readonly required: readonly string[];
}

/** A search that the provider itself ran while it answered. */
export interface ProviderSearch {
  readonly callId: string;
  readonly queries: readonly string[];
  readonly strategy: string;
  /** Model names, best first. */
  readonly found: readonly string[];
  /** Why it failed, in the provider's words. */
  readonly error?: string;
}

/** What the provider reported for one model call. */
export interface Usage {
  /** All of them, those read from and written to a cache among them. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** What a model says, as it says it. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  /** `caller`: the id of the provider's code that made the call; the model made it where there is none. */
  | {
      readonly type: 'call';
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
      readonly caller?: string;
    }
  /** Code that the provider runs; it may wait for calls over several replies. */
  | { readonly type: 'code'; readonly callId: string; readonly code: string }
  /** What it printed, or why it failed. */
  | { readonly type: 'codeEnded'; readonly callId: string; readonly ok: boolean; readonly output: string }
  | { readonly type: 'search'; readonly search: ProviderSearch }
  /** What the model thinks, or a summary of it: shown while it lasts, and no part of the answer. */
  | { readonly type: 'thinking'; readonly text: string }
  /** Why the provider could not reuse its cache of the request before, as it says. */
  | { readonly type: 'cacheMiss'; readonly reason: string }
  /** Something that the user should know and that isn't part of the answer. */
  | { readonly type: 'warning'; readonly message: string }
  /** The service asks to wait, and is obeyed: the wait begins now. */
  | { readonly type: 'waiting'; readonly models: string; readonly seconds: number }
  | { readonly type: 'opaque'; readonly block: OpaqueBlock }
  /** `soFar`: what was told before the reply's end; a later one takes its place. Without a later one the reply was cut off. */
  | { readonly type: 'usage'; readonly usage: Usage; readonly soFar?: true };

/**
 * A wire to one model. `send` throws {@link ModelError} for what the user can understand; anything else is a bug.
 * It yields one `opaque` block for a whole reply where a later request must play that reply back as it came.
 */
export interface ModelPort {
  /** Read anew before each turn: what a service answers may correct it. */
  readonly info: ModelInfo;
  send(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** The model's own count; rejects with {@link CountRefused} where there is none, with anything else where asking later may help. */
  countTokens(text: string, signal: AbortSignal): Promise<number>;
  /** The exact price of a set of definitions in one batched count; left out where only their text can be counted. */
  countDefinitions?(tools: readonly ToolDefinition[], signal: AbortSignal): Promise<number>;
  /** The input tokens of a request before anything is searched in it, but for the provider's own search tool. */
  countRequest?(request: ModelRequest, signal: AbortSignal): Promise<number>;
}

/** Why a service refused, where callers of our models can do something with it: its key, a model that is gone, a limit. */
export type Refusal = 'key' | 'model' | 'limit';

/** An expected failure of a model: refused, offline, over quota. `message` is for the user. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** True where the model's `info` was corrected by what the service answered: planned anew, the request can work. */
  readonly replan: boolean;
  readonly refusal: Refusal | undefined;
  /** True where the service said no before it began to answer: such a request costs nothing. */
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

/** A model that has no count, or whose service refuses to count for good: asking again is of no use. */
export class CountRefused extends Error {
  override readonly name = 'CountRefused';
}

/** What came of running a tool. A failure is a value: the model is told and the turn goes on. */
export interface ToolRun {
  readonly outcome: CallOutcome;
  readonly parts: readonly ResultPart[];
  /** MCP's `structuredContent`, for code that reads results; what a model reads is in the parts. */
  readonly structured?: Json;
  /** Set where it was cancelled before it began: nothing came of it. */
  readonly notRun?: true;
  /** The arguments that contain text of earlier results. */
  readonly origins?: readonly ValueOrigin[];
}

/** What the user should know of a call before they allow it. */
export interface CallNotes {
  readonly marks: readonly ToolMark[];
  readonly origins: readonly ValueOrigin[];
}

/** A run that ended in words for the model instead of a tool's own result. */
export function toolMessage(outcome: CallOutcome, text: string): ToolRun {
  return { outcome, parts: [{ type: 'text', text }] };
}

/** A call that the user stopped before it began. */
export const CANCELLED_BEFORE: ToolRun = {
  ...toolMessage('cancelled', 'The user cancelled the call before it ran.'),
  notRun: true,
};
/** A call that the user stopped once it may have begun: nobody knows what came of it. */
export const CANCELLED_MEANWHILE: ToolRun = toolMessage('cancelled', 'The user cancelled the call. It may have run.');

/** Holds a call back until its turn has come: called once the user has consented, since several may be asked about together. */
export type InOrder = (start: () => Promise<ToolRun>) => Promise<ToolRun>;

/** Runs tools where they live. Never rejects: whatever goes wrong is in the result, in words for the model. */
export interface ToolRunner {
  run(
    tool: Tool,
    input: { readonly [name: string]: unknown },
    signal: AbortSignal,
    inOrder?: InOrder,
  ): Promise<ToolRun>;
}

/** Where the catalog comes from: it follows servers as they start, stop and change their tools. */
export interface ToolSource {
  readonly catalog: Catalog;
  /** Calls `listener` after each change; returns what stops that. */
  onDidChange(listener: (catalog: Catalog) => void): () => void;
  /** Looks again now. */
  refresh(): Catalog;
  /**
   * Waits while configured servers are still starting, `timeoutMs` at the most.
   * `onWait` hears the names of those that are waited for, whenever they change.
   */
  whenReady(options: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly onWait: (servers: readonly string[]) => void;
  }): Promise<Catalog>;
}

/** How a found tool reaches the model. `server` and `client` need a provider that knows tool references. */
export type DeliveryName = 'server' | 'client' | 'local' | 'bridge';
