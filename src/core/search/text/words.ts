/**
 * Splits text into words, in the same way for tools and queries.
 * Identifiers are split at separators and at changes of case (`getHTTPUrl` → get, http, url), because a model asks for
 * "get url" and servers write `get_url`, `getUrl` or `get-url`. Digits stay with their letters (`k8s`, `s3`, `base64`).
 * Scripts without spaces between words (Chinese, Japanese, Korean, Thai) give overlapping pairs of characters, the
 * usual substitute for a dictionary.
 */

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

/** The class of each ASCII character; 0 is a separator. */
const ASCII_CLASS = new Uint8Array(128);
for (let code = 48; code < 58; code++) ASCII_CLASS[code] = DIGIT;
for (let code = 65; code < 91; code++) ASCII_CLASS[code] = UPPER;
for (let code = 97; code < 123; code++) ASCII_CLASS[code] = LOWER;

const LETTER = /[\p{L}\p{M}\p{N}]/u;
const UPPER_LETTER = /\p{Lu}/u;

/** Whether a UTF-16 unit belongs to a script that is written without spaces. */
function isUnspaced(code: number): boolean {
  return (code >= 0x3040 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af) || (code >= 0x0e00 && code <= 0x0eff);
}

function isUnspacedLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isUnspaced(code) && classOf(code) !== 0;
}

function classOf(code: number): number {
  if (code < 128) return ASCII_CLASS[code] ?? 0;
  const char = String.fromCharCode(code);
  if (!LETTER.test(char)) return 0;
  return UPPER_LETTER.test(char) ? UPPER : LOWER;
}

/** The maximum number of parts of a run of mixed case that also counts as one word: `MySQL`, `GitHub`, `DocumentDB`. */
const MAX_PARTS = 3;

/**
 * Matches the runs into which texts are first cut: letters, digits and all characters outside ASCII. {@link eachWordOf}
 * splits them further. A regular expression is fast from the first text on, before our own code is compiled.
 */
const RUNS = /[A-Za-z0-9\u0080-\uffff]+/g;
/** Matches a run that is a single word, as most runs are. */
const ONE_WORD = /^[A-Za-z]?[a-z0-9]*$/;

/** Returns the runs of a text, to be split by {@link eachWordOf}. */
export function runsOf(text: string): readonly string[] {
  return text.match(RUNS) ?? [];
}

/** Calls `emit` with each word of `text` in lower case; see {@link eachWordOf}. */
export function eachWord(text: string, emit: (word: string, parts: number) => void): void {
  for (const run of runsOf(text)) eachWordOf(run, emit);
}

/**
 * Calls `emit` with each word of a run in lower case. A run of mixed case is also one word, which follows its parts
 * (`MySQL` → my, sql, mysql). `parts` is then the number of parts, and 1 for all other words.
 */
export function eachWordOf(run: string, emit: (word: string, parts: number) => void): void {
  if (ONE_WORD.test(run)) emit(run.toLowerCase(), 1);
  else splitRun(run, emit);
}

function splitRun(text: string, emit: (word: string, parts: number) => void): void {
  const length = text.length;
  let start = -1;
  let run = 0;
  let parts = 0;
  let previous = 0;
  const say = (from: number, end: number, of: number) => emit(text.slice(from, end).toLowerCase(), of);
  const close = (end: number) => {
    say(start, end, 1);
    start = -1;
    parts++;
  };
  const closeRun = (end: number) => {
    if (start >= 0) close(end);
    if (parts > 1 && parts <= MAX_PARTS) say(run, end, parts);
    parts = 0;
  };
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x0dff && isUnspaced(code)) {
      closeRun(i);
      previous = 0;
      const size = unspacedSize(text, i);
      if (size > 0) say(i, i + size, 1);
      continue;
    }
    const kind = classOf(code);
    if (kind === 0) {
      closeRun(i);
    } else if (start < 0) {
      start = i;
      run = i;
    } else if (kind === UPPER && previous === LOWER) {
      close(i);
      start = i;
    } else if (kind === LOWER && previous === UPPER && i - start > 1) {
      const endsWord = i + 1 === length || classOf(text.charCodeAt(i + 1)) === 0;
      if (code === 115 && endsWord) {
        // A plural of capital letters: PRs, URLs.
        closeRun(i);
        previous = 0;
        continue;
      }
      // The last capital letter of a series begins the next word: HTTPUrl → HTTP, Url.
      close(i - 1);
      start = i - 1;
    }
    previous = kind;
  }
  closeRun(length);
}

/** Returns the length of the word that begins here in a script without spaces: two letters, one, or 0 for no word. */
function unspacedSize(text: string, at: number): 0 | 1 | 2 {
  if (classOf(text.charCodeAt(at)) === 0) return 0;
  if (isUnspacedLetter(text, at + 1)) return 2;
  return isUnspacedLetter(text, at - 1) ? 0 : 1;
}

/** Returns the words of `text` in lower case and in order, without those that join several words. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (word, parts) => parts === 1 && words.push(word));
  return words;
}

/** Returns a text's letters and digits, in lower case. Names that differ only in case and separators become equal. */
export function squash(text: string): string {
  // Most names consist of letters, digits, _ and -. For these, a simpler pattern is several times as fast.
  if (/^[\w/.-]*$/.test(text)) return text.replace(/[_/.-]+/g, '').toLowerCase();
  return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}
