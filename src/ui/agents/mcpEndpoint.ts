import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { AgentCall } from '../../core/agents/agentTools';
import type { Endpoint, EndpointTools, OpenEndpoint } from '../../core/agents/endpointPort';
import { CALL_TOOL, RUN_CODE } from '../../core/catalog/modelNames';
import type { ToolRun } from '../../core/ports';
import { cut } from '../../core/util/cut';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { messageOf } from '../../core/util/messageOf';
import { asObject } from '../../core/util/objects';
import { plainMessage } from '../../core/util/plainText';
import { onAbort } from '../../core/util/signals';
import { isOverWithin, pause } from '../../core/util/timers';

/** The name of our server in other clients. */
const ENTRY = 'tool-search';
/** The provider's id in package.json. */
const PROVIDER = 'toolsearch.endpoint';
const TOKEN_BYTES = 32;
/**
 * The number of attempts to open the former port, and the pause between them in milliseconds. After a reload, the port
 * is in use until the former extension host has ended.
 */
const PORT_TRIES = 12;
const PORT_PAUSE_MS = 500;

/** The time after which a running call is shown to the user, in milliseconds. */
const QUICK_MS = 1_000;
/** The maximum number of characters shown of a client's or tool's name, and of a call's arguments. */
const MAX_NAME = 60;
const MAX_ARGUMENTS = 300;

export interface McpEndpointDeps {
  /**
   * The storage for the port and the token, and the workspace that identifies this window's entry. If undefined,
   * nothing is stored.
   */
  readonly kept: { readonly storage: vscode.SecretStorage; readonly workspace: string } | undefined;
  readonly version: string;
  readonly tools: EndpointTools;
  readonly open: OpenEndpoint;
  /** Whether the endpoint should be open now. */
  readonly wanted: () => boolean;
  /** Gets the token before it is used, and removes secrets from shown texts. */
  readonly secrets: Pick<KnownSecrets, 'add' | 'redact'>;
  readonly log: (line: string) => void;
  readonly pause?: typeof pause;
}

/**
 * Publishes our tools as an MCP server of this window. VS Code gets it for agents that use MCP servers; for other
 * clients, the user copies an entry. The endpoint is open while the user wants it and the window exists.
 */
export class McpEndpoint implements vscode.Disposable {
  readonly #deps: McpEndpointDeps;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #registered: vscode.Disposable;
  #running: { readonly endpoint: Endpoint; readonly token: string } | undefined;
  #closed = false;
  /** The last list of tools, so that clients are notified only of changes. */
  #listed = '';
  #applying: Promise<void> = Promise.resolve();

  constructor(deps: McpEndpointDeps) {
    this.#deps = deps;
    this.#registered = vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
      onDidChangeMcpServerDefinitions: this.#changed.event,
      // The token isn't included, since VS Code stores these definitions in a file.
      provideMcpServerDefinitions: () => (this.address ? [this.#definition(this.address)] : []),
      resolveMcpServerDefinition: () => {
        if (!this.address) return undefined;
        const resolved = this.#definition(this.address);
        resolved.headers = { Authorization: this.address.authorization };
        return resolved;
      },
    });
  }

