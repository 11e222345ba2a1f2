import type { ServerInfo } from '../../core/catalog/catalog';
import type { Standing, Tool } from '../../core/catalog/tool';
import type { CallOutcome } from '../../core/conversation/transcript';
import type { EventOf, LoggedHit } from '../../core/ledger/events';
import type { Unit } from '../../core/ledger/lossCause';
import type { PinValue } from '../../core/settings/pins';
import type { Tokens } from '../../core/usage/types';
import type { Strings } from '../text/text';
import type { HostCommand } from './requests';
import type { SuggestionsView } from './suggestions';

export type { ServerState } from '../../core/catalog/catalog';
export type { Loading, Standing } from '../../core/catalog/tool';
export type { TurnStatus } from '../../core/ledger/events';
export type { Unit } from '../../core/ledger/lossCause';
export type { Certainty, Tokens } from '../../core/usage/types';

/** The user's pin of a tool or a server. `auto` means that the rules decide. */
export type Pin = PinValue;

export interface HeaderView {
  readonly strategy: ChoiceView;
  readonly delivery: ChoiceView;
  /**
   * The last model; undefined before the first turn. `rule` is the pattern of `toolsearch.models` that applies to it.
   */
  readonly model?: {
    readonly name: string;
    readonly vendor: string;
    readonly rule?: string;
    /** A sentence with the model's prices and their source, or that no prices are known. */
    readonly prices: string;
  };
  readonly mode: 'auto' | 'on' | 'off';
  /** The unit of all figures: US dollars if the price of every turn is known, otherwise tokens. */
  readonly unit: Unit;
  /** The sums over the turns that are compared; undefined before the first one. */
  readonly session?: SumsView & { readonly compared: number };
}

/** The tokens sent, and those of a plain client, which sends every definition in each request and never searches. */
export interface SumsView {
  readonly sent: Tokens;
  readonly baseline: Tokens;
  /** The same as cost of the input, by list prices and with the provider's cache; undefined if no price is known. */
  readonly usd?: { readonly sent: number; readonly baseline: number };
}

export interface FlagView {
  readonly kind: 'noHits' | 'withoutDiscovery' | 'retried' | 'refused' | 'failed' | 'invalid' | 'cancelled';
  readonly text: string;
}

export interface HitView extends Omit<LoggedHit, 'matchType'> {
  readonly rank: number;
  readonly server: string;
  readonly name: string;
  /** Whether the hit was returned to the model. Otherwise it was below the limit or too weak. */
  readonly returned: boolean;
}

export interface ScriptCallsView {
  readonly tool: string;
  readonly server?: string;
  readonly name: string;
  readonly times: number;
  readonly failed: number;
  /** The total time of the calls, in milliseconds. */
  readonly ms: number;
  /** The summary of the last failed call; if no call failed, the summary of the first call. */
  readonly summary: string;
}

/** A script that the model wrote, with the details that its row can show: some of them only if it has ended. */
export interface ScriptView
  extends Pick<EventOf<'scriptStarted'>, 'title' | 'code'>,
    Pick<EventOf<'scriptEnded'>, 'calls' | 'failed' | 'servers' | 'note' | 'line'>,
    Partial<Pick<EventOf<'scriptEnded'>, 'outcome' | 'output'>> {
  /** Whether the script ran in the provider's own sandbox. */
  readonly provider: boolean;
  readonly searches: number;
  readonly byTool: readonly ScriptCallsView[];
  /** At most this many tokens of results were kept from the model; undefined while the script runs. */
  readonly keptFromModel?: Tokens;
}

/**
 * A row of the timeline. `at` is the time from the turn's start to the event's start, and `ms` its duration, in
 * milliseconds.
 */
export type EventView = {
  readonly seq: number;
  readonly at: number;
  readonly ms?: number;
  readonly flags: readonly FlagView[];
} & (
  | {
      readonly kind: 'round';
      readonly round: number;
      /** Undefined until the request has ended. */
      readonly sent?: Tokens;
      readonly usd?: number;
    }
  | ({ readonly kind: 'search'; readonly hits: readonly HitView[] } & Pick<
      EventOf<'searched'>,
      'query' | 'server' | 'strategy' | 'searched' | 'matched' | 'limit' | 'note'
    >)
  | {
      readonly kind: 'discovered';
      readonly tools: readonly { readonly id: string; readonly server: string; readonly name: string }[];
      /** The number of these tools that the turn didn't call; 0 while the turn runs. */
      readonly unused: number;
      /** The tokens of their definitions, if these enter the conversation. */
      readonly tokens?: Tokens | undefined;
    }
  | ({ readonly kind: 'call'; readonly server?: string; readonly name: string } & Pick<
      EventOf<'called'>,
      'tool' | 'args' | 'summary' | 'outcome'
    >)
  /** A cache miss: the beginning of the request differed from the previous one. `why` is the reason. */
  | { readonly kind: 'cacheMiss'; readonly why: string; readonly same: Tokens; readonly readAgain: Tokens }
  | ({ readonly kind: 'script' } & ScriptView)
  | { readonly kind: 'warning'; readonly message: string }
  | ({ readonly kind: 'end'; readonly outputTokens?: Tokens } & Pick<EventOf<'turnEnded'>, 'status' | 'message'>)
);

