import { Needles, type TextRange } from './needles';
import { MAX_LEVELS } from './objects';
import { once } from './once';

/** The text that replaces a secret. */
export const REDACTED = '[secret]';

/** Secrets of fewer characters are hidden only outside words. Otherwise parts of ordinary words would be removed. */
const MIN_LENGTH = 6;
/** The minimum length of a secret that is hidden, in characters. Shorter ones occur on every page. */
const MIN_ALONE = 4;
/** Plain words of up to this many characters are hidden only outside other words. Longer ones rarely occur in text. */
const MAX_WORD = 12;
const PLAIN_WORD = /^\p{L}+$/u;
const WORD = /[\p{L}\p{N}_]/u;
/** Secrets of up to this many characters are also hidden in upper and lower case, as programs may write a key. */
const MAX_KEY = 200;
/** Secrets of up to this many characters are also hidden in addresses and base64, in which no files occur. */
const MAX_ENCODED = 20_000;
/** Lines of a secret with at least this many characters are also hidden alone. Logs print private keys line by line. */
const MIN_LINE = 16;

/** The number of characters before a secret that `standingAlone` reads. */
const LOOK_BEHIND = 2;

/** Replaces every known secret in a text. */
export type Redact = (text: string) => string;

/** Replaces every known secret in all texts of a value. */
export type RedactIn = <Value>(value: Value) => Value;

/**
 * All known secrets of a window. Any code that learns a secret adds it here, and every text that leaves the extension
 * (for the chat, the log, a model, a file, another extension) passes through {@link redact}. Secrets are also found in
 * the forms of JSON, addresses and base64. They are never removed, because an old key in a log is still a key.
 */
export class KnownSecrets {
  readonly #secrets = new Set<string>();
  /** Secrets that are hidden only if they aren't part of a word: short ones, and plain words. */
  readonly #alone = new Set<string>();
  readonly #lines = new Set<string>();
  /** Public words, in lower case, which are never hidden. */
  readonly #open = new Set<string>();
  /** Created at the first search, and reset when a secret is added. */
  #finders: Finders | undefined;

