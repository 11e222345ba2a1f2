import { createHash } from 'node:crypto';
import { l10n } from '../../core/util/l10n';
import { isObject } from '../../core/util/objects';

/** A server as an `mcp.json` defines it, unread. May hold secrets. */
export interface DefinedServer {
  readonly name: string;
  readonly value: { readonly [key: string]: unknown };
  /** The file's `inputs`, unread. */
  readonly inputs: readonly unknown[];
  /** URI of the file. */
  readonly file: string;
  /** The file's name for people, such as `~/.codex/config.toml`. */
  readonly label?: string;
  /** Names of further files that have another entry for the same server. */
  readonly differsIn?: readonly string[];
  /** Whether the user is shown the command line before its first start: it isn't from a file of VS Code. */
  readonly asksFirst?: boolean;
  /** Path of the workspace folder it belongs to, for `${workspaceFolder}`. */
  readonly folder?: string;
}

/** How a server is reached, with its variables still in it. */
export type Launch =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd?: string;
      /** null takes a variable away. */
      readonly env: { readonly [name: string]: string | null };
      readonly envFile?: string;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: { readonly [name: string]: string };
      /** The older transport alone, as `"type": "sse"` asks for. */
      readonly sseOnly: boolean;
    };

type ReadLaunch = { readonly ok: true; readonly launch: Launch } | { readonly ok: false; readonly reason: string };

const sandboxed = () =>
  l10n.t(
    'Its mcp.json asks for a sandbox ("sandboxEnabled" or "sandbox"), which only VS Code has. Set toolsearch.mcp.host to "vscode", or "sandboxEnabled" to false to run it without one.',
  );

/** Reads how a server is reached. A problem is a sentence that names the key. */
export function readLaunch({ value, label }: Pick<DefinedServer, 'value' | 'label'>): ReadLaunch {
  const bad = (reason: string): ReadLaunch => ({
    ok: false,
    reason: l10n.t('{0} Correct it in {1}.', reason, label ?? 'mcp.json'),
  });
  const { type, command, url } = value;
  if (type !== undefined && type !== 'stdio' && type !== 'http' && type !== 'sse')
    return bad(l10n.t('Its "type" must be "stdio", "http" or "sse".'));
  if (type === 'stdio' || (type === undefined && command !== undefined)) {
    // Only VS Code has a sandbox for servers. Anything but a clear no asks for it.
    if (value.sandboxEnabled !== false && (value.sandboxEnabled ?? value.sandbox) !== undefined)
      return { ok: false, reason: sandboxed() };
    if (typeof command !== 'string' || command === '')
      return bad(l10n.t('Its "command" must be a text and not empty.'));
    const args = value.args ?? [];
    if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string'))
      return bad(l10n.t('Its "args" must be a list of texts.'));
    const env = readTable(value.env);
    if (!env) return bad(l10n.t('Its "env" must be an object of names and texts.'));
    if (!isOptionalText(value.cwd)) return bad(l10n.t('Its "cwd" must be a text.'));
    if (!isOptionalText(value.envFile)) return bad(l10n.t('Its "envFile" must be a text.'));
    return { ok: true, launch: { kind: 'stdio', command, args, env, cwd: value.cwd, envFile: value.envFile } };
  }
  if (typeof url !== 'string' || url === '') return bad(l10n.t('It needs a "command" or a "url".'));
  if (!/^(https?:\/\/|\$\{)/i.test(url)) return bad(l10n.t('Its "url" must begin with http:// or https://.'));
  const headers = readTable(value.headers);
  if (!headers) return bad(l10n.t('Its "headers" must be an object of names and texts.'));
  const kept = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  return { ok: true, launch: { kind: 'http', url, headers: Object.fromEntries(kept), sseOnly: type === 'sse' } };
}

/** How long the server may take to start and to answer, in seconds (`timeoutSeconds`); undefined if it isn't set. */
export function timeoutSecondsOf({ value }: DefinedServer): number | undefined {
  const { timeoutSeconds } = value;
  return typeof timeoutSeconds === 'number' && timeoutSeconds > 0 && timeoutSeconds <= 3600
    ? timeoutSeconds
    : undefined;
}

/** The receiver of a server's secrets: the program that runs, or the address that is called. */
export interface Recipient {
  /** The server's. */
  readonly name: string;
  /** For people: its command line or address, variables still in it. */
  readonly runs: string;
  /** Changes whenever the program, the address or the environment does. */
  readonly id: string;
}

/** Identifies the program or the address of a server's entry. An entry that can't be read has no id: it never runs. */
export function recipientOf(server: Pick<DefinedServer, 'name' | 'value' | 'folder'>): Recipient {
  const { name, folder } = server;
  const read = readLaunch(server);
  if (!read.ok) return { name, runs: '', id: '' };
  const { launch } = read;
  const who = launch.kind === 'http' ? launch.url : launch;
  // A program in the workspace's folder is another program in each workspace, even if the user's own entry starts it.
  const inFolder = JSON.stringify(launch).includes('${workspaceFolder') ? (folder ?? null) : null;
  const id = createHash('sha256')
    .update(JSON.stringify([name, who, inFolder]))
    .digest('base64url')
    .slice(0, 16);
  return { name, runs: launch.kind === 'http' ? placeOf(launch.url) : [launch.command, ...launch.args].join(' '), id };
}

/** An address without what may be a secret in it. */
function placeOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

/** Changes whenever the definition does: what is known of the server's tools is of no use then. */
export function fingerprint(server: DefinedServer): string {
  const { name, value, inputs, file, folder } = server;
  return createHash('sha256')
    .update(JSON.stringify([name, value, inputs, file, folder ?? null]))
    .digest('base64url')
    .slice(0, 16);
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

/** VS Code takes numbers and flags as texts. */
function readTable(value: unknown): { readonly [name: string]: string | null } | undefined {
  if (value === undefined) return {};
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  if (!entries.every(([, it]) => it === null || ['string', 'number', 'boolean'].includes(typeof it))) return undefined;
  return Object.fromEntries(entries.map(([name, it]) => [name, it === null ? null : String(it)]));
}
