// Shows command lines to the user before they first run. Bundled separately and loaded with the first one.

import * as vscode from 'vscode';
import { cut } from '../../core/util/cut';
import { plainPrompt } from '../../core/util/plainText';
import { pause, untilAborted } from '../../core/util/signals';
import { type DefinedServer, readLaunch, recipientOf } from '../mcp/config/definition';

/**
 * The time for which a question waits for further servers, in milliseconds, so that servers that start together are in
 * one question.
 */
const GATHER_MS = 50;
/** The maximum number of servers in one question. */
const MAX_SERVERS = 8;
/** The maximum length of a command line that is shown in full, in characters. A longer one is cut visibly. */
const MAX_LINE = 600;
/**
 * The key under which the user's consents are stored, and the maximum number of them that is stored. The oldest are
 * dropped; their servers are asked about again.
 */
const KEY = 'startedServers';
const MAX_KEPT = 500;

interface Waiting {
  readonly server: DefinedServer;
  readonly signal: AbortSignal;
  readonly answer: (isAllowed: boolean) => void;
}

/** Asks about each server of another agent's file once, and again if its program or environment has changed. */
export class FirstStarts {
  readonly #kept: vscode.Memento;
  #waiting: Waiting[] = [];
  #asking: Promise<void> | undefined;

  /** @param kept VS Code's state for all workspaces of the user */
  constructor(kept: vscode.Memento) {
    this.#kept = kept;
  }

  /** Whether a server may start. Never rejects. */
  async allow(server: DefinedServer, signal: AbortSignal): Promise<boolean> {
    if (this.#allowed().includes(idOf(server))) return true;
    const answered = new Promise<boolean>((answer) => this.#waiting.push({ server, signal, answer }));
    this.#asking ??= this.#askAll().finally(() => {
      this.#asking = undefined;
    });
    return untilAborted(answered, signal).catch(() => false);
  }

  #allowed(): readonly string[] {
    return this.#kept.get<readonly string[]>(KEY, []);
  }

  async #askAll(): Promise<void> {
    await pause(GATHER_MS);
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, MAX_SERVERS).filter(({ signal }) => !signal.aborted);
      if (asked.length === 0) continue;
      const allowed = new Set(await askAbout(asked.map(({ server }) => server)).then(undefined, () => []));
      const ids = asked.filter(({ server }) => allowed.has(server)).map(({ server }) => idOf(server));
      if (ids.length > 0) await this.#kept.update(KEY, [...new Set([...this.#allowed(), ...ids])].slice(-MAX_KEPT));
      for (const { server, answer } of asked) answer(allowed.has(server));
    }
  }
}

/** Shows what the servers run. Returns those that may start. */
async function askAbout(servers: readonly DefinedServer[]): Promise<readonly DefinedServer[]> {
  const [only] = servers;
  const start = vscode.l10n.t('Start');
  const choose = vscode.l10n.t('Choose…');
  const question =
    only && servers.length === 1
      ? vscode.l10n.t('Start the MCP server “{0}”? It has never run here.', plainPrompt(only.name))
      : vscode.l10n.t('Start these {0} MCP servers? They have never run here.', servers.length);
  const detail = servers.map((server) => `${titleOf(server)}\n${lineOf(server)}`).join('\n\n');
  const buttons = servers.length > 1 ? [start, choose] : [start];
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
  if (answer !== choose) return answer === start ? servers : [];
  const items = servers.map((server) => ({ label: titleOf(server), detail: lineOf(server), server }));
  const title = vscode.l10n.t('Choose the MCP servers that may start');
  const picked = await vscode.window.showQuickPick(items, { title, canPickMany: true, ignoreFocusOut: true });
  return (picked ?? []).map(({ server }) => server);
}

function titleOf({ name, label = '' }: DefinedServer): string {
  return `${plainPrompt(name)} (${plainPrompt(label)})`;
}

/** Returns the command line or address, and the names of the variables that the entry sets. */
function lineOf(server: DefinedServer): string {
  const read = readLaunch(server);
  if (!read.ok) return plainPrompt(read.reason);
  const { launch } = read;
  const runs =
    launch.kind === 'http'
      ? recipientOf(server).runs
      : [launch.command, ...launch.args].map((word) => (/\s/.test(word) ? JSON.stringify(word) : word)).join(' ');
  const names = Object.keys(launch.kind === 'http' ? launch.headers : launch.env);
  const more = names.length > 0 ? vscode.l10n.t('with {0}', names.join(', ')) : '';
  return [cut(plainPrompt(runs), MAX_LINE), cut(plainPrompt(more), MAX_LINE)].filter(Boolean).join('\n');
}

/** Returns an id for what the user allows: this program with this environment, from this file. */
function idOf(server: DefinedServer): string {
  return `${recipientOf(server).id} ${server.file}`;
}
