const HOW = ['eager', 'deferred', 'off'] as const;
const QUOTES = ['"', "'", '`'];

/** Reads `name [eager|deferred|off]`. The name may contain spaces and may be quoted. The default is eager. */
export function readPin(argument: string): { readonly name: string; readonly how: (typeof HOW)[number] } {
  const trimmed = argument.trim();
  const last = trimmed.split(/\s+/).at(-1) ?? '';
  const how = HOW.find((each) => each === last.toLowerCase());
  if (!how || last === trimmed) return { name: readName(trimmed), how: 'eager' };
  return { name: readName(trimmed.slice(0, -last.length)), how };
}

/** Returns a name without the quotes or backticks around it. */
export function readName(argument: string): string {
  const trimmed = argument.trim();
  const first = trimmed[0] ?? '';
  return trimmed.length > 1 && QUOTES.includes(first) && trimmed.endsWith(first) ? trimmed.slice(1, -1) : trimmed;
}
