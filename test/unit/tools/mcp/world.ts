import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Tool } from '../../../../src/core/catalog/tool';
import { DEFAULT_SETTINGS } from '../../../../src/core/settings/settings';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
import { createTimeGate } from '../../../../src/tools/callTimeLimit';
import type { DefinedServer } from '../../../../src/tools/mcp/config/definition';
import type { Connection } from '../../../../src/tools/mcp/connection/connection';
import { type ConnectDeps, connectServer } from '../../../../src/tools/mcp/connection/connectServer';
import { type McpDeps, McpToolProvider } from '../../../../src/tools/mcp/servers/mcpToolProvider';
import { withoutSecrets } from '../../../../src/tools/withoutSecrets';
import { faultyServers } from '../../../vscode/harness/processes.mjs';
import { runCall, TestRunner } from '../../core/turn/world';

/** The machine's own timer, even if a test replaces the timers. */
const { setTimeout: pause } = globalThis;

export const FAULTY = path.resolve(import.meta.dirname, '../../../fixtures/faultyServer.mjs');

/** The extension's own client over real servers. A test sets the answers that VS Code and the user would give. */
export class TestWorld {
  /** Part of every server's command line, by which its processes are found. */
  readonly mark = `mark-${randomUUID()}`;
  readonly secrets = new KnownSecrets();
  readonly log: string[] = [];
  readonly env: { [name: string]: string | undefined } = { ...process.env };
  readonly inputs = new Map<string, string>();
  input = async (_: DefinedServer, id: string): Promise<string> => this.inputs.get(id) ?? '';
  definitions: readonly DefinedServer[] = [];
  isTrusted = true;
  offersItems = false;
  /** The user's answer to a server's question. */
  ask: McpDeps['user']['ask'] = async () => ({ action: 'cancel' });
  /** The user's answer when a server wants a sign-in. Without {@link signIns} no sign-in is possible. */
  signIn: McpDeps['user']['signIn'] = async () => false;
  /** The user's answer about a new command line. */
  allow: (server: DefinedServer) => Promise<boolean> = async () => true;
  /** 0 means without limit. */
  idleMinutes = 0;
  signIns: ConnectDeps['signIns'];
  /** The window's folders. */
  roots: readonly { readonly uri: string; readonly name: string }[] = [];
  readonly source: McpToolProvider;

  /**
   * @param idleMs how long a server that was only started for its list waits for a call
   * @param during runs each start
   */
  constructor(idleMs = 1000, during: (open: () => Promise<Connection>) => Promise<Connection> = (open) => open()) {
    const deps = (): ConnectDeps => ({
      folders: () => new Map([['test', import.meta.dirname]]),
      home: import.meta.dirname,
      env: this.env,
      input: (server, id) => this.input(server, id),
      window: { roots: () => this.roots, version: '0.0.0' },
      ...(this.signIns ? { signIns: this.signIns } : {}),
      secrets: this.secrets,
    });
    this.source = new McpToolProvider({
      connect: (server, options, events) => during(() => connectServer(deps(), server, options, events)),
      user: {
        allow: (server) => this.allow(server),
        ask: (...asked) => this.ask(...asked),
        signIn: (server, request, signal) => this.signIn(server, request, signal),
      },
      now: Date.now,
      idle: { listedMs: idleMs, minutes: () => this.idleMinutes },
      definitions: () => this.definitions,
      workspace: {
        otherTools: () => [],
        exampleRules: () => DEFAULT_SETTINGS.examples,
        trusted: () => this.isTrusted,
        offersItems: () => this.offersItems,
        diagnostics: () => [],
      },
      log: (server, line) => this.log.push(`${server}: ${line}`),
    });
  }

  /** A faulty server over stdio. */
  faulty(
    name: string,
    fault?: string,
    more: readonly string[] = [],
    value: DefinedServer['value'] = {},
  ): DefinedServer {
    const args = [FAULTY, name, ...(fault ? ['--fault', fault] : []), ...more, this.mark];
    return this.server(name, { command: process.execPath, args, ...value });
  }

  server(name: string, value: DefinedServer['value']): DefinedServer {
    return { name, value, inputs: [], file: 'file:///mcp.json', folder: import.meta.dirname };
  }

  /** Runs these servers, and waits for their tools. */
  start(...definitions: readonly DefinedServer[]): ReturnType<McpToolProvider['whenReady']> {
    this.definitions = definitions;
    this.source.follow();
    return this.ready();
  }

  /** Prepares the tools as a question does before it is answered. */
  ready(timeoutMs = 30_000): ReturnType<McpToolProvider['whenReady']> {
    return this.source.whenReady({ timeoutMs, signal: new AbortController().signal, onWait: () => {} });
  }

  tool(id: string): Tool {
    const tool = this.source.catalog.byId.get(id);
    if (!tool) throw new Error(`There is no ${id}, but ${[...this.source.catalog.byId.keys()].join(', ')}`);
    return tool;
  }

  async call(id: string, input: { readonly [name: string]: unknown } = {}, signal = new AbortController().signal) {
    const progress: string[] = [];
    const run = await this.source.run(this.tool(id), input, { signal, onProgress: (text) => progress.push(text) });
    const text = run.parts
      .map((part) => (part.type === 'text' ? part.text : `[${part.mimeType}, ${part.bytes} bytes]`))
      .join('\n');
    return { ...run, text, progress };
  }

  /** Runs a call as a turn does, with its checks and its timeout. */
  async run(id: string, toolTimeoutSeconds = 60): Promise<{ readonly ok: boolean; readonly text: string }> {
    const invoke = new TestRunner((tool, input, signal) =>
      withoutSecrets(tool, this.source.run(tool, input, { signal, onProgress: () => {} }), this.secrets),
    );
    const time = createTimeGate({
      settings: { toolTimeouts: {}, toolTimeoutSeconds },
      mayAsk: () => false,
      isAsking: () => false,
      limitSecondsOf: () => undefined,
      onSlow: () => {},
    });
    const runner = Object.assign(invoke, { time });
    const result = await runCall(runner, this.tool(id), { text: 'hi' }, new AbortController().signal);
    return {
      ok: result.outcome === 'ok',
      text: result.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
    };
  }

  info(name: string) {
    const info = this.source.refresh().servers.find((server) => server.name === name);
    if (!info) throw new Error(`There is no server ${name}.`);
    return info;
  }

  /** Number of running server processes: of all servers, or of one. */
  processes(name = ''): number {
    return faultyServers(this.mark).filter((running) => !name || running === name).length;
  }
}

/** Starts a faulty server over HTTP. Returns its address and a function that ends it. */
export async function startHttp(name: string, more: readonly string[] = [], onLog = (_line: string) => {}) {
  const child = spawn(process.execPath, [FAULTY, name, '--http', ...more], { stdio: 'pipe' });
  createInterface({ input: child.stderr }).on('line', onLog);
  const exited = once(child, 'exit');
  const port = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([line]) => line),
    exited.then(([code]) => Promise.reject(new Error(`The server ended with ${code} before it listened.`))),
  ]);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Waits until a condition holds, at most 20 seconds. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => pause(resolve, 20));
  }
}
