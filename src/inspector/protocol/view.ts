import type { ServerState } from '../../core/catalog/catalog';
import type { Standing } from '../../core/catalog/tool';
import type { LoggedHit, TurnStatus } from '../../core/ledger/ledger';
import type { PinValue } from '../../core/settings/pins';
import type { LoadingCounts } from '../../core/usage/inRequest';
import type { RoundTokens, Tokens } from '../../core/usage/types';
import type { Strings } from '../text/text';
import type { OriginView } from './export';
import type { HostCommand } from './requests';
import type { SuggestionsView } from './suggestions';

export type { ServerState } from '../../core/catalog/catalog';
export type { Loading, Standing } from '../../core/catalog/tool';
export type { TurnStatus } from '../../core/ledger/ledger';
export type { Certainty, Tokens } from '../../core/usage/types';

/** The inspector's state as the webview has it. */

/** The user's setting for a tool or a server; `auto` leaves it to the rules. */
export type Pin = PinValue;

export interface HeaderView {
  readonly strategy: { readonly name: string; readonly why: string };
  /** `degraded` says in a sentence that a better delivery wasn't to be had with this model. */
  readonly delivery: { readonly name: string; readonly why: string; readonly degraded?: string };
  /** Absent before the first turn. `rule`: the pattern of `toolsearch.models` that holds for it. */
  readonly model?: {
    readonly name: string;
    readonly vendor: string;
    readonly rule?: string;
    /** One sentence on its prices and their source, or that nothing is known of them. */
    readonly prices: string;
  };
  readonly mode: 'auto' | 'on' | 'off';
  readonly counts: LoadingCounts;
  /** Tools whose definitions the next request holds: with `bridge` no discovered ones. */
  readonly inRequest: number;
  /** Sums over all turns; absent before the first finished round. */
  readonly session?: SumsView;
  /** Share of the newest turn's input that the provider read from its cache, 0 to 1; absent if it doesn't report it. */
  readonly cacheReadShare?: number;
}

/** Tokens that were sent, and tokens that would have been sent with every definition. */
export interface SumsView {
  readonly sent: Tokens;
  readonly baseline: Tokens;
  /** baseline − sent: negative if searching cost more than it saved. */
  readonly net: Tokens;
  /** The same by cost, in units of one fresh input token; absent if no cache is known. */
  readonly cost?: CostView;
}

/** The cost of requests, in units of one fresh input token. Always an estimate. */
export interface CostView {
  readonly sent: Tokens;
  readonly baseline: Tokens;
  readonly net: Tokens;
  /** The cost of each kind of tokens; absent for a record without them. */
  readonly parts?: NonNullable<RoundTokens['cost']>['parts'];
  /** US dollars by the list price; absent if it isn't known. */
  readonly usd?: NonNullable<RoundTokens['cost']>['usd'];
}

/** Tokens of a round by kind, or of all rounds of a turn; core/usage/arithmetic.ts defines how they are related. */
export interface PartsView
  extends Omit<RoundTokens, 'cacheWrite' | 'cost' | 'baselineCache' | 'usualOverhead'>,
    SumsView {
  /** Tokens that a change at the request's beginning made the model read again; absent if there was none. */
  readonly readAgain?: Tokens;
}

export interface RoundView extends PartsView {
  readonly round: number;
}

export interface FlagView {
  readonly kind: 'noHits' | 'withoutDiscovery' | 'origin' | 'retried' | 'refused' | 'failed' | 'invalid' | 'cancelled';
  /** The words in the tag. */
  readonly text: string;
}

export interface HitView {
  readonly rank: number;
  readonly id: string;
  readonly server: string;
  readonly name: string;
  readonly score: number;
  readonly terms: readonly string[];
  /** Returned to the model, or cut off: by the limit, or since it is weak. */
  readonly returned: boolean;
  readonly weak?: LoggedHit['weak'];
}

