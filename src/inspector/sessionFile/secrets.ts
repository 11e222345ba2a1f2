/** What stands in a file in place of a secret. */
export const REDACTED = '[secret]';

/**
 * Keys and tokens by their known beginnings, whole private keys, and what is said to be a secret right before it. What the
 * first group holds stays. Each pattern ends before a quote or a backslash, so that what is redacted in JSON stays JSON.
 */
const PATTERNS: readonly RegExp[] = [
  /\b()(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\b()(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,})/g,
  /\b()(?:npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|AIza[A-Za-z0-9_-]{30,}|(?:AKIA|ASIA)[A-Z0-9]{16}|ya29\.[A-Za-z0-9_-]{20,})/g,
  /\b()eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /()-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /\b((?:bearer|basic)\s+)[A-Za-z0-9+/=._~-]{8,}/gi,
  /(:\/\/[^\s/@:"\\]{1,100}:)[^\s/@"\\]{1,200}(?=@)/g,
  /((?:api[_-]?key|access[_-]?key|secret|passw(?:or)?d|passphrase|token|credential)s?\\*"?\s*[:=]\s*\\*"?)(?!bearer\b|basic\b)[^\s"\\,;&}\]]{8,}/gi,
];

/** A shorter secret would take ordinary words with it. */
const MIN_KNOWN = 6;

/** Takes everything out of a JSON text that is known to be a secret or looks like one; it stays JSON. */
export function createRedactor(secrets: readonly string[]): (json: string) => string {
  // As it stands in JSON, and in JSON within JSON: what a model sends as arguments.
  const known = secrets.filter((secret) => secret.length >= MIN_KNOWN).flatMap((secret) => [inJson(inJson(secret)), inJson(secret)]);
  return (json) => {
    const without = known.reduce((text, secret) => text.replaceAll(secret, REDACTED), json);
    return PATTERNS.reduce((text, pattern) => text.replace(pattern, `$1${REDACTED}`), without);
  };
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
