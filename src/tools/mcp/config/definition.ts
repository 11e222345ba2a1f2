// Reads the entry of a server in an `mcp.json`: its command or address, its time limit, and the ids that change with
// them.

import { createHash } from 'node:crypto';
import { l10n } from '../../../core/util/l10n';
import { isObject } from '../../../core/util/objects';

/** A server's entry in an `mcp.json`, not yet checked. It may contain secrets. */
export interface DefinedServer {
  readonly name: string;
  readonly value: { readonly [key: string]: unknown };
  /** The `inputs` of the file, not yet checked. */
  readonly inputs: readonly unknown[];
  readonly file: string;
  /** The file's name for users, such as `~/.codex/config.toml`. */
  readonly label?: string;
  /** Names of other files that define the same server differently. */
  readonly differsIn?: readonly string[];
  /** Whether the command line is shown to the user before it first runs, since the file isn't VS Code's. */
  readonly asksFirst?: boolean;
  /** The path of the server's workspace folder, for `${workspaceFolder}`. */
  readonly folder?: string;
}

/** The way to reach a server: a command or an address. Variables aren't replaced yet. */
export type Launch =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd?: string;
      /** null removes a variable from the environment. */
      readonly env: { readonly [name: string]: string | null };
      readonly envFile?: string;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: { readonly [name: string]: string };
      /** Whether only the older SSE transport is used (`"type": "sse"`). */
      readonly sseOnly: boolean;
    };

type ReadLaunch = { readonly ok: true; readonly launch: Launch } | { readonly ok: false; readonly reason: string };

export function fileOf({ label }: Pick<DefinedServer, 'label'>): string {
  return label ?? 'mcp.json';
}

