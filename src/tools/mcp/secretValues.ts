import type { KnownSecrets } from '../../core/util/knownSecrets';

/** A name is shorter than this. In characters. */
const MIN_TOKEN = 20;
/** Nor does a step of an address that is a name have so many characters with so many numbers among them. */
const MIN_PATH_TOKEN = 24;
const MIN_NUMBERS = 3;

/** Small and large letters and numbers in turn: no name, no id in hexadecimal digits, no version. */
function isToken(text: string): boolean {
  return (
    text.length >= MIN_PATH_TOKEN &&
    /[a-z]/.test(text) &&
    /[A-Z]/.test(text) &&
    (text.match(/\d+/g)?.length ?? 0) >= MIN_NUMBERS
  );
}

type Learning = Pick<KnownSecrets, 'add'>;

/** Names of what is meant to be hidden. */
const SECRET_NAME =
  /key|token|secret|passw|passphrase|pwd|auth(?!or(?!i))|credential|cookie|session|signature|(?:^|[_-])pat$|dsn/i;
/** Those names that only secrets have. */
const SURE_NAME = /api[_-]?key|token|secret|passw|passphrase|pwd|credential/i;
/**
 * Names of what everybody may know: a result without its own host, path or user would be of no use. A key's id is
 * part of it.
 */
const PLAIN_NAME =
  /(?:^|[_.-])(?:shell|lang|locale|term|user|username|logname|owner|org|organization|team|group|repo|repository|project|workspace|host|hostname|domain|server|port|url|uri|endpoint|region|zone|location|env|environment|stage|profile|mode|level|debug|log|name|email|version|bucket|database|db|schema|table|branch|model|timeout|limit|count|size|format|type|(?<!key[_-]?|secret[_-]?)id)$/i;
/** Names of variables that hold a path, if the value looks like one. */
const PATH_NAME = /(?:^|[_.-])(?:home|path|file|dir|directory|folder|root|cwd|tmpdir|temp|tmp)$/i;
/** The schemes before the credentials of a header. */
const SCHEME = /^(?:bearer|basic|token|key|apikey)$/i;
/** Values that hide nothing: numbers, switches, one plain word, a path, an address. */
const PLAIN_VALUE = /^(?:[\d.,:]*|[a-z]{1,12}|~|(?:~|\.{1,2})?[\\/].*|[a-z]:[\\/].*|[a-z][a-z0-9+.-]*:\/\/.*)$/i;

/**
 * Learns the value of an environment variable that a server gets, from outside or from its `envFile`. Nothing declares
 * what such a value is for, so it is a secret unless its name or its look says otherwise.
 */
export function learnValue(name: string, value: string, secrets: Learning): void {
  if (!learnNamed(name, value, secrets) && !isPlainName(name, value) && !PLAIN_VALUE.test(value)) secrets.add(value);
}

function isPlainName(name: string, value: string): boolean {
  return PLAIN_NAME.test(name) || (PATH_NAME.test(name) && /[\\/.]/.test(value));
}

/**
 * Learns a value whose name says that it is a secret, or the password in an address. @returns whether there was
 * something to learn
 */
export function learnNamed(name: string, value: string, secrets: Learning): boolean {
  if (learnAddress(value, secrets)) return true;
  if (!SECRET_NAME.test(name) || isPlainName(name, value)) return false;
  // `AUTH=none`, `SESSION=default`, `KEYCLOAK_REALM=master`: a single word is a secret only if the name leaves no
  // doubt.
  if (!SURE_NAME.test(name) && /^[a-z]{1,12}$/i.test(value)) return false;
  secrets.add(value);
  return true;
}

/**
 * Learns what an address holds: its password, what its parameters say to be a secret, and a step of its path that
 * looks like a token.
 * @returns whether there was something to learn
 */
export function learnAddress(value: string, secrets: Learning): boolean {
  if (!value.includes('://') || !URL.canParse(value)) return false;
  const { username, password, searchParams, pathname } = new URL(value);
  // A token may take the place of the user name.
  const inFront = password === '' && username.length >= MIN_TOKEN ? username : password;
  const named = [...searchParams].filter(([name, it]) => it !== '' && SECRET_NAME.test(name) && !isPlainName(name, it));
  // As written in the address, and decoded.
  for (const form of inFront === '' ? [] : [inFront, decoded(inFront)]) secrets.add(form);
  for (const [, it] of named) secrets.add(it);
  // Some addresses are secrets by themselves, such as `https://example.com/s/TOKEN/mcp`.
  const steps = pathname.split('/').filter(isToken);
  for (const step of steps) for (const form of [step, decoded(step)]) secrets.add(form);
  return inFront !== '' || named.length + steps.length > 0;
}

/**
 * Learns a header with credentials: all of it, the part after a scheme such as `Bearer`, and the password in `Basic`.
 */
export function learnHeader(name: string, value: string, secrets: Learning): void {
  const [scheme = '', ...rest] = value.trim().split(/\s+/);
  const credentials = rest.join(' ');
  if (SCHEME.test(scheme)) {
    // An empty answer or variable leaves only the scheme, which is a word of every text about headers.
    if (credentials === '') return;
    secrets.add(credentials);
    const password = /^basic$/i.test(scheme) ? /:(.*)/s.exec(textIn(credentials))?.[1] : undefined;
    if (password) secrets.add(password);
  }
  learnNamed(name, value, secrets);
}

/**
 * Learns what arguments say of themselves: `--token value`, `--token=value`, `TOKEN=value` after `docker run -e`, a
 * header, and the password in an address.
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

/** Options have values that aren't secrets under the same names: `--auth none`, `--session-file x`. */
function learnArgument(name: string, value: string, secrets: Learning): void {
  if (value.includes('://') || !PLAIN_VALUE.test(value)) learnNamed(name, value, secrets);
}

/** Decodes base64; empty if the text is none. */
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
