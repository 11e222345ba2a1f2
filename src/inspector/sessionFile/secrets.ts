import type { Span } from '../../core/util/ahoCorasick';
import { type KnownSecrets, REDACTED } from '../../core/util/knownSecrets';

/**
 * Finds the secrets of one kind, in their order. Its time grows with the text's length and nothing else, since
 * servers write such texts.
 */
type Find = (text: string) => Iterable<Span>;

/**
 * Keys and tokens by their known beginnings, whole private keys, and what is said to be a secret right before it.
 * Each ends before a quote or a backslash, so that what is redacted in JSON stays JSON. None begins within a word;
 * what an escape of JSON ends (`\n`, `\u0000`) is no part of one.
 *
 * The patterns are linear, since no two of their repetitions that follow each other share a character, and what one
 * of them reads holds no second beginning of itself unless the match succeeds. If that can't be said of a
 * pattern, code looks.
 */
const KINDS: readonly Find[] = [
  begun(/(?:sk|pk|rk)[-_]/g, /(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/y),
  begun(
    /gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-/g,
    /gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}/y,
  ),
  begun(
    /npm_|hf_|AIza|AKIA|ASIA|ya29\./g,
    /npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|AIza[A-Za-z0-9_-]{30,}|(?:AKIA|ASIA)[A-Z0-9]{16}|ya29\.[A-Za-z0-9_-]{20,}/y,
  ),
  webTokens,
  privateKeys,
  begun(/bearer|basic/gi, /((?:bearer|basic)\s+)[A-Za-z0-9+/=._~-]{8,}/iy),
  namedStrings,
  matching(/(:\/\/[^\s/@:"\\]{1,100}:)[^\s/@"\\]{1,200}(?=@)/g),
  matching(
    /((?:api[_-]?key|access[_-]?key|secret|passw(?:or)?d|passphrase|token|credential)s?\\*"?\s*[:=]\s*\\*"?)(?!bearer\b|basic\b)[^\s"\\,;&}\]]{8,}/gi,
  ),
];

/** A text of so many characters, or so many secrets in one, are some milliseconds' work. */
const LONG = 100_000;
const MANY = 5_000;

/**
 * Takes everything out of a JSON text that is known to be a secret or looks like one; it stays JSON. What is yielded is
 * empty, and means that others may have their turn.
 */
export function createRedactor(secrets: Pick<KnownSecrets, 'inJson'>): (json: string) => Generator<'', string> {
  const known: Find = (json) => secrets.inJson(json);
  return function* (json) {
    let text = json;
    for (const find of [known, ...KINDS]) {
      if (text.length > LONG) yield '';
      text = yield* without(text, find(text));
    }
    return text;
  };
}

function* without(text: string, spans: Iterable<Span>): Generator<'', string> {
  const kept: string[] = [];
  let end = 0;
  for (const [from, to] of spans) {
    kept.push(text.slice(end, from), REDACTED);
    end = to;
    if (kept.length % MANY === 0) yield '';
  }
  return kept.length === 0 ? text : kept.join('') + text.slice(end);
}

/** Texts that begin like this at the start of a word. The text of the first group stays. */
function begun(beginning: RegExp, whole: RegExp): Find {
  return function* (text) {
    for (const { index, 0: all, 1: before = '' } of wholes(text, beginning, whole))
      yield [index + before.length, index + all.length];
  };
}

/**
 * Matches of a sticky pattern, each tried at a beginning alone: those are rare, and a pattern that looks for the
 * beginning of a word itself takes five times as long for a text.
 */
function* wholes(text: string, beginning: RegExp, whole: RegExp): Generator<RegExpExecArray> {
  let end = 0;
  for (const { index } of text.matchAll(beginning)) {
    if (index < end || !beginsWord(text, index)) continue;
    whole.lastIndex = index;
    const found = whole.exec(text);
    if (!found) continue;
    end = index + found[0].length;
    yield found;
  }
}

/** The end of a JSON escape is not part of a word. */
function beginsWord(text: string, at: number): boolean {
  return (
    at === 0 ||
    !/\w/.test(text.charAt(at - 1)) ||
    /\\(?:[bfnrt]|u[0-9a-f]{4})$/.test(text.slice(Math.max(0, at - 6), at))
  );
}

/** The text of the pattern's first group stays. */
function matching(pattern: RegExp): Find {
  return function* (text) {
    for (const { index, 0: whole, 1: before = '' } of text.matchAll(pattern))
      yield [index + before.length, index + whole.length];
  };
}

/**
 * JSON web tokens: a header that begins with `eyJ`, a payload, a signature that may be empty. A header without the
 * rest is matched too and passed over, so that its characters aren't read again from each `eyJ` in it.
 */
function* webTokens(text: string): Generator<Span> {
  for (const { index, 0: whole, 1: rest } of wholes(
    text,
    /eyJ/g,
    /eyJ(?:[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)?)?/y,
  ))
    if (rest !== undefined) yield [index, index + whole.length];
}

/** A shorter value says nothing, and is in no program's way. */
const MIN_NAMED = 6;

/**
 * Strings of JSON whose name says that they are a secret, whatever is in them: a passphrase has blanks, a password
 * quotes. JSON within JSON has its own quotes: one backslash before each, then three, seven …
 */
function* namedStrings(text: string): Generator<Span> {
  const pattern =
    /(?:api[_-]?key|access[_-]?key|secret|passw(?:or)?d|passphrase|token|credential)s?(\\*)"\s*:\s*(\\*)"/gi;
  let end = 0;
  for (const { index, 0: whole, 1: before = '', 2: opening = '' } of text.matchAll(pattern)) {
    const from = index + whole.length;
    if (index < end || before !== opening || !isDepth(opening.length)) continue;
    const to = closingQuote(text, from, opening.length);
    if (to === undefined || to - from < MIN_NAMED) continue;
    end = to;
    yield [from, to];
  }
}

/** Whether quotes can have so many backslashes: 0, 1, 3, 7 … */
function isDepth(backslashes: number): boolean {
  return (backslashes & (backslashes + 1)) === 0;
}

/**
 * Where a string of JSON ends whose quotes have so many backslashes; undefined if it doesn't. Within it each
 * backslash of its own is a whole group of them, and a quote stands behind such a group.
 */
function closingQuote(text: string, from: number, backslashes: number): number | undefined {
  const group = 2 * (backslashes + 1);
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let run = 0;
    while (at - run > from && text[at - run - 1] === '\\') run++;
    if (run % group === backslashes) return at - backslashes;
    // The string around it ends here.
    if (run % group < backslashes) return undefined;
  }
  return undefined;
}

/** Private keys, from their first line to their last one, if no quote is between the two. */
function* privateKeys(text: string): Generator<Span> {
  const dashes = '-----'.length;
  const last = /-----END [A-Z ]*PRIVATE KEY-----/g;
  let closing = last.exec(text);
  let end = 0;
  let quote = -1;
  // The dashes that end a line may begin the next.
  for (const { index, 0: first } of text.matchAll(/-----BEGIN [A-Z ]*PRIVATE KEY(?=-----)/g)) {
    if (index < end) continue;
    const body = index + first.length + dashes;
    while (closing && closing.index < body) {
      last.lastIndex = closing.index + dashes;
      closing = last.exec(text);
    }
    if (!closing) return;
    if (quote < body) quote = indexOrEnd(text, '"', body);
    if (quote < closing.index) continue;
    end = closing.index + closing[0].length;
    yield [index, end];
  }
}

function indexOrEnd(text: string, sign: string, from: number): number {
  const index = text.indexOf(sign, from);
  return index < 0 ? text.length : index;
}
