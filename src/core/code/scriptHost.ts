import type { Tool } from '../catalog/tool';
import type { KeptOfChat, KeptResults } from './keptResults';
import type { SandboxPort } from './sandboxPort';
import type { Shapes } from './shapes';

/** What the scripts of a window share. */
export interface ScriptHost {
  readonly sandbox: SandboxPort;
  readonly shapes: Shapes;
  readonly kept: KeptResults;
}

/** What a chat's scripts are run with. */
export interface CodeDeps {
  readonly sandbox: SandboxPort;
  readonly shapes: Shapes;
  readonly kept: KeptOfChat;
  /** Whether the user may be asked before the tool runs, by somebody who can't be asked two things at once. */
  readonly mayAsk: (tool: Tool) => boolean;
}

/** @param chat names the chat: it sees what was kept for it alone */
export function codeDepsOf({ kept, ...host }: ScriptHost, chat: string, mayAsk: CodeDeps['mayAsk']): CodeDeps {
  return { ...host, kept: kept.of(chat), mayAsk };
}
