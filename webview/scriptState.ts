import type { ScriptRunView } from '../src/inspector/protocol/script';

/** The script that the user ran last, with its result. */
export interface ScriptState {
  readonly code: string;
  /** Undefined while the script runs. */
  readonly result?: ScriptRunView;
}
