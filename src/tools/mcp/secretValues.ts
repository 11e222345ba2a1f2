import type { KnownSecrets } from '../../core/text/knownSecrets';

type Learning = Pick<KnownSecrets, 'add'>;

/** Names of what is meant to be hidden. */
const SECRET_NAME = /key|token|secret|passw|passphrase|pwd|auth(?!or(?!i))|credential|cookie|session|signature|(?:^|[_-])pat$|dsn/i;
/** Names of what everybody may know: a result without its own host, path or user would be of no use. A key's id is part of it. */
const PLAIN_NAME =
  /(?:^|[_.-])(?:shell|lang|locale|term|user|username|logname|owner|org|organization|team|group|repo|repository|project|workspace|host|hostname|domain|server|port|url|uri|endpoint|region|zone|location|env|environment|stage|profile|mode|level|debug|log|name|email|version|bucket|database|db|schema|table|branch|model|timeout|limit|count|size|format|type|(?<!key[_-]?|secret[_-]?)id)$/i;
/** Names of what is a path, where it looks like one. */
const PATH_NAME = /(?:^|[_.-])(?:home|path|file|dir|directory|folder|root|cwd|tmpdir|temp|tmp)$/i;
/** Values that hide nothing: numbers, switches, one plain word, a path, an address. */
const PLAIN_VALUE = /^(?:[\d.,:]*|[a-z]{1,12}|~|(?:~|\.{1,2})?[\\/].*|[a-z]:[\\/].*|[a-z][a-z0-9+.-]*:\/\/.*)$/i;

/**
 * Learns the value of an environment variable that a server is given, from outside or from its `envFile`. What such a value
 * is for nobody says, so it is a secret unless its name or its look tells otherwise.
 */
export function learnValue(name: string, value: string, secrets: Learning): void {
  if (!learnNamed(name, value, secrets) && !isPlainName(name, value) && !PLAIN_VALUE.test(value)) secrets.add(value);
}

function isPlainName(name: string, value: string): boolean {
  return PLAIN_NAME.test(name) || (PATH_NAME.test(name) && /[\\/.]/.test(value));
}

/** Learns a value whose name says that it is a secret, or the password in an address. @returns whether there was something to learn */
export function learnNamed(name: string, value: string, secrets: Learning): boolean {
  const password = value.includes('://') && URL.canParse(value) ? new URL(value).password : '';
  // As it stands in the address, and as it was meant.
  for (const form of password === '' ? [] : [password, decoded(password)]) secrets.add(form);
  if (password !== '') return true;
  if (!SECRET_NAME.test(name) || isPlainName(name, value)) return false;
  secrets.add(value);
  return true;
}

/** Learns a header that says who asks: all of it, and what stands behind a scheme such as `Bearer`. */
export function learnHeader(name: string, value: string, secrets: Learning): void {
  const [scheme = '', ...rest] = value.trim().split(/\s/);
  if (/^(?:bearer|basic|token|key|apikey)$/i.test(scheme)) secrets.add(rest.join(' '));
  learnNamed(name, value, secrets);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
