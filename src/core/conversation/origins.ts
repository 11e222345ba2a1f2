// Finds the earlier results that the values of a call's arguments come from. Such text may be part of an attack.

/** The number of characters that an argument must have in common with a result. */
const MIN_PART = 8;
/** The most characters of an argument, and of all results, that are compared. */
const MAX_ARGUMENT = 4_000;
const MAX_RESULTS = 1_000_000;
/** The time for which a result is compared with arguments, in milliseconds. */
const MAX_AGE_MS = 10 * 60_000;
const MAX_ORIGINS = 10;

/** An argument that contains text of an earlier result. */
export interface ValueOrigin {
  /** The argument's name, followed by the path into its value: `mail.to`. */
  readonly argument: string;
  /** The id of the tool that returned the text. */
  readonly source: string;
}

/** Holds the texts of the results of a turn, or of a chat's last minutes. */
export class ResultTexts {
  #texts: { readonly source: string; readonly text: string; readonly at: number }[] = [];
  #chars = 0;

  add(source: string, text: string): void {
    if (text.length < MIN_PART) return;
    this.#texts.push({ source, text: text.slice(0, MAX_RESULTS), at: Date.now() });
    this.#chars += Math.min(text.length, MAX_RESULTS);
    while (this.#chars > MAX_RESULTS && this.#texts.length > 1) this.#chars -= this.#texts.shift()?.text.length ?? 0;
  }

  /** Returns the arguments that share at least eight characters with a result, each with the last such result. */
  originsOf(input: unknown): readonly ValueOrigin[] {
    const recent = this.#texts.filter(({ at }) => Date.now() - at < MAX_AGE_MS).reverse();
    if (recent.length === 0) return [];
    const origins: ValueOrigin[] = [];
    for (const [argument, value] of textsIn(input)) {
      const parts = partsOf(value);
      const found = parts.size > 0 && recent.find(({ text }) => holdsAny(text, parts));
      if (found && origins.length < MAX_ORIGINS) origins.push({ argument, source: found.source });
    }
    return origins;
  }
}

/**
 * Returns all texts in a value with their paths. Numbers of many digits count as texts, since they may be account or
 * phone numbers.
 */
function textsIn(input: unknown): readonly (readonly [string, string])[] {
  const texts: [string, string][] = [];
  const waiting: (readonly [string, unknown])[] = [['', input]];
  for (let next = waiting.shift(); next && texts.length < 200; next = waiting.shift()) {
    const [path, value] = next;
    if (typeof value === 'string' || typeof value === 'number') texts.push([path, String(value)]);
    if (typeof value !== 'object' || value === null) continue;
    const parts = Object.entries(value).slice(0, 200);
    for (const [key, part] of parts) waiting.push([path === '' ? key : `${path}.${key}`, part]);
  }
  return texts;
}

/** Returns every run of {@link MIN_PART} characters, except blanks. */
function partsOf(text: string): ReadonlySet<string> {
  const parts = new Set<string>();
  const end = Math.min(text.length, MAX_ARGUMENT) - MIN_PART;
  for (let i = 0; i <= end; i++) {
    const part = text.slice(i, i + MIN_PART);
    if (part.trim().length > MIN_PART / 2) parts.add(part);
  }
  return parts;
}

function holdsAny(text: string, parts: ReadonlySet<string>): boolean {
  // For few parts, the engine's own search is faster.
  if (parts.size <= 20) return [...parts].some((part) => text.includes(part));
  for (let i = 0; i + MIN_PART <= text.length; i++) if (parts.has(text.slice(i, i + MIN_PART))) return true;
  return false;
}
