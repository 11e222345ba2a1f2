// Shows command lines to the user before they first run. Bundled separately and loaded with the first one.

import * as vscode from 'vscode';
import { plainPrompt, revealed } from '../../core/util/plainText';
import { sameJson } from '../../core/util/sameJson';
import { untilAborted } from '../../core/util/signals';
import { pause } from '../../core/util/timers';
import { type DefinedServer, hashOf, readLaunch, recipientOf } from '../mcp/config/definition';

/** A question waits for further servers, so that servers that start together are in one question. */
const GATHER_MS = 50;
/** The maximum number of servers in one question. */
const MAX_SERVERS = 8;
/** The maximum lengths of a command line and of other lines, in characters. What is left out is counted. */
const MAX_COMMAND = 1_000;
const MAX_LINE = 300;
const MAX_LINES = 30;
/** The key under which the user's consents are stored. If the oldest is dropped, its server is asked about again. */
const KEY = 'startedServers';
const MAX_KEPT = 500;

type Variables = { readonly [name: string]: string };

/** A server's entry and the variables in its `envFile`, which the user allows together. */
interface Start {
  readonly server: DefinedServer;
  readonly variables: Variables;
}

interface Waiting {
  readonly start: Start;
  readonly signal: AbortSignal;
  readonly answer: (isAllowed: boolean) => void;
}

/**
 * Creates the function that tells whether a server of another agent's file may start, and never rejects. It asks about
 * each server once, and again if a change affects what the server runs or what is sent to it.
 * @param kept VS Code's state for all workspaces of the user
 * @param variablesOf returns the variables in a server's `envFile`
 */
export function createStartCheck(kept: vscode.Memento, variablesOf: (server: DefinedServer) => Promise<Variables>) {
  const waiting: Waiting[] = [];
  let asking: Promise<void> | undefined;
  const allowedIds = () => kept.get<readonly string[]>(KEY, []);
  /** Asks about all servers that wait, several at a time. Cancelled ones get no answer. */
  const askAll = async () => {
    await pause(GATHER_MS);
    while (waiting.length > 0) {
      const asked = waiting.splice(0, MAX_SERVERS).filter(({ signal }) => !signal.aborted);
      if (asked.length === 0) continue;
      const allowed = new Set(await askAbout(asked.map(({ start }) => start)).then(undefined, () => []));
      const ids = asked.filter(({ start }) => allowed.has(start)).map(({ start }) => idOf(start));
      const known = [...new Set([...allowedIds(), ...ids])].slice(-MAX_KEPT);
      // An answer that can't be stored still counts; the user is asked again at the next start.
      if (ids.length > 0) await kept.update(KEY, known).then(undefined, () => {});
      for (const { start, answer } of asked) answer(allowed.has(start));
    }
  };
  return async (server: DefinedServer, signal: AbortSignal): Promise<boolean> => {
    for (;;) {
      const start = { server, variables: await variablesOf(server) };
      if (allowedIds().includes(idOf(start))) return true;
      const answered = new Promise<boolean>((answer) => waiting.push({ start, signal, answer }));
      if (!asking)
        asking = askAll().finally(() => {
          asking = undefined;
        });
      if (!(await untilAborted(answered, signal).catch(() => false))) return false;
      // The file may have changed during the question.
      if (sameJson(await variablesOf(server), start.variables)) return true;
    }
  };
}

/** Shows what the servers run. Returns those that may start. */
async function askAbout(servers: readonly Start[]): Promise<readonly Start[]> {
  const [only] = servers;
  const start = vscode.l10n.t('Start');
  const choose = vscode.l10n.t('Choose…');
  const question =
    only && servers.length === 1
      ? vscode.l10n.t('Start the MCP server “{0}”? It has never run here.', plainPrompt(only.server.name))
      : vscode.l10n.t('Start these {0} MCP servers? They have never run here.', servers.length);
  const detail = servers.map((each) => `${titleOf(each)}\n${lineOf(each)}`).join('\n\n');
  const buttons = servers.length > 1 ? [start, choose] : [start];
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
  if (answer !== choose) return answer === start ? servers : [];
  const items = servers.map((each) => ({ label: titleOf(each), detail: lineOf(each), each }));
  const title = vscode.l10n.t('Choose the MCP servers that may start');
  const picked = await vscode.window.showQuickPick(items, { title, canPickMany: true, ignoreFocusOut: true });
  return (picked ?? []).map(({ each }) => each);
}

function titleOf({ server: { name, label = '' } }: Start): string {
  return `${plainPrompt(name)} (${plainPrompt(label)})`;
}

/** Returns all that runs or is sent, as in the file: command line, folder and environment, or address and headers. */
function lineOf({ server, variables }: Start): string {
  const read = readLaunch(server);
  if (!read.ok) return plainPrompt(read.reason);
  const { launch } = read;
  if (launch.kind === 'http') {
    const headers = Object.entries(launch.headers).map(([name, value]) => `${name}: ${value}`);
    // A host with letters of other scripts is shown in the form in which it is looked up.
    const { url } = launch;
    return shown(/[^ -~]/.test(url) && URL.canParse(url) ? new URL(url).href : url, headers);
  }
  const words = [launch.command, ...launch.args].map((word) => (/\s|^$/.test(word) ? JSON.stringify(word) : word));
  return shown(words.join(' '), [
    ...(launch.cwd === undefined ? [] : [vscode.l10n.t('in {0}', launch.cwd)]),
    ...(launch.envFile === undefined ? [] : [vscode.l10n.t('with the variables in {0}', launch.envFile)]),
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    ...Object.entries(launch.env).map(([name, value]) =>
      value === null ? vscode.l10n.t('without {0}', name) : `${name}=${value}`,
    ),
  ]);
}

function shown(runs: string, more: readonly string[]): string {
  const left = more.length - MAX_LINES;
  return [
    cutAloud(runs, MAX_COMMAND),
    ...more.slice(0, MAX_LINES).map((line) => cutAloud(line, MAX_LINE)),
    ...(left > 0 ? [vscode.l10n.t('… and {0} more lines. Read them in the file before you start it.', left)] : []),
  ].join('\n');
}

/** Makes a text safe to show, with invisible characters as escapes. If it is too long, says how much isn't shown. */
function cutAloud(text: string, max: number): string {
  const plain = plainPrompt(revealed(text));
  if (plain.length <= max) return plain;
  const left = plain.length - max;
  return `${plain.slice(0, max)}${vscode.l10n.t('… and {0} more characters. Read them in the file before you start it.', left)}`;
}

/** Returns an id for what the user allows: what runs, with all that it is given, from this file. */
function idOf({ server, variables }: Start): string {
  const read = readLaunch(server);
  const inFile = Object.keys(variables).length > 0 ? [variables] : [];
  return `${hashOf([recipientOf(server).id, read.ok ? read.launch : null, ...inFile])} ${server.file}`;
}
