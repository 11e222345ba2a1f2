// Finds the earlier results that the values of a call's arguments come from. Such text may be part of an attack.

import { decodedIn } from '../util/encodedText';

/** The number of characters that an argument must have in common with a result. */
const MIN_PART = 8;
/** The maximum number of characters of one argument, of all arguments, and of all results that are compared. */
const MAX_ARGUMENT = 4_000;
const MAX_ARGUMENTS = 50_000;
/** The maximum number of characters in which encoded texts are looked for. */
const MAX_ENCODED = 100_000;
/** The maximum number of texts in a call's arguments that are compared. */
const MAX_TEXTS = 2_000;
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

interface Result {
  readonly source: string;
  /** The text as it came, and its {@link signsOf}. */
  readonly forms: readonly [string, string];
  readonly at: number;
}

/** Holds the texts of the results of a turn, or of a chat's last minutes. */
export class ResultTexts {
  #results: Result[] = [];
  #chars = 0;

  add(source: string, text: string): void {
    if (text.length < MIN_PART) return;
    const kept = withDecoded(text.slice(0, MAX_RESULTS));
    this.#results.push({ source, forms: [kept, signsOf(kept)], at: Date.now() });
    this.#chars += kept.length;
    while (this.#chars > MAX_RESULTS && this.#results.length > 1)
      this.#chars -= this.#results.shift()?.forms[0].length ?? 0;
  }

  /**
   * Returns the arguments that have eight characters or more in common with a result, each with the last such result.
   * Case, blanks and punctuation don't count, because models write numbers and addresses in their own way. Encoded texts
   * are decoded.
   */
  originsOf(input: unknown): readonly ValueOrigin[] {
    const recent = this.#results.filter(({ at }) => Date.now() - at < MAX_AGE_MS).reverse();
    if (recent.length === 0) return [];
    const texts = textsIn(input);
    const values = texts.map(([, value]) => withDecoded(value.slice(0, MAX_ARGUMENT)));
    const parts = [new PartIndex(values), new PartIndex(values.map(signsOf))];
    const sources = new Map<number, string>();
    for (const { source, forms } of recent)
      for (const [form, text] of forms.entries())
        for (const value of parts[form]?.foundIn(text) ?? []) if (!sources.has(value)) sources.set(value, source);
    return texts
      .flatMap(([argument], value) => {
        const source = sources.get(value);
        return source === undefined ? [] : [{ argument, source }];
      })
      .slice(0, MAX_ORIGINS);
  }
}

/**
 * Returns all texts in a value with their paths. Numbers of many digits count as texts, since they may be account or
 * phone numbers. So do names that aren't words, and the short texts of a list together.
 */
function textsIn(input: unknown): readonly (readonly [string, string])[] {
  const texts: [string, string][] = [];
  const waiting: (readonly [string, unknown])[] = [['', input]];
  for (let next = waiting.shift(); next && texts.length < MAX_TEXTS; next = waiting.shift()) {
    const [path, value] = next;
    if (typeof value === 'string' || typeof value === 'number') texts.push([path, String(value)]);
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    if (isList && value.every(isShort)) texts.push([path, value.slice(0, MAX_ARGUMENT).join('')]);
    for (const [key, part] of Object.entries(value).slice(0, MAX_TEXTS)) {
      const place = path === '' ? key : `${path}.${key}`;
      if (!isList && /[^A-Za-z_-]/.test(key)) texts.push([place, key]);
      waiting.push([place, part]);
    }
  }
  return texts;
}

function isShort(value: unknown): boolean {
  return typeof value === 'string' && value.length < MIN_PART;
}

/** Returns a text followed by the texts that are encoded in it. */
function withDecoded(text: string): string {
  const unescaped = text.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
  return [text, ...(unescaped === text ? [] : [unescaped]), ...decodedIn(text.slice(0, MAX_ENCODED))].join('\n');
}

/** Returns the letters and digits of a text alone, in one form. */
function signsOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The number of counters of hashes, and the number of bits by which a hash is shifted to give its counter's index. */
const PLACES = 2 ** 18;
const SHIFT = 32 - 18;
const FACTOR = 0x01000193;
/** The factor that a part's oldest character has in the part's hash. It is needed to remove that character again. */
const OLDEST = hashOf(`\u0001${'\0'.repeat(MIN_PART - 1)}`);

/**
 * All runs of {@link MIN_PART} characters in several texts (parts), except blank ones. Another text is compared with
 * all of them in one pass. A rolling hash avoids most look-ups, since a result can have a million characters.
 */
class PartIndex {
  /** Part → the indices of the texts that have it. */
  readonly #texts = new Map<string, number[]>();
  /** The number of parts for each counter's index. 255 means 255 or more. */
  readonly #counts = new Uint8Array(PLACES);

  constructor(texts: readonly string[]) {
    let left = MAX_ARGUMENTS;
    for (const [index, text] of texts.entries()) {
      const end = Math.min(text.length, left);
      left -= end;
      for (let i = 0; i + MIN_PART <= end; i++) {
        const part = text.slice(i, i + MIN_PART);
        if (part.trim().length > MIN_PART / 2) this.#add(part, index);
      }
    }
  }

  /**
   * Yields the texts that have a part in common with another text. Each part is looked for only until it is found once.
   */
  *foundIn(text: string): Generator<number> {
    if (this.#texts.size === 0) return;
    let hash = 0;
    for (let end = 0; end < text.length; end++) {
      if (end >= MIN_PART) hash -= Math.imul(text.charCodeAt(end - MIN_PART), OLDEST);
      hash = (Math.imul(hash, FACTOR) + text.charCodeAt(end)) | 0;
      if (end + 1 < MIN_PART || this.#counts[placeOf(hash)] === 0) continue;
      const part = text.slice(end + 1 - MIN_PART, end + 1);
      yield* this.#take(part, placeOf(hash));
    }
  }

  #add(part: string, index: number): void {
    const texts = this.#texts.get(part);
    if (texts) {
      if (texts.at(-1) !== index) texts.push(index);
      return;
    }
    this.#texts.set(part, [index]);
    const place = placeOf(hashOf(part));
    this.#counts[place] = Math.min(255, (this.#counts[place] ?? 0) + 1);
  }

  #take(part: string, place: number): readonly number[] {
    const texts = this.#texts.get(part);
    if (!texts) return [];
    this.#texts.delete(part);
    const count = this.#counts[place] ?? 0;
    if (count < 255) this.#counts[place] = count - 1;
    return texts;
  }
}

function placeOf(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> SHIFT;
}

function hashOf(part: string): number {
  let hash = 0;
  for (let i = 0; i < part.length; i++) hash = (Math.imul(hash, FACTOR) + part.charCodeAt(i)) | 0;
  return hash;
}