/** The calls of one tool by a script. */
export interface ScriptCallsView {
  readonly tool: string;
  readonly server?: string;
  readonly name: string;
  readonly times: number;
  readonly failed: number;
  /** The time of all calls together. */
  readonly ms: number;
  /** Of the last call that failed, otherwise of the first call. */
  readonly summary: string;
}

/** A script of the model's, with all that its row opens to. */
export interface ScriptView {
  /** May be empty. */
  readonly title: string;
  readonly code: string;
  /** The provider's own sandbox ran it. */
  readonly provider: boolean;
  /** Absent while it runs. */
  readonly outcome?: CallOutcome | undefined;
  readonly calls: number;
  readonly failed: number;
  readonly searches: number;
  /** In the order in which they were first called. */
  readonly servers: readonly string[];
  readonly byTool: readonly ScriptCallsView[];
  /** Of its calls' results, at most; absent while it runs. */
  readonly stayed?: Tokens;
  /** The beginning of what the model was answered. */
  readonly output?: string;
  readonly note?: string;
  /** Where it failed, from 1. */
  readonly line?: number;
}

type CallOutcome = 'ok' | 'failed' | 'invalid' | 'refused' | 'cancelled';

/** One row of the timeline. `at` and `ms` are milliseconds, `at` since the turn's start and when the event began. */
export type EventView = {
  readonly seq: number;
  readonly at: number;
  readonly ms?: number;
  readonly flags: readonly FlagView[];
} & (
  | { readonly kind: 'round'; readonly round: number; readonly sent: Tokens | undefined }
  | {
      readonly kind: 'search';
      readonly query: string;
      /** Set if the model searched one server alone, whether there is one of that name or not. */
      readonly server?: string;
      readonly strategy: string;
      readonly searched: number;
      readonly matched: number;
      readonly limit: number;
      readonly hits: readonly HitView[];
      readonly note?: string;
    }
  | {
      readonly kind: 'discovered';
      readonly tools: readonly { readonly id: string; readonly server: string; readonly name: string }[];
      /** How many of them the turn didn't call; 0 while it runs. */
      readonly unused: number;
      readonly tokens: Tokens;
    }
  | {
      readonly kind: 'call';
      readonly tool: string;
      readonly server?: string;
      readonly name: string;
      readonly args: string;
      readonly summary: string;
      readonly outcome: CallOutcome;
    }
  /** A request's beginning wasn't that of the one before: `why` says what made it so. */
  | { readonly kind: 'cacheBroken'; readonly why: string; readonly same: Tokens; readonly readAgain: Tokens }
  | ({ readonly kind: 'script' } & ScriptView)
  /** Other extensions chose the round's tools: `kept` of `tools`. */
  | {
      readonly kind: 'prepared';
      readonly by: readonly string[];
      readonly tools: number;
      readonly kept: number;
      readonly changed: readonly string[];
      readonly late: readonly string[];
    }
  | { readonly kind: 'warning'; readonly message: string }
  | {
      readonly kind: 'end';
      readonly status: TurnStatus;
      readonly message?: string;
      readonly outputTokens?: Tokens;
    }
);

/** Its parts are the sums over its rounds. */
export interface TurnView extends PartsView {
  readonly turn: number;
  readonly prompt: string;
  readonly model: string;
  readonly strategy: string;
  readonly delivery: string;
  readonly running: boolean;
  readonly ms: number;
  readonly rounds: readonly RoundView[];
  /** Set if the turn cost more than it saved: by cost if that is known, otherwise by tokens. */
  readonly loss?: {
    readonly by: 'tokens' | 'cost';
    readonly more: Tokens;
    /** The reason in one sentence. */
    readonly text: string;
    /** The server to pin if that would help. */
    readonly pinServer?: string;
  };
  /** Set if no model was asked: the tokens that one would have read. */
  readonly withModel?: { readonly sent: Tokens; readonly baseline: Tokens };
  /** Set if another agent used our tools, so that the figures are an estimate without its own requests. */
  readonly ofAgent?: true;
  /** How it ended; absent while it runs. */
  readonly end?: { readonly status: TurnStatus; readonly message?: string };
  /** The user's thumb, the last that they gave. */
  readonly helpful?: boolean;
  /** Known of the turn that the webview watches alone: see {@link ToHost}'s `watch`. */
  readonly events?: readonly EventView[];
}

