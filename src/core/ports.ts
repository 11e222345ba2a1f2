import type { Catalog } from './catalog';
import type { SearchOutcome, SearchRequest } from './search/types';
import type { Tool, ToolDefinition } from './tool';
import type { CallOutcome, OpaqueBlock, ResultPart, Transcript } from './transcript';

/** What the core must know of a model before it can plan a request. */
export interface ModelInfo {
  readonly id: string;
  readonly vendor: string;
  readonly name: string;
  /** Tokens; 0 where unknown. */
  readonly maxInputTokens: number;
  /** False only where it is known that the model takes no tools. */
  readonly toolCalling: boolean;
  /** How many tools one request may carry; Infinity where there is no limit. */
  readonly maxTools: number;
  /** Built-in strategies that the provider itself can run (delivery `server`), and whether it takes references (`client`). */
  readonly native?: { readonly strategies: readonly string[]; readonly references: boolean };
}

export interface ModelRequest {
  /** Guidance; empty where there is none. */
  readonly system: string;
  readonly transcript: Transcript;
  readonly tools: readonly ToolDefinition[];
}

/** What the provider reported for one model call. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
}

/** What a model says, as it says it. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly callId: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'opaque'; readonly block: OpaqueBlock }
  | { readonly type: 'usage'; readonly usage: Usage };

/** A wire to one model. `send` throws {@link ModelError} for what the user can understand; anything else is a bug. */
export interface ModelPort {
  readonly info: ModelInfo;
  send(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** The model's own count; rejects where it has none. */
  countTokens(text: string, signal: AbortSignal): Promise<number>;
}

/** An expected failure of a model: refused, offline, over quota. `message` is for the user. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}

/** What came of running a tool. A failure is a value: the model is told and the turn goes on. */
export interface ToolRun {
  readonly outcome: CallOutcome;
  readonly parts: readonly ResultPart[];
}

/** A run that ended in words for the model instead of a tool's own result. */
export function told(outcome: CallOutcome, text: string): ToolRun {
  return { outcome, parts: [{ type: 'text', text }] };
}

/** Runs tools where they live. Never rejects: whatever goes wrong is in the result, in words for the model. */
export interface ToolRunner {
  run(tool: Tool, input: { readonly [name: string]: unknown }, signal: AbortSignal): Promise<ToolRun>;
}

/** Searches the catalog that it was last given. Never rejects; obeys the signal by returning an error outcome. */
export interface SearchPort {
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchOutcome>;
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
