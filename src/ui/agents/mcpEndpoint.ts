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
import { isOverWithin, onAbort, pause } from '../../core/util/signals';

/** The server's name in other clients. */
const ENTRY = 'tool-search';
/** As in package.json. */
const PROVIDER = 'toolsearch.endpoint';
const TOKEN_BYTES = 32;
/**
 * A window that reloads finds its own port taken until the extension host before has ended. How often, and how far
 * apart in milliseconds.
 */
const PORT_TRIES = 12;
const PORT_PAUSE_MS = 500;

/** A call that takes longer is shown. In milliseconds. */
const QUICK_MS = 1_000;
/** As much is shown of who calls what, and with what. In characters. */
const MAX_NAME = 60;
const MAX_ARGUMENTS = 300;

/** How an entry is written; neither an address nor a token holds anything to quote. */
const ENTRIES = {
  /** The format in which most clients keep their servers. */
  json: (url: string, headers: Sent) =>
    JSON.stringify({ mcpServers: { [ENTRY]: { type: 'http', url, headers } } }, undefined, 2),
  /** A command, since a file of a project would be shared. */
  claudeCode: (url: string, { Authorization }: Sent) =>
    `claude mcp add --transport http ${ENTRY} ${url} --header "Authorization: ${Authorization}"`,
  /** Lines of its `config.toml`. */
  codex: (url: string, { Authorization }: Sent) =>
    `[mcp_servers.${ENTRY}]\nurl = "${url}"\nhttp_headers = { Authorization = "${Authorization}" }\n`,
};
type EntryForm = keyof typeof ENTRIES;

/** The data that a window keeps, so that an entry that was copied goes on working after a reload. */
interface Kept {
  readonly port: number;
  readonly token: string;
}

export interface McpEndpointDeps {
  /** Keeps the port and the token. All windows share it, so the workspace names the key; undefined keeps nothing. */
  readonly kept: { readonly storage: vscode.SecretStorage; readonly workspace: string } | undefined;
  readonly version: string;
  readonly tools: EndpointTools;
  readonly open: OpenEndpoint;
  /** Whether it should listen now. */
  readonly wanted: () => boolean;
  /** Learns the token before anybody else does, and takes secrets out of what is shown. */
  readonly secrets: Pick<KnownSecrets, 'add' | 'redact'>;
  readonly log: (line: string) => void;
  readonly pause?: typeof pause;
}

/**
 * Publishes our tools as an MCP server of this window: to VS Code, for agents of it that take MCP servers, and by
 * an entry that the user copies to any other client. It listens while it is wanted, and no longer than the window.
 */
export class McpEndpoint implements vscode.Disposable {
  readonly #deps: McpEndpointDeps;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #registered: vscode.Disposable;
  #running: { readonly endpoint: Endpoint; readonly token: string } | undefined;
  #closed = false;
  /** The last list, to notify clients of changes alone. */
  #listed = '';
  #applying: Promise<void> = Promise.resolve();

