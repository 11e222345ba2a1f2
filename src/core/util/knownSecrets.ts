import { AhoCorasick, type Span } from './ahoCorasick';
import { MAX_LEVELS } from './objects';
import { once } from './once';

/** What stands in place of a secret. */
export const REDACTED = '[secret]';

/** A shorter secret would take parts of ordinary words with it: it is hidden where it stands alone. In characters. */
const MIN_LENGTH = 6;
/** One that is shorter still, or a short word, is on every page. */
const MIN_ALONE = 4;
/** A longer word is hardly on any: one that isn't longer is hidden where it stands alone too. */
const MAX_WORD = 12;
const PLAIN_WORD = /^\p{L}+$/u;
const WORD = /[\p{L}\p{N}_]/u;
/** Longer is no key that somebody compares. In characters. */
const MAX_KEY = 200;
/** Longer are bundles of certificates and whole files: nobody puts them into an address or into base64 once more. In characters. */
const MAX_ENCODED = 20_000;
/** Of a secret of several lines, such as a private key, logs have one at a time. A shorter one says little. In characters. */
const MIN_LINE = 16;

/** Takes what is secret out of a text. */
export type Redact = (text: string) => string;

/** Takes what is secret out of every text of a value. */
export type RedactIn = <Value>(value: Value) => Value;

/**
 * All that is known to be secret in a window. Whoever gets to know a secret adds it; every text that leaves (for the chat,
 * the log, a model, a file, another extension) goes through {@link redact}. A secret is also found as JSON, an address or
 * base64 would write it. Nothing is ever taken back: what was a key yesterday still is one in a log.
 */
