/** The maximum number of characters of a script's code. */
export const MAX_CODE = 100_000;
/**
 * The maximum number of requests of a script other than tool calls (searches, results, timers). A script that exceeds
 * them probably never stops.
 */
export const MAX_OTHER_REQUESTS = 1_000;
/** The memory limit of a script's engine, in MiB. It can't be configured. */
export const ENGINE_MIB = 64;

export interface ScriptLimits {
  /** The time that the engine may compute in total, in milliseconds. Waiting doesn't count. */
  readonly computeMs: number;
  /** The maximum number of calls of tools. A further call ends the script. */
  readonly calls: number;
}

/** A request of a script to the host. */
export type ScriptRequest =
  | { readonly op: 'call'; readonly name: string; readonly form: 'value' | 'text' | 'parts'; readonly args?: unknown }
  | { readonly op: 'search'; readonly query: string; readonly limit?: number; readonly server?: string }
  | { readonly op: 'describe'; readonly name: string }
  | { readonly op: 'get'; readonly result: string }
  | { readonly op: 'list' }
  | { readonly op: 'show'; readonly result: string }
  | { readonly op: 'sleep'; readonly ms: number };

/**
 * The answer to a script's request. `json`: a value. `text`: a text. `either`: a value if it parses as JSON, otherwise
 * a text. `error`: an error that the script gets thrown.
 */
export type ScriptAnswer =
  | { readonly kind: 'json' | 'text' | 'either'; readonly text: string }
  | {
      readonly kind: 'error';
      readonly message: string;
      readonly tool?: string;
      readonly outcome?: 'failed' | 'refused';
    };

/** A line and a column in the script's own code, from 1. */
interface CodePosition {
  readonly line: number;
  readonly column: number;
}

/** The mistakes of a script that raise no error. */
export interface SilentFaults {
  /** Calls whose promise nothing waits for. */
  readonly unheard: NamedCounts;
  /** Calls that still ran when the script had returned. */
  readonly open: NamedCounts;
  /** Fields of the returned value that are undefined wherever they occur. */
  readonly missing: NamedCounts;
}

/** Names with their number. */
export type NamedCounts = { readonly [name: string]: number };

export type SandboxEnd = (
  | { readonly kind: 'returned'; readonly value: ReturnedValue }
  | {
      readonly kind: 'threw';
      readonly name: string;
      readonly message: string;
      readonly place?: CodePosition;
      /** The tool whose failed call caused the error, if there is one. */
      readonly tool?: string;
    }
  /**
   * Why the script was stopped. `requests`: it made more than {@link MAX_OTHER_REQUESTS}. `stuck`: it waits for
   * something that can't happen. `lost`: the thread ended by itself. `why` gives details.
   */
  | { readonly kind: 'stopped'; readonly reason: StopReason; readonly why?: string }
) & {
  /** The lines that the script logged. */
  readonly logs: readonly string[];
  /** The messages of errors in promises that the script didn't await. */
  readonly unawaited: readonly string[];
  readonly faults?: SilentFaults;
  readonly computeMs: number;
};

type StopReason = 'time' | 'memory' | 'calls' | 'requests' | 'stuck' | 'lost' | 'cancelled';

type ReturnedValue = { readonly type: 'text' | 'json'; readonly text: string } | { readonly type: 'nothing' };

/** Runs scripts in isolation. The only thing that reaches a script is the answers to its requests. */
export interface SandboxPort {
  /** The reason why scripts can't run here; undefined if they can, as far as is known. */
  readonly unavailable: string | undefined;
  /**
   * Runs one script. Never rejects, and `answer` must not reject either. When the signal aborts, the script ends at
   * once.
   */
  run(
    code: string,
    limits: ScriptLimits,
    answer: (request: ScriptRequest) => Promise<ScriptAnswer>,
    signal: AbortSignal,
  ): Promise<SandboxEnd>;
}
