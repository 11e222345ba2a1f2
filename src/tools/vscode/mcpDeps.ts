import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Diagnostic } from '../../core/catalog/diagnostic';
import { cut } from '../../core/util/cut';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { plainLabel, plainName, plainPrompt } from '../../core/util/plainText';
import { type ConnectDeps, connectServer, learnEntry } from '../mcp/connectServer';
import type { Recipient } from '../mcp/definition';
import { type InputDefinition, InputStore } from '../mcp/inputs';
import type { McpDeps } from '../mcp/mcpToolProvider';
import type { VscodeMcpConfig } from './mcpConfig';
import type { VscodeToolApi } from './vscodeToolProvider';

/** Long enough for the call that the first question leads to. */
const IDLE_MS = 10_000;
/** How much of a command line is shown, in characters. */
const MAX_RUNS = 200;

/** What the extension's own MCP client is made from. */
interface McpParts {
  readonly config: VscodeMcpConfig;
  readonly inputs: InputStore;
  readonly signIns: NonNullable<ConnectDeps['signIns']>;
  readonly host: Pick<VscodeToolApi, 'listTools' | 'exampleRules' | 'trusted'>;
  readonly version: string;
  readonly log: (line: string) => void;
  readonly secrets: KnownSecrets;
}

/** Gives the extension's own MCP client what it needs of VS Code. */
export function createMcpDeps({ config, inputs, signIns, host, version, log, secrets }: McpParts): McpDeps {
  const deps = {
    ...surroundings(secrets),
    input: inputs.value.bind(inputs),
    roots: () => folders().map((folder) => ({ uri: folder.uri.toString(), name: folder.name })),
    version,
    signIns,
  };
  return {
    connect: (server, options, events) => connectServer(deps, server, options, events),
    now: Date.now,
    idleMs: IDLE_MS,
    definitions: () => config.definitions,
    otherTools: () => host.listTools().filter((tool) => !tool.tags.includes('mcp')),
    exampleRules: () => host.exampleRules(),
    trusted: () => host.trusted(),
    diagnostics: () => (config.definitions.length > 0 ? runsTwice() : []),
    ask: async (server, form, signal) => (await import('./askForm')).askForm(server, form, signal),
    signIn: async (server, request, signal) => (await import('./signIn')).askSignIn(server, request, signal),
    log: (server, line) => log(`${server}: ${line}`),
  };
}

/** Learns what the entries of `mcp.json` give their servers in secret, VS Code's too. Nothing is read in a workspace that isn't trusted. */
export async function learnEntries(config: VscodeMcpConfig, secrets: KnownSecrets): Promise<void> {
  if (!vscode.workspace.isTrusted) return;
  await Promise.all(config.definitions.map((server) => learnEntry(surroundings(secrets), server)));
}

const folders = () => vscode.workspace.workspaceFolders ?? [];

/** What the variables of an entry stand for here. */
function surroundings(secrets: KnownSecrets) {
  return {
    folders: () => new Map(folders().map((folder) => [folder.name, folder.uri.fsPath])),
    home: homedir(),
    env: process.env,
    secrets,
  };
}

/** Keeps what the user answers for `${input:…}` in VS Code's secret storage. */
export function createInputStore(secrets: vscode.SecretStorage, learn: (secret: string) => void): InputStore {
  return new InputStore(secrets, { answer: askForInput, share: askToShare }, learn);
}

/** Files come from strangers: VS Code would make links of what their descriptions hold, and run commands by them. */
async function askForInput(input: InputDefinition, server: string): Promise<string | undefined> {
  const title = titleOf(server);
  const prompt = plainPrompt(input.description);
  if (input.type === 'pickString') {
    const items = input.options.map(({ label, value }) => ({
      label: plainLabel(label),
      value,
      ...(value === input.fallback ? { picked: true } : {}),
    }));
    const picked = await vscode.window.showQuickPick(items, { title, placeHolder: prompt, ignoreFocusOut: true });
    return picked?.value;
  }
  return vscode.window.showInputBox({
    title,
    prompt,
    password: input.password,
    ignoreFocusOut: true,
    ...(input.fallback === undefined ? {} : { value: input.fallback }),
  });
}

async function askToShare(
  input: InputDefinition,
  { name, runs }: Recipient,
  others: readonly string[],
): Promise<boolean> {
  const what = plainPrompt(input.description);
  const rest = others.filter((other) => other !== name);
  const placeHolder = others.includes(name)
    ? vscode.l10n.t('It wants “{0}”, which you answered for it when mcp.json had it run or reach something else.', what)
    : rest.length > 0
      ? vscode.l10n.t(
          'It wants “{0}”, which you answered for {1}.',
          what,
          rest.map((other) => plainName(other)).join(', '),
        )
      : vscode.l10n.t('It wants “{0}”, which you have answered before.', what);
  // Who gets it: the name alone may be anybody's.
  const give = { label: vscode.l10n.t('Give it the same answer'), detail: cut(plainPrompt(runs), MAX_RUNS) };
  const items = [give, { label: vscode.l10n.t("Don't give it") }];
  return (
    (await vscode.window.showQuickPick(items, { title: titleOf(name), placeHolder, ignoreFocusOut: true })) === give
  );
}

function titleOf(server: string): string {
  return vscode.l10n.t('MCP server {0}', plainName(server));
}

/** VS Code goes on starting the servers of `mcp.json` with each chat, unless it is told not to. */
function runsTwice(): readonly Diagnostic[] {
  const settings = vscode.workspace.getConfiguration('chat.mcp');
  if (settings.get('access') === 'none' || settings.get('autostart') === 'never') return [];
  const message = vscode.l10n.t(
    'VS Code starts the servers of mcp.json too, so that they run twice. Set chat.mcp.autostart to never, or chat.mcp.access to none.',
  );
  return [{ severity: 'warning', source: 'chat.mcp.autostart', message }];
}
