// Decides whether the user is asked before a call, and whether the tool is still the one that they agreed to.

import type * as vscode from 'vscode';
import type { OutsideClient } from '../../core/agents/endpointPort';
import { declaredChange, type Tool } from '../../core/catalog/tool';
import type { ScriptQuestion } from '../../core/code/codeDeps';
import { type Call, type PendingCall, type ToolRun, toolMessage } from '../../core/ports';
import { isSaidAlike } from '../changes/comparedDefinition';
import { mayAskUser } from './invokeTool';
import type { ToolProviders } from './toolProviders';

/** The origin of a call: a chat (its token) or a client of the endpoint. Without a token, VS Code asks in a dialog. */
export interface CallSource {
  readonly token?: vscode.ChatParticipantToolToken | undefined;
  readonly client?: OutsideClient | undefined;
}

/** Asks the user about a call and runs it once they consent: see `ui/confirmations`. */
interface AskUser {
  /** Asks in the chat of the token. */
  inChat(
    call: PendingCall,
    token: vscode.ChatParticipantToolToken | undefined,
    run: () => Promise<ToolRun>,
  ): Promise<ToolRun>;
  /**
   * Asks about a call of a client outside VS Code.
   * @param asksAgain whether VS Code may ask a second time
   */
  outside(call: PendingCall, client: OutsideClient, asksAgain: boolean, run: () => Promise<ToolRun>): Promise<ToolRun>;
}

export interface ConsentDeps {
  readonly source: ToolProviders['source'];
  readonly ask: AskUser;
}

/** The user's consent to calls, whether VS Code or our own client runs their servers. */
export class Consent {
  readonly #deps: ConsentDeps;

  constructor(deps: ConsentDeps) {
    this.#deps = deps;
  }

  /** Returns how the user is asked about a tool's calls: by VS Code for each, by us for several together, or never. */
  asking(tool: Tool): ScriptQuestion {
    if (!this.isOwn(tool)) return mayAskUser(tool) ? 'oneByOne' : 'never';
    return declaredChange(tool) === false ? 'never' : 'together';
  }

  /** Whether our own client runs the tool. VS Code runs all others and asks about them itself. */
  isOwn(tool: Tool): boolean {
    return this.#deps.source.entry?.own !== undefined && tool.origin === 'mcp';
  }

  /** Asks the user about a call. It goes on with the tool as they saw it. */
  async askBefore(
    pending: Call,
    { token, client }: CallSource,
    goOn: (call: Call) => Promise<ToolRun>,
  ): Promise<ToolRun> {
    const isOwn = this.isOwn(pending.tool);
    // VS Code asks about tools that it runs, but only for calls from its own chats. A server's claim that a tool only
    // reads isn't enough for other programs: what it reads leaves VS Code.
    if (!client && (declaredChange(pending.tool) === false || !isOwn)) return goOn(pending);
    // Bundled as a separate file: see esbuild.mjs.
    const { marksOf } = await import('../../core/catalog/marks');
    const { source, ask } = this.#deps;
    const marks = marksOf(pending.tool, source.catalog.tools);
    const call = { ...pending, marks, shown: source.refresh().byId.get(pending.tool.id) ?? pending.tool };
    return client ? ask.outside(call, client, !isOwn, () => goOn(call)) : ask.inChat(call, token, () => goOn(call));
  }

  /** Returns why a call isn't run if its server has changed the tool since the user was asked; otherwise undefined. */
  changedSince({ shown }: Call): ToolRun | undefined {
    const tool = shown && this.#deps.source.refresh().byId.get(shown.id);
    if (!tool || isSaidAlike(shown, tool)) return undefined;
    const why = 'its server changed it while the call waited for the user';
    return toolMessage('refused', `${tool.modelName} was not called: ${why}. Call it again if it still fits.`);
  }
}
