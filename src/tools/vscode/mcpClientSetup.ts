// Connects our own MCP client to VS Code: secrets, inputs, variables and sign-ins.

import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Settings } from '../../core/settings/settings';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { once } from '../../core/util/once';
import type { DefinedServer } from '../mcp/config/definition';
import { InputStore } from '../mcp/config/inputs';
import { type ConnectDeps, connectServer, fileVariablesOf, learnEntry } from '../mcp/connection/connectServer';
import type { McpDeps } from '../mcp/servers/mcpToolProvider';
import { askForInput, askToShare } from './askInput';
import type { VscodeMcpConfig } from './mcpConfig';
import { serversRunTwice } from './serversRunTwice';
import type { VscodeToolApi } from './vscodeToolProvider';

/** A server that was started only to list its tools is stopped after this time, in which its first call may follow. */
const IDLE_MS = 10_000;

interface McpHostDeps {
  readonly config: VscodeMcpConfig;
  /** The user's earlier answers to questions of servers. */
  readonly answers: {
    readonly inputs: InputStore;
    readonly signIns: NonNullable<ConnectDeps['signIns']>;
    /** Stores which servers the user allowed to start. */
    readonly starts: vscode.Memento;
  };
  readonly host: Pick<VscodeToolApi, 'listTools' | 'exampleRules' | 'trusted'>;
  readonly version: string;
  readonly settings: () => Pick<Settings, 'mcpIdleMinutes' | 'mcpResourcesAndPrompts'>;
  readonly log: (line: string) => void;
  readonly secrets: KnownSecrets;
}

export function createMcpDeps({ config, answers, host, version, settings, log, secrets }: McpHostDeps): McpDeps {
  const deps = {
    ...surroundings(secrets),
    input: answers.inputs.value.bind(answers.inputs),
    window: { version, roots: () => folders().map(({ uri, name }) => ({ uri: uri.toString(), name })) },
    signIns: answers.signIns,
  };
  // Bundled as a separate file: see esbuild.mjs.
  const variables = (server: DefinedServer) => fileVariablesOf(deps, server);
  const mayStart = once(async () => (await import('./askStart')).createStartCheck(answers.starts, variables));
  return {
    user: {
      allow: async (server, signal) => !server.asksFirst || (await mayStart())(server, signal),
      ask: async (...asked) => (await import('./askForm')).askForm(...asked),
      signIn: async (...asked) => (await import('./askSignIn')).askSignIn(...asked),
    },
    connect: (server, options, events) => connectServer(deps, server, options, events),
    now: Date.now,
    idle: { listedMs: IDLE_MS, minutes: () => settings().mcpIdleMinutes },
    definitions: () => config.definitions,
    workspace: {
      otherTools: () => host.listTools().filter((tool) => !tool.tags.includes('mcp')),
      exampleRules: () => host.exampleRules(),
      trusted: () => host.trusted(),
      offersItems: () => settings().mcpResourcesAndPrompts,
      diagnostics: () => (config.definitions.length > 0 ? serversRunTwice() : []),
    },
    log: (server, line) => log(`${server}: ${line}`),
  };
}

/** Learns the secrets in all entries, also of servers that VS Code runs. In an untrusted workspace, nothing is read. */
export async function learnEntries(config: VscodeMcpConfig, secrets: KnownSecrets): Promise<void> {
  if (!vscode.workspace.isTrusted) return;
  await Promise.all(config.definitions.map((server) => learnEntry(surroundings(secrets), server)));
}

const folders = () => vscode.workspace.workspaceFolders ?? [];

/** Returns the values of variables in entries. */
function surroundings(secrets: KnownSecrets) {
  return {
    folders: () => new Map(folders().map((folder) => [folder.name, folder.uri.fsPath])),
    home: homedir(),
    env: process.env,
    secrets,
  };
}

/** Creates the store for the user's answers to `${input:…}`, which are kept in VS Code's secret storage. */
export function createInputStore(secrets: vscode.SecretStorage, learn: (secret: string) => void): InputStore {
  return new InputStore(secrets, { answer: askForInput, share: askToShare }, learn);
}