export interface ToolView {
  readonly id: string;
  readonly server: string;
  readonly name: string;
  readonly modelName: string;
  readonly title?: string;
  readonly tokens: Tokens;
  readonly loading: Standing;
  /** Short: `auto: 214 tools > 30`. */
  readonly reason: string;
  /** Whole: `rule 7, mode auto: 214 tools are more than auto.maxTools (30)`. */
  readonly reasonLong: string;
  readonly pin: Pin;
  /** It isn't what the user accepted or this workspace first saw: a notice of its server shows both texts. */
  readonly changed?: true;
  readonly discoveredAt?: {
    readonly turn: number;
    readonly round: number;
    readonly query: string;
    readonly rank: number;
  };
  readonly calls: number;
  readonly callMs: number;
}

/** The details of a tool. They are requested one tool at a time, because schemas can be megabytes. */
export interface ToolDetail {
  readonly id: string;
  readonly description: string;
  readonly args: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly description: string;
    /** The values that an enum allows, if all of them are texts. */
    readonly values?: readonly string[];
  }[];
  /** Sentences on what in its definition is suspicious. */
  readonly marks: readonly string[];
  readonly annotations: readonly string[];
  readonly examples: readonly { readonly args: string; readonly description?: string }[];
  /** Tokens that the examples add to the tool's definition. */
  readonly exampleTokens: Tokens;
  /** Pretty-printed; cut if longer than 20,000 bytes. */
  readonly schema: string;
}

/** Result of a tool that the user ran by its form. */
export interface TriedView {
  readonly outcome: CallOutcome;
  readonly output: string;
}

export interface ServerView {
  readonly name: string;
  readonly state: ServerState;
  readonly detail?: string;
  /** The file that defines it, in a few words. */
  readonly source?: string;
  readonly cached?: boolean;
  readonly problems: readonly string[];
  readonly tools: number;
  readonly tokens: Tokens;
  readonly pin: Pin;
  /** VS Code itself, for its own tools: nothing that starts or fails. */
  readonly editor: boolean;
  /** Its use of this machine while Tool Search runs it: minutes since its start, processes, and bytes of memory. */
  readonly running?: { readonly minutes: number; readonly processes?: number; readonly bytes?: number };
  /** Milliseconds since it began to start, for the row's timer. */
  readonly startingMs?: number;
}

export interface NoticeView {
  readonly kind: 'info' | 'warning' | 'error';
  readonly bold: string;
  readonly text: string;
  readonly actions: readonly { readonly label: string; readonly command: HostCommand; readonly server?: string }[];
}

/** Everything the inspector shows. */
export interface ViewState {
  /** The catalog's; a {@link ToolDetail} fetched under another one is stale. */
  readonly revision: number;
  readonly header: HeaderView;
  readonly notices: readonly NoticeView[];
  /** Newest first. */
  readonly turns: readonly TurnView[];
  /** Sorted by server, then name. */
  readonly tools: readonly ToolView[];
  readonly servers: readonly ServerView[];
  /** How many there are, whatever part of them has arrived. */
  readonly totals: { readonly turns: number; readonly tools: number };
  /**
   * Tokens of the longest bars, for the one scale of all: the highest baseline, and the most that a round sent
   * beyond its own.
   */
  readonly widest: { readonly baseline: number; readonly over: number };
  /** Absent if there is no session to suggest anything for. */
  readonly suggestions?: SuggestionsView;
  /** Set if this is a session that was exported: nothing of it can be changed. */
  readonly origin?: OriginView;
  /** There is no MCP server. */
  readonly noServers: boolean;
  /** The workspace isn't trusted: its servers don't run. */
  readonly untrusted: boolean;
  /** Text in the user's language. */
  readonly strings: Strings;
  /** BCP 47, for numbers. */
  readonly locale: string;
}
