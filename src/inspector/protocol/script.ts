/** Scripts that the user runs in the playground, in the messages between host and webview. */
import { MAX_CODE } from '../../core/code/sandboxPort';

/** The maximum length of a script, in characters. */
export const MAX_SCRIPT_CODE = MAX_CODE;

/** The outcome of a script that the user ran. */
export interface ScriptRunView {
  readonly outcome: 'ok' | 'failed' | 'invalid' | 'refused' | 'cancelled';
  /** The answer that a model would have received. */
  readonly output: string;
  /** The number of the line that failed, from 1. */
  readonly line?: number;
  readonly calls: number;
  readonly failed: number;
  /** The servers, in the order of their first calls. */
  readonly servers: readonly string[];
  readonly ms: number;
}
