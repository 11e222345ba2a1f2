// Makes text from servers, tools and models safe to show. VS Code interprets markup in more places than one expects:
// links in notifications, icons in quick picks, Markdown in a chat's progress.

import { cut } from './cut';
import { replaceLookalikes } from './lookalikes';

const ESCAPE = '\u001b';
/** The number of characters at the start of a name in which visible characters are looked for. */
const LOOKED_AT = 1_000;
/** Matches an escape sequence of a terminal (ECMA-48): colours, links, cursor moves. */
const TERMINAL = new RegExp(
  `[${ESCAPE}\u009b](?:\\[[0-?]*[ -/]*[@-~]|\\][^\u0007${ESCAPE}]*(?:\u0007|${ESCAPE}\\\\)?|[@-Z\\\\-_])?`,
  'g',
);

/**
 * Matches characters that are invisible or change the direction of text: control characters, marks of writing
 * direction, zero-width spaces, fillers, lone surrogates, and the invisible "tag" letters and variation selectors that
 * can hide instructions. Joiners and the few selectors that emoji and Mongolian need aren't matched.
 */
const UNSEEN =
  /(?![\t\n\r])\p{Cc}|(?!\u200c|\u200d|[\u180b-\u180d\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|[\u2028\u2029\ufff9-\ufffb]|\p{Cs}/gu;

function written(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}

/** Returns the text without invisible characters. Line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(TERMINAL, '').replace(UNSEEN, '');
}

/** Returns the kinds of hidden characters in a text, as `U+200B, U+202E`. Empty if there are none. */
export function hiddenIn(text: string): string {
  const rest = text.replace(FLAGS, '');
  const found = [...(rest.match(UNSEEN) ?? []), ...(rest.match(PRIVATE_OR_JOINED) ?? [])];
  const points = found.map((char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  return [...new Set(points)].slice(0, 8).join(', ');
}

/** Matches the flags of England, Scotland and Wales, which are written with invisible letters. */
const FLAGS =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;

/** Matches private-use characters, the empty Braille sign, and joiners between letters that are never joined. */
const PRIVATE_OR_JOINED =
  /\p{Co}|\u2800|(?<=^|[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d\s\p{P}])[\u200c\u200d]/gu;

/** Returns the text with invisible characters written as escapes (`\u{202e}`), so that readers can see them. */
export function revealed(text: string): string {
  return text.replace(UNSEEN, written);
}

/** Returns the visible text on one line. */
export function oneLine(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ').trim();
}

/** Escapes text for Markdown, so that it appears unchanged, without markup, links, addresses or icons. */
export function escapeMarkdown(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]()#+\-.!|<>~$:@&=^]/g, '\\$&');
}

/** Matches a name of up to three plain words, such as `My Files`, which is too short to read like a sentence. */
const FEW_WORDS = /^[\p{L}\p{N}_.-]{1,20}(?: [\p{L}\p{N}_-]{1,20}){1,2}$/u;

/**
 * Returns a name for Markdown, as code. Blanks in longer names become U+2800, which looks like a blank, so that no name
 * reads like a sentence of the extension. Look-alike letters are written as escapes if they are mixed with Latin ones,
 * or with each other, if the whole name consists of them, or if they are fullwidth, mathematical or in circles.
 */
export function codeName(name: string, maxChars = 128): string {
  const marked = markedName(name, maxChars);
  return asCode(FEW_WORDS.test(name) ? marked.replaceAll('␣', ' ') : marked);
}

/** Returns a name in the form of {@link codeName}, for places that show only plain text. */
export function plainName(name: string): string {
  return plainMessage(markedName(name, 100));
}

function markedName(name: string, maxChars: number): string {
  const shown = (cut(oneLine(name.slice(0, LOOKED_AT)), maxChars) || ' ').replace(/[ \u2800]/g, '␣');
  return replaceLookalikes(shown, written);
}

/** Returns text for Markdown as code on one line, otherwise unchanged. */
export function asCode(text: string): string {
  const shown = oneLine(text) || ' ';
  const fence = '`'.repeat(longestTicks(shown) + 1);
  const pad = /^`|`$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** Escapes text for Markdown that may be read aloud: no markup, and no links but addresses, which show their target. */
export function escapeProse(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>!|#$~&]/g, '\\$&');
}

/** Escapes text for labels in which VS Code shows `$(name)` as an icon. */
export function plainLabel(text: string): string {
  return oneLine(text).replaceAll('$(', '$ (');
}

/** Escapes text for notifications, in which VS Code makes links of `[words](address)`, even ones that run commands. */
export function plainMessage(text: string): string {
  return oneLine(text).replaceAll('](', '] (');
}

/** Escapes text for the prompts of input boxes, in which VS Code shows links and icons. */
export function plainPrompt(text: string): string {
  return plainLabel(plainMessage(text));
}

/** Returns a value as a block of JSON for Markdown; see {@link shownJson}. */
export function fencedJson(value: unknown, maxChars: number): string {
  const shown = shownJson(value, maxChars);
  const fence = '`'.repeat(Math.max(2, longestTicks(shown)) + 1);
  return `${fence}json\n${shown}\n${fence}`;
}

/**
 * Returns a value as indented JSON for plain text. Invisible characters are written as escapes, and a cut is marked. If
 * the value doesn't fit, long texts in it are cut first, so that they don't hide the rest.
 */
export function shownJson(value: unknown, maxChars: number): string {
  const whole = JSON.stringify(value, undefined, 2) ?? '';
  const max = Math.max(100, maxChars / 10);
  const shorter = (_: string, part: unknown) =>
    typeof part === 'string' && part.length > max
      ? `${part.slice(0, max)} … ${part.length - max} more characters`
      : part;
  const json = whole.length > maxChars ? JSON.stringify(value, shorter, 2) : whole;
  const more = json.length > maxChars ? `\n… ${json.length - maxChars} more characters` : '';
  return `${revealed(json.slice(0, maxChars))}${more}`;
}

/** Returns the length of the longest run of backticks. The text can't end a fence that is longer. */
function longestTicks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, ticks) => Math.max(longest, ticks.length), 0);
}