export class KnownSecrets {
  readonly #secrets = new Set<string>();
  /** Those that are hidden where they stand alone: short ones, and words. */
  readonly #alone = new Set<string>();
  /** Of those that have several. */
  readonly #lines = new Set<string>();
  /** Words that everybody sees, in small letters. */
  readonly #open = new Set<string>();
  /** Made when something is looked for; undefined once there is a new secret. */
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
    // What begins and ends a key is in all of them.
    if (trimmed.includes('\n'))
      for (const line of trimmed.split('\n').map((each) => each.trim()))
        if (line.length >= MIN_LINE && !line.startsWith('-----')) this.#lines.add(line);
  }

  /**
   * Leaves the words of a name alone: a database’s password that is `postgres` can’t be hidden where the server is called so, since
   * tools are known by the names of their servers.
   */
  addName(name: string): void {
    const known = this.#open.size;
    for (const word of name.split(/[^\p{L}]+/u)) this.#open.add(word.toLowerCase());
    // All names are told again with each change of a file.
    if (this.#open.size > known) this.#finders = undefined;
  }

  /** Grows with what is known, so that who keeps a text without secrets can tell whether it still is one. */
  get size(): number {
    return this.#secrets.size + this.#alone.size + this.#open.size;
  }

  /** The text without any secret. */
  readonly redact: Redact = (text) => {
    if (this.#isEmpty || text.length < MIN_ALONE) return text;
    const rest = this.#hideLong(text);
    const { alone } = this.#find;
    return alone?.isIn(rest) ? [...pieces(rest, standingAlone(rest, alone))].join('') : rest;
  };

  /**
   * A name without any secret that is more than a word: what is called by it must go on being found under it, and a password of
   * one word is in the names of tools and fields.
   */
  readonly hideInName: Redact = (name) => (this.#isEmpty ? name : this.#hideLong(name));

  /** For a text that comes in parts, a secret of which may be in two. */
  readonly inParts = (): RedactedParts => {
    /** What may be the beginning of a secret, and what was told right before it. */
    let held = '';
    let before = '';
    const told = (text: string) => {
      const hidden = this.redact(before + text).slice(before.length);
      before = (before + text).slice(-2);
      return hidden;
    };
    return {
      add: (part) => {
        held += part;
        const end = this.#isEmpty ? held.length : this.#settledIn(held);
        const settled = held.slice(0, end);
        held = held.slice(end);
        return told(settled);
      },
      end: () => {
        const rest = told(held);
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

  /** How much of a text, in characters, holds no beginning of a secret that what follows could end. */
  #settledIn(text: string): number {
    const all = [this.#find.long, this.#find.alone].filter((needles) => needles !== undefined);
    let end = Math.min(...all.map((needles) => text.length - needles.begunAtEndOf(text)));
    for (const needles of all) for (const [from, to] of needles.in(text)) if (from < end && end < to) end = from;
    return end;
  }

  /** A value of JSON without any secret, in names of fields too; the same value where there was none. */
  readonly redactIn = <Value>(value: Value): Value => (this.#isEmpty ? value : (hideUnknown(value, this) as Value));

  /** The same secrets and some more. */
  with(secrets: Iterable<string>): KnownSecrets {
    const more = new KnownSecrets();
    for (const secret of [...this.#secrets, ...this.#alone, ...secrets]) more.add(secret);
    for (const word of this.#open) more.addName(word);
    return more;
  }

  /** Where the secrets stand in a text that is JSON, and stays JSON without them. */
  inJson(json: string): Iterable<Span> {
    if (this.#isEmpty) return [];
    const inText = this.#find.inJson();
    const long = inText.long?.in(json) ?? [];
    return inStrings(json, inText.alone ? inOrder([...long, ...standingAlone(json, inText.alone)]) : long);
  }
}

/** A text that is told part by part, without any secret. */
interface RedactedParts {
  /** What can be told by now: what may be the beginning of a secret is held back. */
  add(part: string): string;
  /** What was held back. What follows is another text. */
  end(): string;
}

/** What looks for all secrets at once; undefined where there is nothing to look for. */
interface Finders {
  readonly long: AhoCorasick | undefined;
  readonly alone: AhoCorasick | undefined;
  /** The same in a text of JSON's: an export alone asks for them. */
  readonly inJson: () => Pick<Finders, 'long' | 'alone'>;
}

function findersOf(secrets: ReadonlySet<string>, alone: ReadonlySet<string>, lines: ReadonlySet<string>): Finders {
  const needles = (texts: readonly string[]) => (texts.length === 0 ? undefined : new AhoCorasick([...new Set(texts)]));
  // A word is hidden where it stands alone, but in no other form would it be a word.
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

/** Where short secrets stand that are no part of a word; what an escape of JSON ends is no part of one. */
function* standingAlone(text: string, needles: AhoCorasick): Generator<Span> {
  const isWord = (at: number) => WORD.test(text.charAt(at));
  for (const [from, to] of needles.in(text))
    if (!isWord(to) && (!isWord(from - 1) || text.charAt(from - 2) === '\\')) yield [from, to];
}

/** Spans that stand in a text of JSON's: a number or a word of its own that looks like a secret isn't one, and it stays JSON. */
function* inStrings(json: string, spans: Iterable<Span>): Generator<Span> {
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

/** Spans by their beginnings, those that overlap as one. */
function inOrder(spans: Span[]): Span[] {
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
  // What isn't looked into isn't told.
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

/** A text in pieces, {@link REDACTED} in place of each span. Spans come in order and don't overlap. */
export function* pieces(text: string, spans: Iterable<Span>): Generator<string> {
  let end = 0;
  for (const [from, to] of spans) {
    yield text.slice(end, from);
    yield REDACTED;
    end = to;
  }
  yield text.slice(end);
}

/** How else a secret may be written: in JSON, in JSON within JSON, in an address, in base64 with anything around it. */
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

/** Programs that compare keys change their case; of a certificate or the like none does. */
function otherCase(secret: string): readonly string[] {
  return secret.length > MAX_KEY ? [] : [secret.toLowerCase(), secret.toUpperCase()];
}

/** As JavaScript writes JSON, Go (`<`, `>` and `&` escaped), PHP (the slash too), and Python (all but ASCII). */
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
 * What is sure to stand in the base64 of a text that holds these bytes, such as `user:secret`: a digit is 6 bits, so that
 * it depends on how many bytes stand before (0, 1 or 2 after whole groups of three), and the digits at either end are shared.
 */
function base64Cores(bytes: Uint8Array): readonly string[] {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return [0, 1, 2].map((before) => {
    const bits = (before + bytes.length) * 8;
    return btoa('\0'.repeat(before) + binary).slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
  });
}
