import type { Tool } from '../catalog/tool';
import type { Redact } from '../util/knownSecrets';
import type { KeptOfChat, KeptResults } from './keptResults';
import type { SandboxPort } from './sandboxPort';
import type { Shapes } from './shapes';

/**
 * When the user is asked before a tool runs: never, for one call after another, or once for all calls that wait
 * together.
 */
export type ScriptQuestion = 'never' | 'oneByOne' | 'together';

/** The services that all scripts of a window share. */
export interface ScriptHost {
  readonly sandbox: SandboxPort;
  readonly shapes: Shapes;
  readonly kept: KeptResults;
  /** Removes secrets. Results of tools contain none, but a script may join two parts to a secret. */
  readonly redact: Redact;
}

/** The services that the scripts of one chat use. */
export interface CodeDeps {
  readonly sandbox: SandboxPort;
  readonly shapes: Shapes;
  readonly kept: KeptOfChat;
  readonly redact: Redact;
  readonly asking: (tool: Tool) => ScriptQuestion;
}

/** @param chat the chat's name; the chat sees only its own stored results */
export function codeDepsOf({ kept, ...host }: ScriptHost, chat: string, asking: CodeDeps['asking']): CodeDeps {
  return { ...host, kept: kept.of(chat), asking };
}
