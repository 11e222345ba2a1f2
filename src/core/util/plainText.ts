// Text from servers, tools and models is data wherever it is shown. VS Code reads markup in more places than one expects:
// links in notifications, icons in quick picks, Markdown in a chat's progress.

import { cut } from './cut';

const ESCAPE = '\u001b';
/** Of a name, what can't be seen among it: as much is looked at. In characters. */
const LOOKED_AT = 1_000;
/** An escape sequence of a terminal (ECMA-48): colours, links, cursor moves. */
const TERMINAL = new RegExp(
  `[${ESCAPE}\u009b](?:\\[[0-?]*[ -/]*[@-~]|\\][^\u0007${ESCAPE}]*(?:\u0007|${ESCAPE}\\\\)?|[@-Z\\\\-_])?`,
  'g',
);

/**
 * What no one sees and what turns around what one sees: control characters, marks of writing direction, zero-width spaces,
 * fillers, lone surrogates, and the invisible "tag" letters and variation selectors in which instructions can be hidden. Joiners
 * and the few selectors that emoji and Mongolian need stay.
 */
const UNSEEN =
  /(?![\t\n\r])\p{Cc}|(?!\u200c|\u200d|[\u180b-\u180d\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|[\u2028\u2029\ufff9-\ufffb]|\p{Cs}/gu;

/** Letters of scripts that share shapes with the Latin one. */
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/gu;

/** Letters of those scripts that can't be told from Latin ones. */
const LATIN_SHAPES = /[аАВсСеЕһНіІјЈКМоОрРѕЅТуУхХԁԛԚԝԜѵΑΒΕΖΗΙΚΜΝΟΡΤΥΧονιρυκօսոհՏՕԼ\p{Script=Cherokee}\p{Script=Lisu}]/u;

function written(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}

/** The text without what can't be seen; line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(TERMINAL, '').replace(UNSEEN, '');
}

/** The kinds of hidden characters in a text, as `U+200B, U+202E`; empty if there are none. */
export function hiddenIn(text: string): string {
  const found = [...(text.match(UNSEEN) ?? []), ...(text.match(PRIVATE_OR_JOINED) ?? [])];
  const points = found.map((char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  return [...new Set(points)].slice(0, 8).join(', ');
}

/** Private-use characters, and joiners between letters that are never joined. */
const PRIVATE_OR_JOINED =
  /\p{Co}|(?<=^|[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d\s\p{P}])[\u200c\u200d]/gu;

/** The text with what can't be seen written as what it is (`\u{202e}`), for those who look for it. */
export function revealed(text: string): string {
  return text.replace(UNSEEN, written);
}

/** The visible text on one line. */
export function oneLine(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ').trim();
}

/** For Markdown: shown as it stands, with no markup, link, address or icon in it. */
export function escapeMarkdown(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]()#+\-.!|<>~$:@&=^]/g, '\\$&');
}

/** A name of up to three plain words, such as `My Files`: too short to read like a sentence. */
const FEW_WORDS = /^[\p{L}\p{N}_.-]{1,20}(?: [\p{L}\p{N}_-]{1,20}){1,2}$/u;

/**
 * A name in Markdown, as code. Blanks in longer names are marked, so that no name reads like a sentence of the extension
 * (U+2800 looks like a blank). Letters that only look Latin are written as what they are: among Latin ones, in a name of
 * such letters alone, and fullwidth or mathematical ones.
 */
export function codeName(name: string, maxChars = 128): string {
  const marked = markedName(name, maxChars);
  return asCode(FEW_WORDS.test(name) ? marked.replaceAll('␣', ' ') : marked);
}

/** A name where nothing but plain text is shown, as {@link codeName} has it. */
export function plainName(name: string, maxChars = 100): string {
  return plainMessage(markedName(name, maxChars));
}

function markedName(name: string, maxChars: number): string {
  const shown = (cut(oneLine(name.slice(0, LOOKED_AT)), maxChars) || ' ').replace(/[ \u2800]/g, '␣');
  // A name in another script has letters of its own. One that only has those that look Latin is made to look like another.
  const foreign = shown.match(LOOKALIKE) ?? [];
  const isDisguised = foreign.length > 1 && foreign.every((char) => LATIN_SHAPES.test(char));
  return shown
    .replace(/\p{L}+/gu, (word) =>
      isDisguised || /\p{Script=Latin}/u.test(word) ? word.replace(LOOKALIKE, written) : word,
    )
    .replace(/[\p{L}\p{N}]/gu, (char) =>
      char > '\u007f' && /^[\w ]+$/.test(char.normalize('NFKC')) ? written(char) : char,
    );
}

/** One line of text in Markdown, as code, as it stands. */
export function asCode(text: string): string {
  const shown = oneLine(text) || ' ';
  const fence = '`'.repeat(longestTicks(shown) + 1);
  const pad = /^`|`$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/**
 * For Markdown that is read aloud as it stands too: no markup and no image, and no link but a bare address, which shows where it
 * leads.
 */
export function escapeProse(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>!|#$~&]/g, '\\$&');
}

/** For labels in which VS Code shows `$(name)` as an icon. */
export function plainLabel(text: string): string {
  return oneLine(text).replaceAll('$(', '$ (');
}

/** For notifications, in which VS Code makes links of `[words](address)`, those that run commands too. */
export function plainMessage(text: string): string {
  return oneLine(text).replaceAll('](', '] (');
}

/** For prompts of input boxes, in which VS Code makes links as in a message and icons as in a label. */
export function plainPrompt(text: string): string {
  return plainLabel(plainMessage(text));
}

/** A value as a block of JSON in Markdown; see {@link shownJson}. */
export function fencedJson(value: unknown, maxChars: number): string {
  const shown = shownJson(value, maxChars);
  const fence = '`'.repeat(Math.max(2, longestTicks(shown)) + 1);
  return `${fence}json\n${shown}\n${fence}`;
}

/**
 * A value as indented JSON for plain text. Invisible characters are written as escapes, and a cut is marked. If the value
 * doesn't fit, long texts in it are cut first, so that none pushes the rest out of sight.
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

/** How long the longest run of backticks is: what is fenced with more can't end its fence. */
function longestTicks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, ticks) => Math.max(longest, ticks.length), 0);
}
