/**
 * Reads the `NAME=value` lines of an environment file. Comments (`#`) and lines without a name are skipped. Quotes
 * around a value are removed. In double quotes, `\n` is a line break.
 */
export function parseEnvFile(text: string): { readonly [name: string]: string } {
  const entries: [string, string][] = [];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=([\s\S]*)$/.exec(line);
    if (match?.[1] !== undefined) entries.push([match[1], unquoted((match[2] ?? '').trim())]);
  }
  return Object.fromEntries(entries);
}

function unquoted(raw: string): string {
  const quoted = /^(["'])([\s\S]*)\1(?:\s+#[\s\S]*)?$/.exec(raw);
  if (!quoted) return raw.startsWith('#') ? '' : (raw.split(/\s#/, 1)[0] ?? '').trimEnd();
  const value = quoted[2] ?? '';
  return quoted[1] === '"' ? value.replaceAll('\\n', '\n') : value;
}