  constructor(deps: McpEndpointDeps) {
    this.#deps = deps;
    this.#registered = vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
      onDidChangeMcpServerDefinitions: this.#changed.event,
      // Without the token: VS Code keeps what is provided here in a file of its own.
      provideMcpServerDefinitions: () => (this.#running ? [this.#definition(this.#running.endpoint)] : []),
      resolveMcpServerDefinition: (definition) => {
        if (!this.#running) return undefined;
        const resolved = this.#definition(this.#running.endpoint);
        resolved.headers = authorization(this.#running.token);
        return definition.label === resolved.label ? resolved : undefined;
      },
    });
  }

  /** Brings what runs in line with what is wanted, and what clients have listed with what there is. Never rejects. */
  apply(): Promise<void> {
    this.#applying = this.#applying
      .then(() => this.#apply())
      .catch((error: unknown) => {
        this.#deps.log(`The MCP endpoint failed: ${messageOf(error)}`);
      });
    return this.#applying;
  }

  /** The address and the header that a client sends there; undefined while it doesn't listen. */
  get address(): { readonly url: string; readonly authorization: string } | undefined {
    return (
      this.#running && {
        url: this.#running.endpoint.url,
        authorization: authorization(this.#running.token).Authorization,
      }
    );
  }

  /**
   * The entry for another client's file, in that client's format. It contains the access token. Undefined while the
   * endpoint doesn't listen.
   */
  entry(form: EntryForm = 'json'): string | undefined {
    return this.#running && ENTRIES[form](this.#running.endpoint.url, authorization(this.#running.token));
  }

  /** Refuses everybody from here on; resolves once it doesn't listen any more. */
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

  /** Undefined if it isn't wanted any more. */
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
    // A new port has a new token: who has taken the old port may have been sent the old one.
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const endpoint = await listen(0, token);
    await place?.storage.store(slot, JSON.stringify({ port: endpoint.port, token } satisfies Kept));
    return { endpoint, token };
  }

  /** Undefined if another program keeps the port. */
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
   * Says who calls what with what while a call takes its time, since the user may be being asked: VS Code's dialog,
   * out of nowhere, names the tool alone. The call can be given up there. A dialog can't be closed by us: if the
   * client gives up meanwhile, it is said that its answer counts for nothing.
   */
  async #shown(call: AgentCall, signal: AbortSignal): Promise<ToolRun> {
    const { tool, input, by } = call;
    if ((tool !== CALL_TOOL && tool !== RUN_CODE) || typeof by !== 'object')
      return this.#deps.tools.answer(call, signal);
    const { name = tool, arguments: given = input } = asObject(input) ?? {};
    const [client, called] = [plainMessage(cut(by.client, MAX_NAME)), plainMessage(cut(String(name), MAX_NAME))];
    const stop = onAbort(signal, () => {
      if (this.#running) void vscode.window.showWarningMessage(leftBehind(client, called));
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

  #definition({ url }: Endpoint): vscode.McpHttpServerDefinition {
    return new vscode.McpHttpServerDefinition(
      vscode.l10n.t('Tool Search'),
      vscode.Uri.parse(url),
      {},
      this.#deps.version,
    );
  }
}

function leftBehind(client: string, called: string): string {
  return vscode.l10n.t(
    'MCP client {0} cancelled its call of {1}. If VS Code still asks about it, the call won’t run, whatever you answer.',
    client,
    called,
  );
}

/** Copies the entry for another client, and says what it holds. Offers to turn the endpoint on if it is off. */
export async function copyMcpEntry(endpoint: McpEndpoint, turnOn: () => Promise<void>): Promise<void> {
  if (!(await isOn(endpoint, turnOn, vscode.l10n.t('Turn It On and Copy')))) return;
  const form = await chooseForm();
  const entry = form && endpoint.entry(form);
  if (entry === undefined) return;
  await vscode.env.clipboard.writeText(entry);
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      'The entry is in the clipboard. It holds a token: whoever has it can search and call the tools of this window. Keep it out of repositories.',
    ),
  );
}

/** The endpoint's address for another agent. Offers to turn the endpoint on; undefined if the user doesn't want that. */
export async function endpointAddress(
  endpoint: McpEndpoint,
  turnOn: () => Promise<void>,
): Promise<McpEndpoint['address']> {
  return (await isOn(endpoint, turnOn, vscode.l10n.t('Turn It On'))) ? endpoint.address : undefined;
}

/** Whether the endpoint listens, after an offer to turn it on. Throws if it can't. */
async function isOn(endpoint: McpEndpoint, turnOn: () => Promise<void>, yes: string): Promise<boolean> {
  if (endpoint.address) return true;
  const off = vscode.l10n.t('The MCP endpoint of this window is off.');
  if ((await vscode.window.showInformationMessage(off, yes)) !== yes) return false;
  await turnOn();
  await endpoint.apply();
  if (!endpoint.address) throw new Error(vscode.l10n.t('The MCP endpoint isn’t running. The log shows the reason.'));
  return true;
}

async function chooseForm(): Promise<EntryForm | undefined> {
  const items: readonly (vscode.QuickPickItem & { readonly form: EntryForm })[] = [
    { form: 'json', label: 'JSON', description: vscode.l10n.t('for most clients') },
    { form: 'claudeCode', label: 'Claude Code', description: vscode.l10n.t('a command for the terminal') },
    { form: 'codex', label: 'Codex', description: vscode.l10n.t('lines for {0}', '~/.codex/config.toml') },
  ];
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Which client is the entry for?') }))
    ?.form;
}

/** The headers that a client sends with each request. */
type Sent = { readonly Authorization: string };

function authorization(token: string): { Authorization: string } {
  return { Authorization: `Bearer ${token}` };
}

function readKept(text: string | undefined): Kept | undefined {
  const { port, token } = asObject(text) ?? {};
  return typeof port === 'number' && typeof token === 'string' ? { port, token } : undefined;
}
