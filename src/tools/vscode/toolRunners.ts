// Creates the runners for the calls of a chat or client, and asks the user about calls.

import type * as vscode from 'vscode';
import type { OutsideClient } from '../../core/agents/endpointPort';
import type { Tool } from '../../core/catalog/tool';
import type { ScriptQuestion } from '../../core/code/codeDeps';
import { hiddenWords } from '../../core/planning/hidden';
import { type Call, type PendingCall, type ToolRun, type ToolRunner, toolMessage } from '../../core/ports';
import type { Pins } from '../../core/settings/pins';
import type { Settings } from '../../core/settings/settings';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { createTimeGate } from '../callTime';
import { isSaidAlike } from '../changes/seenTools';
import { withLinks } from '../linkedResources';
import { withoutSecrets } from '../withoutSecrets';
import { invokeInVscode, mayAskUser } from './invokeTool';
import { createStructuredCheck } from './structuredTools';
import type { ToolProviders } from './toolProviders';

/** The options of a turn's calls, and the functions called while they run. */
interface RunnerOptions {
  readonly checkArguments: ToolRunner['checkArguments'];
  readonly onSlow: (id: string, seconds: number) => void;
  readonly onProgress: (id: string, text: string) => void;
}

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

interface ToolRunnersDeps {
  readonly source: ToolProviders['source'];
  readonly settings: () => Settings;
  readonly pins: () => Pins;
  readonly ask: AskUser;
  readonly secrets: KnownSecrets;
}

/** Runs calls of tools, whether VS Code or our own client runs their servers. */
export class ToolRunners {
  readonly #structured = createStructuredCheck();
  readonly #deps: ToolRunnersDeps;

  constructor(deps: ToolRunnersDeps) {
    this.#deps = deps;
  }

  /** Returns how the user is asked about a tool's calls: by VS Code for each, by us for several together, or never. */
  asking(tool: Tool): ScriptQuestion {
    if (!this.#isOwn(tool)) return mayAskUser(tool) ? 'oneByOne' : 'never';
    return onlyReads(tool) ? 'never' : 'together';
  }

  /** Whether our own client runs the tool. VS Code runs all others and asks about them itself. */
  #isOwn(tool: Tool): boolean {
    return this.#deps.source.entry?.own !== undefined && tool.origin === 'mcp';
  }

  /** Asks the user about a call. It goes on with the tool as they saw it. */
  async #consent(
    pending: Call,
    { token, client }: CallSource,
    goOn: (call: Call) => Promise<ToolRun>,
  ): Promise<ToolRun> {
    const isOwn = this.#isOwn(pending.tool);
    // VS Code asks about tools that it runs, but only for calls from its own chats. A server's claim that a tool only
    // reads isn't enough for other programs: what it reads leaves VS Code.
    if (!client && (onlyReads(pending.tool) || !isOwn)) return goOn(pending);
    // Bundled as a separate file: see esbuild.mjs.
    const { marksOf } = await import('../../core/catalog/marks');
    const { source, ask } = this.#deps;
    const marks = marksOf(pending.tool, source.catalog.tools);
    const call = { ...pending, marks, shown: source.refresh().byId.get(pending.tool.id) ?? pending.tool };
    return client ? ask.outside(call, client, !isOwn, () => goOn(call)) : ask.inChat(call, token, () => goOn(call));
  }

  /** Returns why a call isn't run if its server has changed the tool since the user was asked; otherwise undefined. */
  #changedSince({ shown }: Call): ToolRun | undefined {
    const tool = shown && this.#deps.source.refresh().byId.get(shown.id);
    if (!tool || isSaidAlike(shown, tool)) return undefined;
    const why = 'its server changed it while the call waited for the user';
    return toolMessage('refused', `${tool.modelName} was not called: ${why}. Call it again if it still fits.`);
  }

  /** Returns why a tool isn't called if the user has hidden it. A round or a script may have got it before that. */
  #hidden(tool: Tool): ToolRun | undefined {
    const words = hiddenWords(tool, { settings: this.#deps.settings(), pins: this.#deps.pins() });
    return words === undefined ? undefined : toolMessage('refused', words);
  }

  /** Creates a runner for the calls of one chat or client. */
  runnerFor(source: CallSource, options: RunnerOptions): ToolRunner {
    const settings = this.#deps.settings();
    const { own, linked } = this.#deps.source.entry ?? {};
    const invoke = async (call: Call): Promise<ToolRun> => {
      const { tool, input, signal } = call;
      if (!own || !this.#isOwn(tool)) return this.#structured(tool.id, await invokeInVscode(call, source.token));
      const onProgress = (text: string) => options.onProgress(tool.id, text);
      // With a refusal function, the call waits until a starting server has listed its tools.
      if (this.#deps.settings().changedTools === 'ask' || call.shown)
        return own.run(tool, input, { signal, onProgress, refusal: call.refusal });
      return call.refusal() ?? own.run(tool, input, { signal, onProgress });
    };
    const readerOf = (id: string) => {
      const reader = this.#deps.source.refresh().byId.get(id);
      return reader && !this.#hidden(reader) ? reader : undefined;
    };
    const linking = linked ? withLinks(invoke, linked, readerOf, this.#deps.secrets.redact) : invoke;
    return {
      refusalOf: (tool) => this.#hidden(tool) ?? this.#deps.source.refusalOf(tool),
      checkArguments: options.checkArguments,
      consent: (call, goOn) => this.#consent(call, source, goOn),
      time: createTimeGate({
        settings,
        isAsking: (tool) => own?.isAsking(tool) ?? false,
        limitSecondsOf: (tool) => own?.timeoutSecondsOf(tool),
        mayAsk: (tool) => this.asking(tool) === 'oneByOne',
        onSlow: (tool, seconds) => options.onSlow(tool.id, seconds),
      }),
      changedSince: (call) => this.#changedSince(call),
      invoke: (call) => withoutSecrets(call.tool, linking(call), this.#deps.secrets),
    };
  }
}

/**
 * Whether the server declares that the tool only reads. Then the user isn't asked about calls of VS Code's chats. If VS
 * Code runs the servers, it doesn't pass on this declaration.
 */
function onlyReads(tool: Tool): boolean {
  return tool.annotations?.readOnlyHint === true;
}