/** Reads the command or the address in an entry. A problem is a sentence that names the wrong key. */
export function readLaunch({ value, label }: Pick<DefinedServer, 'value' | 'label'>): ReadLaunch {
  const bad = (reason: string): ReadLaunch => ({
    ok: false,
    reason: l10n.t('{0} Correct it in {1}.', reason, fileOf({ label })),
  });
  const { type, command, url, sandboxEnabled, sandbox } = value;
  if (type !== undefined && type !== 'stdio' && type !== 'http' && type !== 'sse')
    return bad(l10n.t('Its "type" must be "stdio", "http" or "sse".'));
  if (type === 'stdio' || (type === undefined && command !== undefined)) {
    // Only VS Code can run servers in a sandbox. Any value except false is a request for one.
    if (sandboxEnabled === false || (sandboxEnabled ?? sandbox) === undefined) return readCommand(value, bad);
    const reason = l10n.t(
      'Its entry in {0} asks for a sandbox ("sandboxEnabled" or "sandbox"), which only VS Code has. Set toolsearch.mcp.host to "vscode". To run the server without a sandbox, set "sandboxEnabled" to false.',
      fileOf({ label }),
    );
    return { ok: false, reason };
  }
  if (typeof url !== 'string' || url === '') return bad(l10n.t('It needs a "command" or a "url".'));
  if (!/^(https?:\/\/|\$\{)/i.test(url)) return bad(l10n.t('Its "url" must begin with http:// or https://.'));
  const headers = readTable(value.headers);
  if (!headers) return bad(l10n.t('Its "headers" must be an object of names and texts.'));
  const kept = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  return { ok: true, launch: { kind: 'http', url, headers: Object.fromEntries(kept), sseOnly: type === 'sse' } };
}

function readCommand(
  { command, args = [], env, cwd, envFile }: DefinedServer['value'],
  bad: (reason: string) => ReadLaunch,
): ReadLaunch {
  if (typeof command !== 'string' || command === '') return bad(l10n.t('Its "command" must be a text and not empty.'));
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string'))
    return bad(l10n.t('Its "args" must be a list of texts.'));
  const table = readTable(env);
  if (!table) return bad(l10n.t('Its "env" must be an object of names and texts.'));
  if (!isOptionalText(cwd)) return bad(l10n.t('Its "cwd" must be a text.'));
  if (!isOptionalText(envFile)) return bad(l10n.t('Its "envFile" must be a text.'));
  return { ok: true, launch: { kind: 'stdio', command, args, env: table, cwd, envFile } };
}

/** Returns the time that the server has to start and to answer; undefined if it isn't set. */
export function timeoutSecondsOf({ value: { timeoutSeconds: seconds } }: DefinedServer): number | undefined {
  return typeof seconds === 'number' && seconds > 0 && seconds <= 3600 ? seconds : undefined;
}

/** The program or the address that receives a server's secrets. */
export interface Recipient {
  readonly name: string;
  /** The command line or address as shown to users, with variables not replaced. */
  readonly runs: string;
  /** A hash that changes if the program, the address or its environment changes. */
  readonly id: string;
}

/** Returns the program or the address of an entry. The id of one that can't be read, and so never runs, is empty. */
export function recipientOf(server: Pick<DefinedServer, 'name' | 'value' | 'folder'>): Recipient {
  const { name, folder } = server;
  const read = readLaunch(server);
  if (!read.ok) return { name, runs: '', id: '' };
  const { launch } = read;
  const who = launch.kind === 'http' ? launch.url : launch;
  const inFolder = dependsOnFolder(launch) ? (folder ?? null) : null;
  const runs = launch.kind === 'http' ? placeOf(launch.url) : [launch.command, ...launch.args].join(' ');
  return { name, runs, id: hashOf([name, who, inFolder, ...placeVariablesOf(launch)]) };
}

/** Returns the values of the environment variables that decide which program or address a server's entry leads to. */
function placeVariablesOf(launch: Launch): readonly unknown[] {
  const { command, args, cwd, envFile } = { command: '', args: [], cwd: '', envFile: '', ...launch };
  const place = launch.kind === 'http' ? launch.url : [command, ...args, cwd, envFile].join(' ');
  return [...place.matchAll(/\$\{env:([^{}]*)\}/g)].map(([, name = '']) => process.env[name] ?? null);
}

/** Matches a word of a command line that looks like a path relative to the folder in which it runs. */
const RELATIVE = /^\.{1,2}(?:[\\/]|$)|^[^-@/\\~$][^:=]*\.(?:[cm]?[jt]s|py|rb|php|sh|jar|exe|cmd|bat|ps1)$/i;

/** Whether an entry, even in the user's own file, leads elsewhere in each workspace: by variable or relative path. */
function dependsOnFolder(launch: Launch): boolean {
  if (JSON.stringify(launch).includes('${workspaceFolder')) return true;
  if (launch.kind === 'http') return false;
  const { command, args, cwd, envFile } = launch;
  const isRelative = (place: string | undefined) => place !== undefined && !/^([\\/~]|\$\{|[a-z]:)/i.test(place);
  if (isRelative(cwd) || isRelative(envFile)) return true;
  return cwd === undefined && [command, ...args].some((word) => RELATIVE.test(word));
}

/** Returns an address without its query, user name and password, which may be secret. */
function placeOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

/** Returns a hash of a server's definition. If it changes, cached tools of the server aren't used. */
export function fingerprint(server: DefinedServer): string {
  const { name, value, inputs, file, folder } = server;
  return hashOf([name, value, inputs, file, folder ?? null]);
}

/** Returns a short hash of values that JSON can hold. */
export function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

/** Returns a table of texts; numbers and booleans are converted, as VS Code does. Undefined if it isn't a table. */
function readTable(value: unknown): { readonly [name: string]: string | null } | undefined {
  if (value === undefined) return {};
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  if (!entries.every(([, it]) => it === null || ['string', 'number', 'boolean'].includes(typeof it))) return undefined;
  return Object.fromEntries(entries.map(([name, it]) => [name, it === null ? null : String(it)]));
}
