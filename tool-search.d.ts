/**
 * The API of Tool Search for other extensions, version 1. Copy this file into your extension:
 * `vscode.extensions.getExtension<ToolSearchExports>('tool-search.tool-search')?.activate()`, then `getApi(1)`.
 */
export interface ToolSearchExports {
  /**
   * Returns the API. A version changes only if something that used it would break.
   * @throws {Error} if this version of Tool Search doesn't have that version of the API
   */
  getApi(version: 1): ToolSearchApi;
}

/** Undoes what returned it. VS Code's `Disposable` fits. */
export interface Registration {
  dispose(): void;
}

export interface ToolSearchApi {
  /**
   * Adds a search strategy, which can then be chosen by its name like a built-in one. If it throws, hangs or returns
   * tools that don't exist, this is reported, and bm25 is used instead.
   * @throws {Error} if the name is empty or taken
   */
  registerStrategy(name: string, strategy: ExternalStrategy): Registration;
  /** Fires after each turn of `@toolsearch`. */
  readonly onDidEndTurn: (listener: (report: TurnReport) => unknown) => Registration;
  /** Returns the last turn of this session; undefined before the first. */
  lastReport(): TurnReport | undefined;
}

/** A tool as code of another extension gets it. It is a copy, so that changes to it don't affect ours. */
export interface OfferedTool {
  /** `server/name` */
  readonly id: string;
  readonly server: string;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** A JSON Schema as the server sent it. It may be malformed: empty, huge, or not an object schema. */
  readonly inputSchema: { readonly [key: string]: unknown };
  /** The server's hints about the tool's behaviour (MCP's `annotations`). They are not promises. */
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
}

/** The turn that searches. */
export interface TurnInfo {
  readonly prompt: string;
  /** `vendor/id` */
  readonly model: string;
}

/** The conditions of a search, without its queries. */
export interface ExternalSearch {
  /** The number of tools to return for a query. */
  readonly limit: number;
  /** The server that the search is limited to, as the model wrote it. `tools` then has only tools of that server. */
  readonly server?: string;
  /** Whether to return only tools that declare themselves read-only. */
  readonly readOnly: boolean;
  /** The ids of all tools that are deferred now, including those of other servers. */
  readonly deferred: ReadonlySet<string>;
  /** Ids of the tools that this conversation's searches have found before. */
  readonly discovered: ReadonlySet<string>;
  /** The turn that searches. Absent if no turn does, or if another agent asks, whose question isn't known. */
  readonly turn?: TurnInfo;
}

/**
 * A registered strategy. It returns names of `tools` (id, own name or the name for models), best first. It is called
 * once with all queries of a search, the tools that may be found, a signal, and the other conditions of the search. The
 * signal aborts when the answer is no longer needed.
 */
export type ExternalStrategy = (
  queries: readonly string[],
  tools: readonly (OfferedTool & { readonly modelName: string })[],
  signal: AbortSignal,
  search: ExternalSearch,
) => readonly string[] | Promise<readonly string[]>;

/** How a call or a script ended. `invalid`: its arguments didn't fit the schema, so the tool didn't run. */
export type CallOutcome = 'ok' | 'failed' | 'invalid' | 'refused' | 'cancelled';

/** Tokens by the part of a request that they are in. */
export interface TokenParts {
  readonly promptAndHistory: number;
  readonly eager: number;
  readonly discovered: number;
  readonly searchOverhead: number;
}

/** The report on a turn, which `npm start -- --ask --json` prints too. */
export interface TurnReport {
  readonly answer: string;
  /** `vendor/id` */
  readonly model: string;
  readonly strategy: string;
  readonly delivery: string;
  /**
   * The number of eager tools in the first request, and the number of deferred tools. Discovered tools count as
   * deferred here.
   */
  readonly eager: number;
  readonly deferred: number;
  /** The number of tools whose definitions the last request contained, and the number that it could have contained. */
  readonly inRequest: number;
  readonly tools: number;
  /** The number of VS Code's tools that were neither in the request nor found by searches. */
  readonly unsent: number;
  /** Ids of the tools that this turn's searches found for the first time. */
  readonly discovered: readonly string[];
  /** Each search, with the number of tools it returned. */
  readonly queries: readonly { readonly query: string; readonly hits: number }[];
  /** Each call. */
  readonly calls: readonly {
    readonly tool: string;
    readonly ok: boolean;
    readonly outcome: CallOutcome;
    readonly ms: number;
  }[];
  /** The scripts, in the order in which they ended. `calls` and `queries` include the calls and searches of scripts. */
  readonly scripts: readonly ScriptReport[];
  readonly rounds: number;
  /** The number of rounds that only searched. The same turn with every definition wouldn't have these rounds. */
  readonly searchRounds: number;
  /**
   * Sums over the turn's rounds. The baseline is the same turn with every definition in each request and no search. All
   * sums are 0 if no model was asked.
   */
  readonly baselineTokens: number;
  readonly sentTokens: number;
  readonly netSavedTokens: number;
  /** The tokens of `sentTokens` and of `baselineTokens` by kind. */
  readonly sentParts: TokenParts;
  readonly baselineParts: { readonly promptAndHistory: number; readonly definitions: number };
  /** The tokens that a model would have read. Present only if no model was asked. */
  readonly withModel?: { readonly sentTokens: number; readonly baselineTokens: number };
  /** Whether every number is the provider's own. */
  readonly measured: boolean;
  /**
   * The estimated cost by the prices of the provider's cache, in units of one fresh input token; absent if the prices
   * aren't known. `usd` is in US dollars, and absent if the list price isn't known.
   */
  readonly cost?: {
    readonly baseline: number;
    readonly sent: number;
    readonly netSaved: number;
    readonly sentParts?: TokenParts;
    readonly usd?: { readonly baseline: number; readonly sent: number; readonly netSaved: number };
  };
  /** Tokens read from the cache and written to it, as the provider reports them; absent if it reports none. */
  readonly cache?: { readonly read: number; readonly write: number };
  /** The tokens that the baseline would have read from the provider's cache and written to it. */
  readonly baselineCache?: { readonly read: number; readonly write: number };
  /** The requests for which the provider's cache didn't hold the whole previous request. */
  readonly cacheMisses: readonly CacheMissReport[];
  /** The messages that the user saw besides the answer, in order. */
  readonly warnings: readonly string[];
  readonly status: 'answered' | 'failed' | 'cancelled';
  readonly message?: string;
}

/**
 * The reason why a request missed the cache, and the tokens that were read again because of it. `tool` is the id of the
 * tool that caused the miss, and `said` the reason in the service's own word.
 */
export interface CacheMissReport {
  readonly round: number;
  readonly cause: string;
  readonly tool?: string;
  readonly said?: string;
  readonly lostTokens: number;
  readonly measured: boolean;
}

/** A script's figures. */
export interface ScriptReport {
  readonly title: string;
  readonly outcome: CallOutcome;
  readonly calls: number;
  readonly failed: number;
  readonly servers: readonly string[];
  /**
   * Estimated tokens of the results of the script's calls, of its output, and of the part that the model never read.
   */
  readonly returnedTokens: number;
  readonly outputTokens: number;
  readonly stayedTokens: number;
  readonly ms: number;
  readonly computeMs: number;
}
