import type { ScriptRunView } from '../../src/inspector/scriptProtocol';

/** The script that the user ran last. */
export interface ScriptState {
  readonly code: string;
  /** Undefined while it runs. */
  readonly result?: ScriptRunView;
}
