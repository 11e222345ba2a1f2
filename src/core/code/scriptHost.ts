import type { Tool } from '../catalog/tool';
import type { Redact } from '../util/knownSecrets';
import type { KeptOfChat, KeptResults } from './keptResults';
import type { SandboxPort } from './sandboxPort';
import type { Shapes } from './shapes';

/**
 * How the user is asked before a tool runs: never, for one call after another, or once for all calls that wait
 * together.
 */
export type ScriptQuestion = 'never' | 'oneByOne' | 'together';

/** The parts that all scripts of a window share. */
export interface ScriptHost {
  readonly sandbox: SandboxPort;
  readonly shapes: Shapes;
  readonly kept: KeptResults;
  /** Results come without secrets, but a script may join two parts into one. */
  readonly redact: Redact;
}

/** The parts that the scripts of one chat run with. */
export interface CodeDeps {
  readonly sandbox: SandboxPort;
  readonly shapes: Shapes;
  readonly kept: KeptOfChat;
  readonly redact: Redact;
  readonly asking: (tool: Tool) => ScriptQuestion;
}

/** @param chat names the chat, which sees only results that were kept for it */
export function codeDepsOf({ kept, ...host }: ScriptHost, chat: string, asking: CodeDeps['asking']): CodeDeps {
  return { ...host, kept: kept.of(chat), asking };
}
