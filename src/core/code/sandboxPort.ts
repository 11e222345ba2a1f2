/** Characters of a script's code. */
export const MAX_CODE = 100_000;
/**
 * Requests of a script beside calls of tools (searches, results, timers). More than that is a script that never
 * stops asking.
 */
export const MAX_OTHER_REQUESTS = 1_000;

/** The limits of a script. */
export interface ScriptLimits {
  /** Milliseconds that the engine computes in all; waiting doesn't count. */
  readonly computeMs: number;
  /** Calls of tools; one more ends the script. */
  readonly calls: number;
}

/** A request of a script to the host. */
export type ScriptRequest =
  | { readonly op: 'call'; readonly name: string; readonly form: 'value' | 'text' | 'parts'; readonly args?: unknown }
  | { readonly op: 'search'; readonly query: string; readonly limit?: number; readonly server?: string }
  | { readonly op: 'describe'; readonly name: string }
  | { readonly op: 'get'; readonly id: string }
  | { readonly op: 'list' }
  | { readonly op: 'show'; readonly id: string }
  | { readonly op: 'sleep'; readonly ms: number };

/**
 * The answer to a script's request: `json` is a value, `text` a text, `either` a value if it parses as JSON and otherwise
 * a text, `error` an error to throw.
 */
export type ScriptAnswer =
  | { readonly kind: 'json' | 'text' | 'either'; readonly text: string }
  | {
      readonly kind: 'error';
      readonly message: string;
      readonly tool?: string;
      readonly outcome?: 'failed' | 'refused';
    };

/** Where in the script's own code, from 1. */
interface CodePosition {
  readonly line: number;
  readonly column: number;
}

/** How a script ended. */
export type SandboxEnd = (
  | { readonly kind: 'returned'; readonly value: ReturnedValue }
  | {
      readonly kind: 'threw';
      readonly name: string;
      readonly message: string;
      readonly place?: CodePosition;
      /** The tool whose call failed, if one did. */
      readonly tool?: string;
    }
  /**
   * `requests`: {@link MAX_OTHER_REQUESTS}. `stuck`: it waits for nothing that could come. `lost`: the thread ended
   * by itself; `why` says more.
   */
  | { readonly kind: 'stopped'; readonly reason: StopReason; readonly why?: string }
) & {
  /** Lines that the script logged. */
  readonly logs: readonly string[];
  /** Errors that nothing in the script awaited, in words. */
  readonly unawaited: readonly string[];
  readonly computeMs: number;
};

type StopReason = 'time' | 'memory' | 'calls' | 'requests' | 'stuck' | 'lost' | 'cancelled';

type ReturnedValue = { readonly type: 'text' | 'json'; readonly text: string } | { readonly type: 'nothing' };

/** Runs scripts in a place where they reach nothing but the answers to their requests. */
export interface SandboxPort {
  /** Why scripts can't run here; undefined if they can, as far as is known. */
  readonly unavailable: string | undefined;
  /** Runs one script. Never rejects. `answer` must not reject. An abort ends the script at once. */
  run(
    code: string,
    limits: ScriptLimits,
    answer: (request: ScriptRequest) => Promise<ScriptAnswer>,
    signal: AbortSignal,
  ): Promise<SandboxEnd>;
}
