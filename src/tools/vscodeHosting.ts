import type * as vscode from 'vscode';
import type { ToolRunner } from '../core/ports';
import type { Settings } from '../core/settings';
import type { Tool } from '../core/tool';
import { CatalogCache } from './catalogCache';
import { CatalogSource } from './catalogSource';
import { type Hosting, HostSwitch } from './hostSwitch';
import { createTurnRunner, type InvokeOptions } from './invoke';
import type { InputStore } from './mcp/inputs';
import { McpSource } from './mcp/mcpSource';
import { Consent } from './vscodeConsent';
import { createVscodeRunner, mayAskUser } from './vscodeInvoke';
import type { VscodeMcpConfig } from './vscodeMcpConfig';
import { createInputStore, createMcpWorld } from './vscodeMcpWorld';
import { createStorageFile, createVscodeToolHost } from './vscodeTools';

/** How a turn's calls are run, and what hears of them. */
export interface RunnerOptions {
  readonly checkArguments: InvokeOptions['checkArguments'];
  /** False where the user was asked already. */
  readonly asks: boolean;
  readonly onSlow: (id: string) => void;
  readonly onProgress: (id: string, text: string) => void;
}

/** The tools of all servers and how they are run, whoever runs the servers (`toolsearch.mcp.host`). */
export class VscodeHosting {
  readonly source: HostSwitch<Settings['mcpHost']>;
  readonly consent = new Consent();
  readonly inputs: InputStore;
  readonly #settings: () => Settings;
  /** Undefined while VS Code runs the servers. */
  #own: McpSource | undefined;

  constructor(
    context: vscode.ExtensionContext,
    config: VscodeMcpConfig,
    settings: () => Settings,
    log: Pick<vscode.LogOutputChannel, 'info' | 'warn'>,
  ) {
    this.#settings = settings;
    this.inputs = createInputStore(context.secrets);
    const storage = context.storageUri ?? context.globalStorageUri;
    const warn = (message: string) => log.warn(message);
    const host = createVscodeToolHost(config, settings);
    const version: unknown = context.extension.packageJSON.version;
    const world = createMcpWorld(config, this.inputs, host, String(version), (line) => log.info(line));
    this.source = new HostSwitch((kind): Hosting => {
      if (kind === 'vscode') {
        this.#own = undefined;
        return { source: new CatalogSource(host, warn), cache: new CatalogCache(createStorageFile(storage, 'catalog.json'), warn) };
      }
      const source = new McpSource(world);
      this.#own = source;
      const file = createStorageFile(storage, 'catalog-extension.json');
      return { source, cache: new CatalogCache(file, warn, (server) => source.fingerprintOf(server)) };
    });
  }

  /** A runner for one turn, or for one call of another agent. */
  runnerFor(token: vscode.ChatParticipantToolToken | undefined, options: RunnerOptions): ToolRunner {
    const inVscode = createVscodeRunner(token);
    const own = this.#own;
    const isOwn = (tool: Tool) => own !== undefined && tool.origin === 'mcp';
    const runner: ToolRunner = {
      run: (tool, input, signal) =>
        own && isOwn(tool)
          ? own.run(tool, input, { signal, onProgress: (text) => options.onProgress(tool.id, text) })
          : inVscode.run(tool, input, signal),
    };
    return createTurnRunner(runner, {
      settings: this.#settings(),
      checkArguments: options.checkArguments,
      limitSecondsOf: (tool) => own?.timeoutSecondsOf(tool),
      mayAsk: (tool) => !isOwn(tool) && mayAskUser(tool),
      consent: (call, run) => (options.asks && this.needsConsent(call.tool) ? this.consent.ask(call, token, run) : run()),
      onSlow: (tool) => options.onSlow(tool.id),
    });
  }

  /** Whether we have to ask the user about a call: VS Code asks about the tools that it runs itself. */
  needsConsent(tool: Tool): boolean {
    return this.#own !== undefined && tool.origin === 'mcp' && tool.annotations?.readOnlyHint !== true;
  }
}
