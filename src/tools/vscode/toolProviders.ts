// Creates the two providers of tools (VS Code and our own MCP client), and the runners for all calls of tools.

import type * as vscode from 'vscode';
import type { OutsideClient } from '../../core/agents/endpointPort';
import type { Tool } from '../../core/catalog/tool';
import type { ScriptQuestion } from '../../core/code/codeDeps';
import { hiddenWords } from '../../core/planning/hidden';
import { type Call, type PendingCall, type ToolRun, type ToolRunner, toolMessage } from '../../core/ports';
import type { Pins } from '../../core/settings/pins';
import type { Settings } from '../../core/settings/settings';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { once } from '../../core/util/once';
import type { StoredData } from '../../vscode/storedData';
import { createTimeGate } from '../callTime';
import { CatalogCache } from '../catalogCache';
import { isSaidAlike, SeenTools } from '../changes/seenTools';
import { type LinkedResources, withLinks } from '../linkedResources';
import type { InputStore } from '../mcp/config/inputs';
import type { ConnectDeps } from '../mcp/connection/connectServer';
import type { McpToolProvider } from '../mcp/servers/mcpToolProvider';
import { type ProviderEntry, ProviderSwitch } from '../providerSwitch';
import { withoutSecrets } from '../withoutSecrets';
import { invokeInVscode, mayAskUser } from './invokeTool';
import type { VscodeMcpConfig } from './mcpConfig';
import { createStructuredCheck } from './structuredTools';
import { createVscodeToolApi } from './vscodeToolApi';
import { VscodeToolProvider } from './vscodeToolProvider';

/** The options of a turn's calls, and the functions called while they run. */
interface RunnerOptions {
  readonly checkArguments: ToolRunner['checkArguments'];
  readonly onSlow: (id: string, seconds: number) => void;
  readonly onProgress: (id: string, text: string) => void;
}

/**
 * The origin of a call: a chat of VS Code or a client of the endpoint. A chat is given by its token; without one, VS
 * Code asks in a dialog.
 */
export interface CallSource {
  readonly token?: vscode.ChatParticipantToolToken | undefined;
  readonly client?: OutsideClient | undefined;
}

/** The user's settings and pins, read at each call. */
interface HidingUser {
  readonly settings: () => Settings;
  readonly pins: () => Pins;
}

/** Asks the user about a call and runs it once they consent. */
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

interface ToolProvidersDeps {
  readonly context: vscode.ExtensionContext;
  readonly config: VscodeMcpConfig;
  readonly user: HidingUser;
  readonly log: Pick<vscode.LogOutputChannel, 'info' | 'warn'>;
  readonly ask: AskUser;
  readonly secrets: KnownSecrets;
  readonly stored: Pick<StoredData, 'file' | 'ofUser'>;
}

/** A provider, and the objects that calls of its tools need. */
interface LinkedProvider extends ProviderEntry {
  readonly linked: LinkedResources;
  /** Our own client; undefined if VS Code runs the servers. */
  readonly own?: McpToolProvider;
}

/**
 * The tools of all servers and the functions that call them, whether VS Code or our own client runs the servers
 * (`toolsearch.mcp.host`).
 */
export class ToolProviders {
  readonly #structured = createStructuredCheck();
  readonly source: ProviderSwitch<Settings['mcpHost'], LinkedProvider>;
  /** Loaded at the first use. */
  readonly inputs: () => Promise<InputStore>;
  /** Loaded at the first use. */
  readonly signIns: NonNullable<ConnectDeps['signIns']>;
  readonly #user: HidingUser;
  readonly #ask: AskUser;
  readonly #secrets: KnownSecrets;

  constructor({ context, config, user, log, ask, secrets, stored }: ToolProvidersDeps) {
    this.#ask = ask;
    this.#secrets = secrets;
    this.#user = user;
    const { settings } = user;
    this.inputs = once(async () => {
      const { createInputStore } = await import('./mcpDeps');
      return createInputStore(context.secrets, (secret) => secrets.add(secret));
    });
    this.signIns = once(async () => {
      const { createSignIns } = await import('./signIn');
      return createSignIns(context.secrets, (secret) => secrets.add(secret));
    });
    const warn = (message: string) => log.warn(message);
    const host = createVscodeToolApi(config, settings);
    // The two providers have separate files, because VS Code changes the form of schemas.
    const files = (suffix: string, fingerprintOf?: (server: string) => string | undefined) => ({
      cache: new CatalogCache(stored.file(`catalog${suffix}.json`), warn, fingerprintOf),
      seen: new SeenTools(stored.file(`seen${suffix}.json`), warn),
    });
    const make = async (kind: Settings['mcpHost']): Promise<LinkedProvider> => {
      if (kind === 'vscode') {
        const source = new VscodeToolProvider(host, warn, secrets);
        return { source, ...files(''), linked: source.linked };
      }
      // Bundled as a separate file: see esbuild.mjs.
      const [{ McpToolProvider }, { createMcpDeps }] = await Promise.all([
        import('../mcp/servers/mcpToolProvider'),
        import('./mcpDeps'),
      ]);
      const own = new McpToolProvider(
        createMcpDeps({
          config,
          answers: { inputs: await this.inputs(), signIns: this.signIns, starts: stored.ofUser },
          host,
          settings,
          version: String(context.extension.packageJSON.version),
          log: (line) => log.info(line),
          secrets,
        }),
      );
      return { source: own, ...files('-extension', (server) => own.fingerprintOf(server)), linked: own.linked, own };
    };
    this.source = new ProviderSwitch(make, () => settings().changedTools === 'ask');
  }

