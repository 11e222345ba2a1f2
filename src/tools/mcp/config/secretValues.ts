// Finds the secrets among the values that servers are started with, by names and forms of the values.

import type { KnownSecrets } from '../../../core/util/knownSecrets';

/** A user name in an address may be a token if it has at least this many characters. */
const MIN_TOKEN = 20;
/**
 * A step of an address's path may be a token if it has at least this many characters and this many groups of digits.
 * Names are shorter or have fewer groups.
 */
const MIN_PATH_TOKEN = 24;
const MIN_NUMBERS = 3;

/** Whether a text mixes small letters, capital letters and digits. Names, hexadecimal ids and versions don't. */
function isToken(text: string): boolean {
  return (
    text.length >= MIN_PATH_TOKEN &&
    /[a-z]/.test(text) &&
    /[A-Z]/.test(text) &&
    (text.match(/\d+/g)?.length ?? 0) >= MIN_NUMBERS
  );
}

type Learning = Pick<KnownSecrets, 'add'>;

/** Matches names of secret values. */
const SECRET_NAME =
  /key|token|secret|passw|passphrase|pwd|auth(?!or(?!i))|credential|cookie|session|signature|(?:^|[_-])pat$|dsn/i;
/** Matches names that only secrets have. */
const SURE_NAME = /api[_-]?key|token|secret|passw|passphrase|pwd|credential/i;
/**
 * Matches names of public values, including the id of a key. If hosts, paths or users were hidden, results would be
 * useless.
 */
const PLAIN_NAME =
  /(?:^|[_.-])(?:shell|lang|locale|term|user|username|logname|owner|org|organization|team|group|repo|repository|project|workspace|host|hostname|domain|server|port|url|uri|endpoint|region|zone|location|env|environment|stage|profile|mode|level|debug|log|name|email|version|bucket|database|db|schema|table|branch|model|timeout|limit|count|size|format|type|(?<!key[_-]?|secret[_-]?)id)$/i;
/** Matches names of variables with a path. The value must look like a path too. */
const PATH_NAME = /(?:^|[_.-])(?:home|path|file|dir|directory|folder|root|cwd|tmpdir|temp|tmp)$/i;
/** Matches the scheme before the credentials in a header. */
const SCHEME = /^(?:bearer|basic|token|key|apikey)$/i;
/** Matches values that can't be secrets: numbers, switches, one plain word, a path, an address. */
const PLAIN_VALUE = /^(?:[\d.,:]*|[a-z]{1,12}|~|(?:~|\.{1,2})?[\\/].*|[a-z]:[\\/].*|[a-z][a-z0-9+.-]*:\/\/.*)$/i;

/**
 * Learns the value of an environment variable, from outside or from an `envFile`. Nothing declares its purpose, so it
 * is a secret unless its name or its form shows otherwise.
 */
export function learnValue(name: string, value: string, secrets: Learning): void {
  if (!learnNamed(name, value, secrets) && !isPlainName(name, value) && !PLAIN_VALUE.test(value)) secrets.add(value);
}

function isPlainName(name: string, value: string): boolean {
  return PLAIN_NAME.test(name) || (PATH_NAME.test(name) && /[\\/.]/.test(value));
}

/**
 * Finds the secret in a value. If the value is an address with secrets, these are added. Otherwise the whole value is
 * added if its name is that of a secret.
 * @returns whether there was a secret
 */
export function learnNamed(name: string, value: string, secrets: Learning): boolean {
  if (learnAddress(value, secrets)) return true;
  if (!SECRET_NAME.test(name) || isPlainName(name, value)) return false;
  // A single word, as in `AUTH=none`, `SESSION=default` or `KEYCLOAK_REALM=master`, is a secret only if the name leaves
  // no doubt.
  if (!SURE_NAME.test(name) && /^[a-z]{1,12}$/i.test(value)) return false;
  secrets.add(value);
  return true;
}

/**
 * Learns the secrets in an address: its password, parameters with the name of a secret, and steps of its path that look
 * like a token.
 * @returns whether there was a secret
 */
export function learnAddress(value: string, secrets: Learning): boolean {
  if (!value.includes('://') || !URL.canParse(value)) return false;
  const { username, password, searchParams, pathname } = new URL(value);
  // A token may be used as the user name.
  const inFront = password === '' && username.length >= MIN_TOKEN ? username : password;
  const named = [...searchParams].filter(([name, it]) => it !== '' && SECRET_NAME.test(name) && !isPlainName(name, it));
  // Both forms are learned: as written in the address, and decoded.
  for (const form of inFront === '' ? [] : [inFront, decoded(inFront)]) secrets.add(form);
  for (const [, it] of named) secrets.add(it);
  // Some addresses are themselves secret, such as `https://example.com/s/TOKEN/mcp`.
  const steps = pathname.split('/').filter(isToken);
  for (const step of steps) for (const form of [step, decoded(step)]) secrets.add(form);
  return inFront !== '' || named.length + steps.length > 0;
}

/**
 * Learns a header with credentials: the whole value, the part after a scheme such as `Bearer`, and the password in
 * `Basic`.
 */
export function learnHeader(name: string, value: string, secrets: Learning): void {
  const [scheme = '', ...rest] = value.trim().split(/\s+/);
  const credentials = rest.join(' ');
  if (SCHEME.test(scheme)) {
    // If the variable or answer is empty, only the scheme remains, which is an ordinary word.
    if (credentials === '') return;
    secrets.add(credentials);
    const password = /^basic$/i.test(scheme) ? /:(.*)/s.exec(textIn(credentials))?.[1] : undefined;
    if (password) secrets.add(password);
  }
  learnNamed(name, value, secrets);
}

/**
 * Learns the secrets in a command's arguments: `--token value`, `--token=value`, `TOKEN=value` after `docker run -e`,
 * headers, and passwords in addresses.
 */
export function learnArguments(args: readonly string[], secrets: Learning): void {
  for (const [index, arg] of args.entries()) {
    if (learnAddress(arg, secrets)) continue;
    const header = /^([\w-]{1,100}):\s(.+)$/s.exec(arg);
    const assigned = /^-{0,2}([\w.-]{1,100})=(.+)$/s.exec(arg);
    const flag = /^--?([\w.-]{1,100})$/.exec(arg)?.[1];
    const next = args[index + 1] ?? '';
    if (header) learnHeader(header[1] ?? '', header[2] ?? '', secrets);
    else if (assigned) learnArgument(assigned[1] ?? '', assigned[2] ?? '', secrets);
    else if (flag !== undefined && !next.startsWith('-')) learnArgument(flag, next, secrets);
  }
}

/** Some options have the name of a secret but an ordinary value: `--auth none`, `--session-file x`. */
function learnArgument(name: string, value: string, secrets: Learning): void {
  if (value.includes('://') || !PLAIN_VALUE.test(value)) learnNamed(name, value, secrets);
}

/** Decodes base64; an empty text if it doesn't contain text. */
function textIn(base64: string): string {
  return /^[\w+/=-]+$/.test(base64) ? new TextDecoder().decode(Uint8Array.from(Buffer.from(base64, 'base64'))) : '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
