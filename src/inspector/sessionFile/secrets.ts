import { type KnownSecrets, REDACTED } from '../../core/util/knownSecrets';
import type { TextRange } from '../../core/util/needles';

/**
 * Finds the secrets of one kind, in order. The time must be linear in the text's length, since servers write these
 * texts.
 */
type SecretFinder = (text: string) => Iterable<TextRange>;

/**
 * The kinds of secrets: keys and tokens with known beginnings, private keys, and values with a telling name. A secret
 * ends before a quote or a backslash, so that the redacted text is still valid JSON. It begins at the start of a word;
 * a JSON escape (`\n`, `\u0000`) before it isn't part of the word.
 *
 * The patterns run in linear time. Two repetitions in a row never match the same character, and a failed match contains
 * no second beginning. Kinds for which that isn't possible are found by code.
 */
const KINDS: readonly SecretFinder[] = [
  begun(/(?:sk|pk|rk)[-_]/g, /(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/y),
  begun(
    /gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-/g,
    /gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}/y,
  ),
  begun(
    /hf_|AIza|AKIA|ASIA|ya29\.|SG\./g,
    /hf_[A-Za-z0-9]{20,}|AIza[A-Za-z0-9_-]{30,}|(?:AKIA|ASIA)[A-Z0-9]{16}|ya29\.[A-Za-z0-9_-]{20,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/y,
  ),
  begun(
    /(?:npm|secret|ntn|r8|gsk|lin_api|rubygems|shp(?:at|ca|pa|ss)|whsec)_|(?:xai|pplx|key)-|dapi|SK/g,
    /(?:(?:npm|secret|ntn|r8|gsk|lin_api|rubygems|shp(?:at|ca|pa|ss)|whsec)_|(?:xai|pplx|key)-|dapi|SK)[A-Za-z0-9]{30,}/y,
  ),
  begun(
    /GOCSPX-|hv[sbr]\.|figd_|do[opr]_v1_|xapp-\d|PMAK-|NRAK-|sq0[a-z]{3}-|dckr_pat_|glsa_|sntry[su]_|ATATT3|AGE-SECRET-KEY-1|pypi-\w{16}|\d{8,10}:AA/g,
    /(?:GOCSPX-|hv[sbr]\.|figd_|do[opr]_v1_|xapp-\d|PMAK-|NRAK-|sq0[a-z]{3}-|dckr_pat_|glsa_|sntry[su]_|ATATT3|AGE-SECRET-KEY-1|pypi-|\d{8,10}:AA)[A-Za-z0-9_=-]{16,}/y,
  ),
  // The addresses of webhooks, with which anybody can post.
  begun(
    /https:\/\//g,
    /https:\/\/(?:hooks\.slack\.com\/|discord(?:app)?\.com\/api\/webhooks\/|[a-z0-9-]{1,60}\.webhook\.office\.com\/)[A-Za-z0-9_@/-]{16,}/y,
  ),
  matching(/((?:AccountKey|SharedAccessKey|PHPSESSID|JSESSIONID|session_?id|[?&]sig)=)[^\s"\\,;&}\]]{6,}/gi),
  // Not the working folder, which has this name too, and no word of a sentence.
  matching(/(pwd(?:=|\\*"?\s*:\s*\\*"?(?=[a-z]*[^a-z\s"\\,;&}\].])))(?![/~$.]|[a-z]:)[^\s"\\,;&}\]]{6,}/gi),
  matching(/((?:set-)?cookie:\s*)[^\s:;="\\]+=[^\s;"\\]+(?:;\s*[^\s:;="\\]+(?:=[^\s;"\\]*)?)*/gi),
  begun(
    /authorization/gi,
    /(authorization\\*"?\s*[:=]\s*\\*"?(?:token|apikey|key)\s+)(?=[^\s"\\,;]{0,80}\d)[^\s"\\,;]{8,}/iy,
  ),
  webTokens,
  // Private keys from the first to the last line, if no quote is between them, also those whose end is cut off.
  matching(
    /(-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)(?:(?:[^"-]|-(?!----))*-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|(?:(?:\\+[nr]|\s)+[A-Za-z0-9+/=]{16,})+)/g,
  ),
  begun(/bearer|basic/gi, /((?:bearer|basic)\s+)[A-Za-z0-9+/=._~-]{8,}/iy),
  namedStrings,
  matching(/(:\/\/[^\s/@:"\\]{1,100}:)[^\s/@"\\]{1,200}(?=@)/g),
  matching(
    /((?:api[_-]?key|access[_-]?key|secret|passw(?:or)?d|passphrase|token|credential)s?\\*"?\s*[:=]\s*\\*"?)(?!bearer\b|basic\b)[^\s"\\,;&}\]]{8,}/gi,
  ),
];

/**
 * A text that is longer than this, or that has more secrets than this, takes some milliseconds. The redactor then
 * yields.
 */
const LONG = 100_000;
const MANY = 5_000;

/**
 * Creates a function that removes known secrets, and texts that look like secrets, from JSON. The result is valid JSON.
 * It yields empty texts, so that the caller can yield to the event loop.
 */
export function createRedactor(secrets: Pick<KnownSecrets, 'inJson'>): (json: string) => Generator<'', string> {
  const known: SecretFinder = (json) => secrets.inJson(json);
  return function* (json) {
    let text = json;
    for (const find of [known, ...KINDS]) {
      if (text.length > LONG) yield '';
      text = yield* without(text, find(text));
    }
    return text;
  };
}

function* without(text: string, spans: Iterable<TextRange>): Generator<'', string> {
  const kept: string[] = [];
  let end = 0;
  for (const [from, to] of spans) {
    kept.push(text.slice(end, from), REDACTED);
    end = to;
    if (kept.length % MANY === 0) yield '';
  }
  return kept.length === 0 ? text : kept.join('') + text.slice(end);
}

/** Finds texts with this beginning at the start of a word. The text of the pattern's first group isn't redacted. */
function begun(beginning: RegExp, whole: RegExp): SecretFinder {
  return function* (text) {
    for (const { index, 0: all, 1: before = '' } of wholes(text, beginning, whole))
      yield [index + before.length, index + all.length];
  };
}

/**
 * Yields the matches of a sticky pattern. The pattern is tried only at the beginnings that the first one finds, which
 * is five times as fast as one pattern for both.
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

/** Whether a word begins at this position. A JSON escape before it isn't part of the word. */
function beginsWord(text: string, at: number): boolean {
  return (
    at === 0 ||
    !/\w/.test(text.charAt(at - 1)) ||
    /\\(?:[bfnrt]|u[0-9a-f]{4})$/.test(text.slice(Math.max(0, at - 6), at))
  );
}

/** Finds a pattern's matches. The text of its first group isn't redacted. */
function matching(pattern: RegExp): SecretFinder {
  return function* (text) {
    for (const { index, 0: whole, 1: before = '' } of text.matchAll(pattern))
      yield [index + before.length, index + whole.length];
  };
}

/**
 * Finds JSON web tokens: a header that begins with `eyJ`, a payload, and a signature that may be empty. A header alone
 * is matched too but not yielded, so that its characters aren't read again at each further `eyJ`.
 */
function* webTokens(text: string): Generator<TextRange> {
  for (const { index, 0: whole, 1: rest } of wholes(
    text,
    /eyJ/g,
    /eyJ(?:[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)?)?/y,
  ))
    if (rest !== undefined) yield [index, index + whole.length];
}

/** The minimum length of a value that is redacted because of its name. */
const MIN_NAMED = 6;

/**
 * Finds JSON strings with the name of a secret. Their value may contain anything, such as the spaces of a passphrase.
 * In nested JSON, quotes have 1, 3, 7 … backslashes before them.
 */
function* namedStrings(text: string): Generator<TextRange> {
  const pattern =
    /(?:api[_-]?key|access[_-]?key|secret|passw(?:or)?d|passphrase|token|credential|cookie)s?(\\*)"\s*:\s*(?:\[\s*)?(\\*)"/gi;
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

/** Whether quotes can have this number of backslashes: 0, 1, 3, 7 … */
function isDepth(backslashes: number): boolean {
  return (backslashes & (backslashes + 1)) === 0;
}

/**
 * Returns the end of a JSON string whose quotes have this number of backslashes; undefined if it has no end. Inside the
 * string, a backslash is written as a group of several, and each inner quote follows such a group.
 */
function closingQuote(text: string, from: number, backslashes: number): number | undefined {
  const group = 2 * (backslashes + 1);
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let run = 0;
    while (at - run > from && text[at - run - 1] === '\\') run++;
    if (run % group === backslashes) return at - backslashes;
    // The outer string ends here.
    if (run % group < backslashes) return undefined;
  }
  return undefined;
}
