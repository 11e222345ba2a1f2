// Creates the two providers of tools: VS Code and our own MCP client.

import type * as vscode from 'vscode';
import type { Settings } from '../../core/settings/settings';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { once } from '../../core/util/once';
import type { StoredData } from '../../vscode/storedData';
import { CatalogCache } from '../catalogCache';
import { SeenTools } from '../changes/seenTools';
import type { LinkedResources } from '../linkedResources';
import type { InputStore } from '../mcp/config/inputs';
import type { ConnectDeps } from '../mcp/connection/connectServer';
import type { McpToolProvider } from '../mcp/servers/mcpToolProvider';
import { type ProviderEntry, ProviderSwitch } from '../providerSwitch';
import type { VscodeMcpConfig } from './mcpConfig';
import { createVscodeToolApi } from './vscodeToolApi';
import { VscodeToolProvider } from './vscodeToolProvider';

interface ToolProvidersDeps {
  readonly context: vscode.ExtensionContext;
  readonly config: VscodeMcpConfig;
  readonly settings: () => Settings;
  readonly log: Pick<vscode.LogOutputChannel, 'info' | 'warn'>;
  readonly secrets: KnownSecrets;
  readonly stored: Pick<StoredData, 'file' | 'ofUser'>;
}

interface LinkedProvider extends ProviderEntry {
  readonly linked: LinkedResources;
  /** Our own client; undefined if VS Code runs the servers. */
  readonly own?: McpToolProvider;
}

/** The tools of all servers, whether VS Code or our own client runs the servers (`toolsearch.mcp.host`). */
export class ToolProviders {
  readonly source: ProviderSwitch<Settings['mcpHost'], LinkedProvider>;
  /** Loaded at the first use. */
  readonly inputs: () => Promise<InputStore>;
  /** Loaded at the first use. */
  readonly signIns: NonNullable<ConnectDeps['signIns']>;

  constructor({ context, config, settings, log, secrets, stored }: ToolProvidersDeps) {
    const learn = (secret: string) => secrets.add(secret);
    this.inputs = once(async () => (await import('./mcpClientSetup')).createInputStore(context.secrets, learn));
    this.signIns = once(async () => (await import('./askSignIn')).createSignIns(context.secrets, learn));
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
        import('./mcpClientSetup'),
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
}
