import type { ScriptRunView } from '../src/inspector/protocol/script';

/** The script that the user ran last. */
export interface ScriptState {
  readonly code: string;
  /** Undefined while it runs. */
  readonly result?: ScriptRunView;
}