  add(secret: string): void {
    const trimmed = secret.trim();
    if (trimmed.length < MIN_ALONE) return;
    const isWord = PLAIN_WORD.test(trimmed);
    if (trimmed.length < MIN_LENGTH ? !isWord : isWord && trimmed.length <= MAX_WORD) {
      if (this.#alone.has(trimmed)) return;
      this.#alone.add(trimmed);
      this.#finders = undefined;
    }
    if (trimmed.length < MIN_LENGTH || this.#secrets.has(trimmed)) return;
    this.#secrets.add(trimmed);
    this.#finders = undefined;
    // The first and last lines of a key, which are the same in all keys, are left out.
    if (trimmed.includes('\n'))
      for (const line of trimmed.split('\n').map((each) => each.trim()))
        if (line.length >= MIN_LINE && !line.startsWith('-----')) this.#lines.add(line);
  }

  /** Exempts the words of a server's name, by which tools are addressed: a password `postgres` must not hide it. */
  addName(name: string): void {
    const known = this.#open.size;
    for (const word of name.split(/[^\p{L}]+/u)) this.#open.add(word.toLowerCase());
    // A change of a file adds all names again, so only a new name resets the search.
    if (this.#open.size > known) this.#finders = undefined;
  }

  /** Increases with each new secret or name. Caches of redacted texts use it to check whether they are still valid. */
  get size(): number {
    return this.#secrets.size + this.#alone.size + this.#open.size;
  }

  readonly redact: Redact = (text) => {
    if (this.#isEmpty || text.length < MIN_ALONE) return text;
    const rest = this.#hideLong(text);
    const { alone } = this.#find;
    return alone?.isIn(rest) ? [...pieces(rest, standingAlone(rest, alone))].join('') : rest;
  };

  /**
   * Returns a name without secrets, but keeps short secrets and plain words. Tools must still be found by their names,
   * and a password of one word may be part of a tool's name.
   */
  readonly hideInName: Redact = (name) => (this.#isEmpty ? name : this.#hideLong(name));

  /** Creates a redactor for a text that arrives in parts, since a secret may begin in one part and end in the next. */
  readonly inParts = (): RedactedParts => {
    /** The end of the text so far, which may be the beginning of a secret. */
    let held = '';
    /** The characters that were returned directly before `held`. */
    let before = '';
    const redactNext = (text: string) => {
      const hidden = this.redact(before + text).slice(before.length);
      before = (before + hidden).slice(-LOOK_BEHIND);
      return hidden;
    };
    return {
      add: (part) => {
        held += part;
        const end = this.#isEmpty ? held.length : this.#settledIn(held);
        const settled = held.slice(0, end);
        held = held.slice(end);
        return redactNext(settled);
      },
      end: () => {
        const rest = redactNext(held);
        held = '';
        before = '';
        return rest;
      },
    };
  };

  get #isEmpty(): boolean {
    return this.#secrets.size + this.#alone.size === 0;
  }

  get #find(): Finders {
    if (this.#finders) return this.#finders;
    const isOpen = (secret: string) => this.#alone.has(secret) && this.#open.has(secret.toLowerCase());
    const hidden = (secrets: ReadonlySet<string>) => new Set([...secrets].filter((secret) => !isOpen(secret)));
    this.#finders = findersOf(hidden(this.#secrets), hidden(this.#alone), this.#lines);
    return this.#finders;
  }

  #hideLong(text: string): string {
    const { long } = this.#find;
    return long?.isIn(text) ? [...pieces(text, long.in(text))].join('') : text;
  }

  /** Returns the number of characters at the start of the text that later text can't turn into part of a secret. */
  #settledIn(text: string): number {
    const all = [this.#find.long, this.#find.alone].filter((needles) => needles !== undefined);
    let end = Math.min(...all.map((needles) => text.length - needles.begunAtEndOf(text)));
    for (const needles of all) for (const [from, to] of needles.in(text)) if (from < end && end < to) end = from;
    return end;
  }

  /** Returns a JSON value without secrets, even in field names. It is the same object if it contained none. */
  readonly redactIn = <Value>(value: Value): Value => (this.#isEmpty ? value : (hideUnknown(value, this) as Value));

  /** Returns a new object with the same secrets and some more. */
  with(secrets: Iterable<string>): KnownSecrets {
    const more = new KnownSecrets();
    for (const secret of [...this.#secrets, ...this.#alone, ...secrets]) more.add(secret);
    for (const word of this.#open) more.addName(word);
    return more;
  }

  /** Finds secrets in a JSON text. The text is still valid JSON after they are replaced. */
  inJson(json: string): Iterable<TextRange> {
    if (this.#isEmpty) return [];
    const inText = this.#find.inJson();
    const long = inText.long?.in(json) ?? [];
    return inStrings(json, inText.alone ? inOrder([...long, ...standingAlone(json, inText.alone)]) : long);
  }
}

interface RedactedParts {
  /** Adds a part. Returns the text that is certain by now, and holds back a possible beginning of a secret. */
  add(part: string): string;
  /** Returns the held-back text. The next part begins another text. */
  end(): string;
}

/** Finds all secrets at once; undefined if there are no secrets. */
interface Finders {
  readonly long: Needles | undefined;
  readonly alone: Needles | undefined;
  /** The finders for JSON text. Created when needed, since only exports use them. */
  readonly inJson: () => Pick<Finders, 'long' | 'alone'>;
}

function findersOf(secrets: ReadonlySet<string>, alone: ReadonlySet<string>, lines: ReadonlySet<string>): Finders {
  const needles = (texts: readonly string[]) => (texts.length === 0 ? undefined : new Needles([...new Set(texts)]));
  // A plain word is hidden only if it isn't part of another one, but its encoded forms, which aren't words, everywhere.
  const forms = [...secrets].flatMap((secret) =>
    encoded(secret).filter((form) => form !== secret || !alone.has(secret)),
  );
  const whole = [...secrets].filter((secret) => !alone.has(secret));
  const plain = [...whole.flatMap((secret) => [secret, inHtml(secret), ...otherCase(secret)]), ...lines];
  return {
    long: needles([...plain, ...forms]),
    alone: needles([...alone]),
    inJson: once(() => ({
      long: needles([...plain.flatMap(jsonForms), ...forms]),
      alone: needles([...alone].map(inJson)),
    })),
  };
}

/** Yields the places of short secrets outside words. The letter of a JSON escape isn't part of the following word. */
function* standingAlone(text: string, needles: Needles): Generator<TextRange> {
  const isWord = (at: number) => WORD.test(text.charAt(at));
  for (const [from, to] of needles.in(text))
    if (!isWord(to) && (!isWord(from - 1) || text.charAt(from - 2) === '\\')) yield [from, to];
}

/** Yields the spans inside strings of a JSON text. Numbers and literals stay, so that the text is still valid JSON. */
function* inStrings(json: string, spans: Iterable<TextRange>): Generator<TextRange> {
  let at = 0;
  let inside = false;
  for (const span of spans) {
    for (; at < span[0]; at++) {
      const char = json[at];
      if (inside && char === '\\') at++;
      else if (char === '"') inside = !inside;
    }
    if (inside) yield span;
  }
}

/** Sorts spans by their starts, and joins spans that overlap. */
function inOrder(spans: TextRange[]): TextRange[] {
  const ordered: [from: number, to: number][] = [];
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    const last = ordered.at(-1);
    if (last && from < last[1]) last[1] = Math.max(last[1], to);
    else ordered.push([from, to]);
  }
  return ordered;
}

function hideUnknown(value: unknown, secrets: Pick<KnownSecrets, 'redact' | 'hideInName'>, depth = 0): unknown {
  if (typeof value === 'string') return secrets.redact(value);
  if (typeof value !== 'object' || value === null) return value;
  // A value that is nested too deeply to be searched is replaced as a whole.
  if (depth > MAX_LEVELS) return REDACTED;
  if (Array.isArray(value)) {
    const items = value.map((item) => hideUnknown(item, secrets, depth + 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const entries = Object.entries(value);
  let same = true;
  for (const entry of entries) {
    const [name, item] = entry;
    entry[0] = secrets.hideInName(name);
    entry[1] = hideUnknown(item, secrets, depth + 1);
    same &&= entry[0] === name && entry[1] === item;
  }
  return same ? value : Object.fromEntries(entries);
}

/** Yields a text in pieces, with {@link REDACTED} in place of each span. The spans must be in order and not overlap. */
export function* pieces(text: string, spans: Iterable<TextRange>): Generator<string> {
  let end = 0;
  for (const [from, to] of spans) {
    yield text.slice(end, from);
    yield REDACTED;
    end = to;
  }
  yield text.slice(end);
}

/** Returns a secret's other forms: in JSON, in JSON inside JSON, in an address, in base64 together with other text. */
function encoded(secret: string): readonly string[] {
  const once = jsonForms(secret);
  const inText = [...once, ...once.map(inJson)];
  return secret.length > MAX_ENCODED ? inText : [...inText, ...inAddress(secret), ...inBase64(secret)];
}

function inAddress(secret: string): readonly string[] {
  const inPath = encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(secret)));
  const inForm = new URLSearchParams({ '': secret }).toString().slice(1);
  return [inPath, inForm].flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase())]);
}

function otherCase(secret: string): readonly string[] {
  return secret.length > MAX_KEY ? [] : [secret.toLowerCase(), secret.toUpperCase()];
}

/** Returns a text's JSON as written by JavaScript, Go (escapes `<>&`), PHP (slashes) and Python (all except ASCII). */
function jsonForms(text: string): readonly string[] {
  const json = inJson(text);
  const slash = json.replaceAll('/', '\\/');
  return [
    json,
    json.replace(/[<>&]/g, inHex),
    slash,
    ...[json, slash].map((form) => form.replace(/[\u0080-\uffff]/g, inHex)),
  ];
}

function inHex(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const HTML: { readonly [char: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function inHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => HTML[char] ?? char);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inBase64(secret: string): readonly string[] {
  const cores = base64Cores(new TextEncoder().encode(secret)).filter((core) => core.length >= MIN_LENGTH);
  return [...cores, ...cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'))];
}

/**
 * Returns the digits that are certain to occur in the base64 of any text that contains these bytes, such as
 * `user:secret`. A digit has 6 bits, so the digits depend on the number of bytes before (modulo 3). The digits at both
 * ends also depend on neighbouring bytes and are left out.
 */
function base64Cores(bytes: Uint8Array): readonly string[] {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return [0, 1, 2].map((before) => {
    const bits = (before + bytes.length) * 8;
    return btoa('\0'.repeat(before) + binary).slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
  });
}
