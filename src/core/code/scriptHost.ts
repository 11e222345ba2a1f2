import type { Tool } from '../catalog/tool';
import type { Redact } from '../util/knownSecrets';
import type { KeptOfChat, KeptResults } from './keptResults';
import type { SandboxPort } from './sandboxPort';
import type { ScriptQuestion } from './script';
import type { Shapes } from './shapes';

/** What the scripts of a window share. */
export interface ScriptHost {
  readonly sandbox: SandboxPort;
  readonly shapes: Shapes;
  readonly kept: KeptResults;
  /** Results come without secrets; a script may put one together out of two. */
  readonly redact: Redact;
}

/** What a chat's scripts are run with. */
export interface CodeDeps {
  readonly sandbox: SandboxPort;
  readonly shapes: Shapes;
  readonly kept: KeptOfChat;
  readonly redact: Redact;
  readonly asking: (tool: Tool) => ScriptQuestion;
}

/** @param chat names the chat: it sees what was kept for it alone */
export function codeDepsOf({ kept, ...host }: ScriptHost, chat: string, asking: CodeDeps['asking']): CodeDeps {
  return { ...host, kept: kept.of(chat), asking };
}