  /**
   * Returns how the user is asked about calls of a tool: by VS Code for each call, by us for several together, or
   * never.
   */
  asking(tool: Tool): ScriptQuestion {
    if (!this.#runs(tool)) return mayAskUser(tool) ? 'oneByOne' : 'never';
    return onlyReads(tool) ? 'never' : 'together';
  }

  /** Whether our own client runs the tool. VS Code runs all others and asks about them itself. */
  #runs(tool: Tool): boolean {
    return this.source.entry?.own !== undefined && tool.origin === 'mcp';
  }

  /** Asks the user about a call. It goes on with the tool as they saw it. */
  async #consent(
    pending: Call,
    { token, client }: CallSource,
    goOn: (call: Call) => Promise<ToolRun>,
  ): Promise<ToolRun> {
    const isOwn = this.#runs(pending.tool);
    // VS Code asks about tools that it runs, but only for calls from its own chats. A server's claim that a tool only
    // reads isn't enough for other programs: what it reads leaves VS Code.
    if (!client && (onlyReads(pending.tool) || !isOwn)) return goOn(pending);
    // Bundled as a separate file: see esbuild.mjs.
    const { marksOf } = await import('../../core/catalog/marks');
    const marks = marksOf(pending.tool, this.source.catalog.tools);
    const call = { ...pending, marks, shown: this.source.refresh().byId.get(pending.tool.id) ?? pending.tool };
    if (client) return this.#ask.outside(call, client, !isOwn, () => goOn(call));
    return this.#ask.inChat(call, token, () => goOn(call));
  }

  /** Returns why a call isn't run if its server has changed the tool since the user was asked; otherwise undefined. */
  #changedSince({ shown }: Call): ToolRun | undefined {
    const tool = shown && this.source.refresh().byId.get(shown.id);
    if (!tool || isSaidAlike(shown, tool)) return undefined;
    const why = 'its server changed it while the call waited for the user';
    return toolMessage('refused', `${tool.modelName} was not called: ${why}. Call it again if it still fits.`);
  }

  /**
   * Returns why a tool isn't called if the user has hidden it; otherwise undefined. A round or a script may have got
   * the tool earlier.
   */
  #hidden(tool: Tool): ToolRun | undefined {
    const words = hiddenWords(tool, { settings: this.#user.settings(), pins: this.#user.pins() });
    return words === undefined ? undefined : toolMessage('refused', words);
  }

  /** Creates a runner for the calls of one chat or client. */
  runnerFor(source: CallSource, options: RunnerOptions): ToolRunner {
    const settings = this.#user.settings();
    const { own, linked } = this.source.entry ?? {};
    const invoke = async (call: Call): Promise<ToolRun> => {
      const { tool, input, signal } = call;
      if (!own || !this.#runs(tool)) return this.#structured(tool.id, await invokeInVscode(call, source.token));
      const onProgress = (text: string) => options.onProgress(tool.id, text);
      // With a refusal function, the call waits until a starting server has listed its tools.
      if (this.#user.settings().changedTools === 'ask' || call.shown)
        return own.run(tool, input, { signal, onProgress, refusal: call.refusal });
      return call.refusal() ?? own.run(tool, input, { signal, onProgress });
    };
    const readerOf = (id: string) => {
      const reader = this.source.refresh().byId.get(id);
      return reader && !this.#hidden(reader) ? reader : undefined;
    };
    const linking = linked ? withLinks(invoke, linked, readerOf, this.#secrets.redact) : invoke;
    return {
      refusalOf: (tool) => this.#hidden(tool) ?? this.source.refusalOf(tool),
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
      invoke: (call) => withoutSecrets(call.tool, linking(call), this.#secrets),
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