  /**
   * Opens or closes the endpoint according to the settings, and notifies clients if the tools have changed. Never
   * rejects.
   */
  apply(): Promise<void> {
    this.#applying = this.#applying
      .then(() => this.#apply())
      .catch((error: unknown) => {
        this.#deps.log(`The MCP endpoint failed: ${messageOf(error)}`);
      });
    return this.#applying;
  }

  /** The endpoint's address and the value of the Authorization header; undefined while the endpoint is closed. */
  get address(): { readonly url: string; readonly authorization: string } | undefined {
    const running = this.#running;
    return running && { url: running.endpoint.url, authorization: `Bearer ${running.token}` };
  }

  /** Closes the endpoint for good. Resolves when it is closed. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.apply();
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }

  async #apply(): Promise<void> {
    const wanted = this.#isWanted();
    if (!wanted && this.#running) {
      const { endpoint } = this.#running;
      this.#running = undefined;
      this.#changed.fire();
      await endpoint.close();
      this.#deps.log('The MCP endpoint is closed.');
    }
    if (!wanted) return;
    const listed = JSON.stringify(this.#deps.tools.definitions());
    if (!this.#running) {
      this.#running = await this.#open();
      if (!this.#running) return;
      this.#deps.log(`The MCP endpoint listens at ${this.#running.endpoint.url}.`);
      this.#changed.fire();
    } else if (listed !== this.#listed) this.#running.endpoint.toolsChanged();
    this.#listed = listed;
  }

  #isWanted(): boolean {
    return !this.#closed && this.#deps.wanted();
  }

  /** Opens the endpoint; undefined if it is no longer wanted. */
  async #open(): Promise<{ readonly endpoint: Endpoint; readonly token: string } | undefined> {
    const { kept: place, secrets, version, open, log } = this.#deps;
    const tools: EndpointTools = { ...this.#deps.tools, answer: (call, signal) => this.#shown(call, signal) };
    const slot = `mcpEndpoint.${place?.workspace}`;
    const kept = readKept(await place?.storage.get(slot));
    const listen = (port: number, token: string) => {
      secrets.add(token);
      return open({ tools, token, port, version, log });
    };
    if (kept) {
      const endpoint = await this.#again(() => listen(kept.port, kept.token));
      if (endpoint) return { endpoint, token: kept.token };
      if (!this.#isWanted()) return undefined;
      log(
        `Another program has the port ${kept.port}: the MCP endpoint gets a new one, and a new token. Copy its entry again.`,
      );
    }
    // A new port gets a new token: another program may now use the old port and have received the old token.
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const endpoint = await listen(0, token);
    await place?.storage.store(slot, JSON.stringify({ port: endpoint.port, token }));
    return { endpoint, token };
  }

  /** Opens the endpoint on its former port; undefined if another program uses that port. */
  async #again(listen: () => Promise<Endpoint>): Promise<Endpoint | undefined> {
    for (let tries = 0; tries < PORT_TRIES && this.#isWanted(); tries++) {
      try {
        return await listen();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
        await (this.#deps.pause ?? pause)(PORT_PAUSE_MS);
      }
    }
    return undefined;
  }

  /**
   * Answers a call. If it takes long, a notification shows the client, the tool and the arguments, and offers to
   * cancel. VS Code's own dialog, which may be open, names only the tool, and the extension can't close it. If the
   * client cancels meanwhile, a message tells the user that the answer has no effect.
   */
  async #shown(call: AgentCall, signal: AbortSignal): Promise<ToolRun> {
    const { tool, input, by } = call;
    if ((tool !== CALL_TOOL && tool !== RUN_CODE) || typeof by !== 'object')
      return this.#deps.tools.answer(call, signal);
    const { name, arguments: given = input } = asObject(input) ?? {};
    const client = plainMessage(cut(by.client, MAX_NAME));
    const called = plainMessage(cut(typeof name === 'string' ? name : tool, MAX_NAME));
    const stop = onAbort(signal, () => {
      const left = vscode.l10n.t(
        'MCP client {0} cancelled its call of {1}. VS Code may still ask you to allow the call, but it won’t run.',
        client,
        called,
      );
      if (this.#running) void vscode.window.showWarningMessage(left);
    });
    try {
      const givenUp = new AbortController();
      const running = this.#deps.tools.answer(call, AbortSignal.any([signal, givenUp.signal]));
      if (await isOverWithin(QUICK_MS, running)) return await running;
      const title = vscode.l10n.t(
        'MCP client {0} calls {1} with {2}',
        client,
        called,
        plainMessage(cut(this.#deps.secrets.redact(JSON.stringify(given)), MAX_ARGUMENTS)),
      );
      return await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title, cancellable: true },
        (_, token) => {
          token.onCancellationRequested(() => givenUp.abort());
          return running;
        },
      );
    } finally {
      stop();
    }
  }

  #definition({ url }: { readonly url: string }): vscode.McpHttpServerDefinition {
    const label = vscode.l10n.t('Tool Search');
    return new vscode.McpHttpServerDefinition(label, vscode.Uri.parse(url), {}, this.#deps.version);
  }
}

/** Copies the entry for another client and explains its content. If the endpoint is closed, offers to turn it on. */
export async function copyMcpEntry(endpoint: McpEndpoint, turnOn: () => Promise<void>): Promise<void> {
  const address = await endpointAddress(endpoint, turnOn, vscode.l10n.t('Turn It On and Copy'));
  if (!address) return;
  const { url, authorization: Authorization } = address;
  const servers = { [ENTRY]: { type: 'http', url, headers: { Authorization } } };
  await vscode.env.clipboard.writeText(JSON.stringify({ mcpServers: servers }, undefined, 2));
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      'The entry is in the clipboard. It contains a token, with which anyone can search and call the tools of this window. Keep the entry out of repositories.',
    ),
  );
}

/**
 * Returns the endpoint's address. If the endpoint is closed, offers to turn it on; undefined if the user declines.
 * Throws if it can't be opened.
 */
export async function endpointAddress(
  endpoint: McpEndpoint,
  turnOn: () => Promise<void>,
  yes = vscode.l10n.t('Turn It On'),
): Promise<McpEndpoint['address']> {
  if (endpoint.address) return endpoint.address;
  const off = vscode.l10n.t('The MCP endpoint of this window is off.');
  if ((await vscode.window.showInformationMessage(off, yes)) !== yes) return undefined;
  await turnOn();
  await endpoint.apply();
  if (!endpoint.address) throw new Error(vscode.l10n.t('The MCP endpoint isn’t running. The log shows the reason.'));
  return endpoint.address;
}

/** Reads the port and token that this window stored, so that copied entries still work after a reload. */
function readKept(text: string | undefined) {
  const { port, token } = asObject(text) ?? {};
  return typeof port === 'number' && typeof token === 'string' ? { port, token } : undefined;
}
