import { Needles, type Span } from './needles';

/** What stands in place of a secret. */
export const REDACTED = '[secret]';

/** A shorter secret would take parts of ordinary words with it: it is hidden where it stands alone. In characters. */
const MIN_LENGTH = 6;
/** One that is shorter still, or a short word, is on every page. */
const MIN_ALONE = 4;
const PLAIN_WORD = /^\p{L}+$/u;
const WORD = /[\p{L}\p{N}_]/u;

/** Takes what is secret out of a text. */
export type Hide = (text: string) => string;

/** Takes what is secret out of every text of a value. */
export type HideIn = <Value>(value: Value) => Value;

/**
 * All that is known to be secret in a window. Whoever gets to know a secret adds it; every text that leaves (for the chat,
 * the log, a model, a file, another extension) goes through {@link hide}. A secret is also found as JSON, an address or
 * base64 would write it. Nothing is ever taken back: what was a key yesterday still is one in a log.
 */
export class KnownSecrets {
  readonly #secrets = new Set<string>();
  /** Made when something is looked for; undefined once there is a new secret. */
  #inText: Needles | undefined;
  #inJson: Needles | undefined;
  readonly #short = new Set<string>();
  #alone: Needles | undefined;
  #aloneInJson: Needles | undefined;

  add(secret: string): void {
    const trimmed = secret.trim();
    if (trimmed.length < MIN_ALONE || this.#secrets.has(trimmed) || this.#short.has(trimmed)) return;
    if (trimmed.length < MIN_LENGTH) {
      if (!PLAIN_WORD.test(trimmed)) this.#short.add(trimmed);
      this.#alone = this.#aloneInJson = undefined;
      return;
    }
    this.#secrets.add(trimmed);
    this.#inText = undefined;
    this.#inJson = undefined;
  }

  /** The text without any secret. */
  readonly hide: Hide = (text) => {
    if (this.#isEmpty || text.length < MIN_ALONE) return text;
    this.#inText ??= new Needles([...this.#secrets].flatMap((secret) => [secret, ...encoded(secret)]));
    const rest = this.#secrets.size === 0 ? text : [...pieces(text, this.#inText.in(text))].join('');
    if (this.#short.size === 0) return rest;
    this.#alone ??= new Needles([...this.#short]);
    return [...pieces(rest, standingAlone(rest, this.#alone))].join('');
  };

  get #isEmpty(): boolean {
    return this.#secrets.size + this.#short.size === 0;
  }

  /** A value of JSON without any secret, in names of fields too; the same value where there was none. */
  readonly hideIn = <Value>(value: Value): Value => (this.#isEmpty ? value : (hideUnknown(value, this.hide) as Value));

  /** The same secrets and some more. */
  with(secrets: Iterable<string>): KnownSecrets {
    const more = new KnownSecrets();
    for (const secret of [...this.#secrets, ...this.#short, ...secrets]) more.add(secret);
    return more;
  }

  /** Where the secrets stand in a text that is JSON, and stays JSON without them. */
  inJson(json: string): Iterable<Span> {
    if (this.#isEmpty) return [];
    this.#inJson ??= new Needles([...this.#secrets].flatMap((secret) => encoded(secret)));
    const long = this.#inJson.in(json);
    if (this.#short.size === 0) return inStrings(json, long);
    this.#aloneInJson ??= new Needles([...this.#short].map(inJson));
    return inStrings(json, inOrder([...long, ...standingAlone(json, this.#aloneInJson)]));
  }
}

/** Where short secrets stand that are no part of a word; what an escape of JSON ends is no part of one. */
function* standingAlone(text: string, needles: Needles): Generator<Span> {
  const isWord = (at: number) => WORD.test(text.charAt(at));
  for (const [from, to] of needles.in(text)) if (!isWord(to) && (!isWord(from - 1) || text.charAt(from - 2) === '\\')) yield [from, to];
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

function hideUnknown(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return hide(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => hideUnknown(item, hide));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const entries = Object.entries(value);
  const hidden = entries.map(([name, item]) => [hide(name), hideUnknown(item, hide)] as const);
  const same = hidden.every(([name, item], index) => name === entries[index]?.[0] && item === entries[index][1]);
  return same ? value : Object.fromEntries(hidden);
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
  const bytes = new TextEncoder().encode(secret);
  const once = inJson(secret);
  const inPath = encodeURIComponent(new TextDecoder().decode(bytes));
  const inForm = new URLSearchParams({ '': secret }).toString().slice(1);
  const inBase64 = base64Cores(bytes).filter((core) => core.length >= MIN_LENGTH);
  return [once, inJson(once), inPath, inForm, ...inBase64, ...inBase64.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'))];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * What is sure to stand in the base64 of a text that holds these bytes, such as `user:secret`: a digit is 6 bits, so that
 * it depends on how many bytes stand before (0, 1 or 2 after whole groups of three), and the digits at either end are shared.
 */
function base64Cores(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].map((before) => {
    const bit = (at: number) => ((bytes[(at >> 3) - before] ?? 0) >> (7 - (at & 7))) & 1;
    let core = '';
    for (let at = Math.ceil((before * 8) / 6) * 6; at + 6 <= (before + bytes.length) * 8; at += 6) {
      let digit = 0;
      for (let i = at; i < at + 6; i++) digit = digit * 2 + bit(i);
      core += BASE64.charAt(digit);
    }
    return core;
  });
}
