/** Scripts that the user runs in the playground, between host and webview. */
import { MAX_CODE } from '../../core/code/sandboxPort';

/** Longest code of a script in characters. */
export const MAX_SCRIPT_CODE = MAX_CODE;

/** Outcome of a script that the user ran. */
export interface ScriptRunView {
  readonly outcome: 'ok' | 'failed' | 'invalid' | 'refused' | 'cancelled';
  /** The answer that a model would have received. */
  readonly output: string;
  /** The line of its code that failed, from 1. */
  readonly line?: number;
  readonly calls: number;
  readonly failed: number;
  /** In the order of their first calls. */
  readonly servers: readonly string[];
  readonly ms: number;
}