/** A turn. The fields from {@link SumsView} are the sums over its requests. */
export interface TurnView extends SumsView {
  readonly turn: number;
  readonly prompt: string;
  readonly model: string;
  readonly strategy: ChoiceView;
  readonly delivery: ChoiceView;
  /** The number of tools that the turn could use. */
  readonly tools: number;
  readonly running: boolean;
  /** The number of requests that have ended. */
  readonly requests: number;
  /** Whether the turn was answered and its figures are known, so that a saving or a loss can be claimed. */
  readonly compared: boolean;
  /** The part of `sent` that only searching needed: our own definitions, guidance, searches and their results. */
  readonly overhead: { readonly tokens: Tokens; readonly usd?: number };
  /** The calls, those of scripts too. `tools` are ids of called and found tools, for the search of turns. */
  readonly calls: { readonly total: number; readonly failed: number; readonly tools: readonly string[] };
  readonly searches: number;
  /** The share of the input that the provider read from its cache, 0 to 1; undefined if it isn't reported. */
  readonly cacheReadShare?: number;
  /** The tokens that the model read again because the beginning of the request had changed; undefined if it hadn't. */
  readonly readAgain?: Tokens;
  /** For each unit, set if the turn took more than with every definition. */
  readonly loss: {
    readonly [unit in Unit]?: {
      /** A sentence on the reason. */
      readonly text: string;
      /** The server that should be pinned, if that would help. */
      readonly pinServer?: string;
    };
  };
  /** The tokens that a model would have read. Set if no model was asked. */
  readonly withModel?: { readonly sent: Tokens; readonly baseline: Tokens };
  /** Set if another agent used our tools. The figures are then an estimate without the agent's own requests. */
  readonly ofAgent?: true;
  /** The end of the turn; undefined while it runs. */
  readonly end?: Pick<EventOf<'turnEnded'>, 'status' | 'message'>;
  /** The timeline. Only set for the turn that the webview watches: see {@link ToHost}'s `watch`. */
  readonly events?: readonly EventView[];
}

interface ChoiceView {
  readonly name: string;
  readonly why: string;
}

export interface ToolView extends Pick<Tool, 'id' | 'server' | 'name' | 'modelName' | 'title'> {
  readonly tokens: Tokens;
  readonly loading: Standing;
  /** The short reason: `auto: 214 tools > 30`. */
  readonly reason: string;
  /** The full reason: `rule 7, mode auto: 214 tools are more than auto.maxTools (30)`. */
  readonly reasonLong: string;
  readonly pin: Pin;
  /**
   * Set if the tool differs from what the user accepted or this workspace first saw. A notice of its server offers to
   * compare both.
   */
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

/** The details of a tool. They are requested for one tool at a time, since schemas can be megabytes. */
export interface ToolDetail {
  readonly id: string;
  readonly description: string;
  readonly args: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly description: string;
    /** The values of an enum, if all of them are texts. */
    readonly values?: readonly string[];
  }[];
  /** Sentences on suspicious parts of the definition. */
  readonly marks: readonly string[];
  readonly annotations: readonly string[];
  readonly examples: readonly { readonly args: string; readonly description?: string }[];
  /** Tokens that the examples add to the tool's definition. */
  readonly exampleTokens: Tokens;
  /** The formatted schema, cut at 20,000 bytes. */
  readonly schema: string;
}

/** The result of a tool that the user ran with its form. */
export interface TriedView {
  readonly outcome: CallOutcome;
  readonly output: string;
}

export interface ServerView extends Omit<ServerInfo, 'namesTakenBy'> {
  readonly tools: number;
  readonly tokens: Tokens;
  readonly pin: Pin;
  /** Whether this is VS Code itself, with its own tools. It doesn't start or fail. */
  readonly editor: boolean;
  /** The milliseconds since the start began, for the timer in the row. */
  readonly startingMs?: number;
}

export interface NoticeView {
  readonly kind: 'info' | 'warning' | 'error';
  readonly bold: string;
  readonly text: string;
  readonly actions: readonly { readonly label: string; readonly command: HostCommand; readonly server?: string }[];
}

/** All data that the inspector shows. */
export interface ViewState {
  /** The catalog's revision. A {@link ToolDetail} from another revision is outdated. */
  readonly revision: number;
  readonly header: HeaderView;
  readonly notices: readonly NoticeView[];
  /** The turns, newest first. */
  readonly turns: readonly TurnView[];
  /** The tools, sorted by server and name. */
  readonly tools: readonly ToolView[];
  readonly servers: readonly ServerView[];
  /** The numbers of all turns and of the tools that aren't omitted, even if not all have been received yet. */
  readonly totals: { readonly turns: number; readonly tools: number };
  /** The suggestions; undefined if there is no session to make suggestions for. */
  readonly suggestions?: SuggestionsView;
  /** Whether there are no MCP servers. */
  readonly noServers: boolean;
  /** Whether the workspace isn't trusted, so that its servers don't run. */
  readonly untrusted: boolean;
  /** The texts in the user's language. */
  readonly strings: Strings;
  /** The language as a BCP 47 tag, for numbers. */
  readonly locale: string;
}
