// Shortens the texts of definitions for the answer of a search. A cut never falls in the middle of a word.

import { deprecationIn, MAX_READ, sentencesOf } from '../catalog/sentences';
import { abbreviationsOf, STOP_WORDS } from '../search/text/lexicon';
import { singular } from '../search/text/stem';
import { wordsOf } from '../search/text/words';

/** Words that say nothing about an argument or a tool, beside the stop words. */
export const GENERIC: ReadonlySet<string> = new Set(
  `argument array boolean detail existing field given input integer list item multiple name new number object optional
  parameter particular provided required set single specific specified string target text type use value`
    .trim()
    .split(/\s+/),
);

/** Whether a text has words of a name, and beside them only stop words and generic words. */
export function repeatsName(text: string, name: string): boolean {
  const known = new Set(wordsOf(name).map(singular));
  const words = wordsOf(text.replace('path segment', ''))
    .map(singular)
    .filter((word) => !STOP_WORDS.has(word) && !GENERIC.has(word));
  const isKnown = (word: string) => known.has(word) || [...abbreviationsOf(word)].some((it) => known.has(it));
  return words.length > 0 && words.every(isKnown);
}

/** Matches a clause that says which call gives an argument's value. */
const SOURCE =
  /\b(?:returned|obtained|retrieved|received|provided|given|taken|reported)\s+(?:by|from|via)\b|\bfrom\s+(?:an?\s+|the\s+)?(?:previous|earlier|prior|last)\b|\b(?:from|use|call|see)\s+(?:the\s+)?(?:[`'"][A-Za-z]+[_-]\w|[a-z]+_[a-z]|[a-z]+-[a-z]+-[a-z])/i;
/** Matches a sentence that says how a value is written. */
const FORMAT = /\b(?:format|separated|encoded|must|do not|don't|never)\b|\bYYYY/i;
/** Matches the end of a sentence that says only whose value it is. */
const WHOSE = / as returned by [A-Z]\w+(?: [A-Z]\w+)*\.?$/;
/** The maximum number of characters of the words that say where a value comes from or how it is written. */
const MAX_SOURCE = 90;
/** The number of characters beyond a limit that a sentence may have. A cut would lose more than it saves. */
const SPARE = 15;

/**
 * Returns the words on an argument: its first clauses, and the one that says where a value comes from, or else how it is
 * written. Empty if they only repeat the name.
 * @param name the argument's name, and the names around it
 */
export function argumentWords(description: string, max: number, name: string): string {
  const sentences = ownSentences(description);
  const [first = ''] = sentences;
  const saysFormat = (one: string) => FORMAT.test(one) && one.length <= MAX_SOURCE;
  const source = sourceIn(sentences) || (sentences.find(saysFormat) ?? '');
  const start = clauses(first, FORMAT.test(first) ? MAX_SOURCE : first.length <= max + SPARE ? first.length : max);
  // Of an example in parentheses, the name says nothing.
  const isKnown = repeatsName(/e\.g|\bsuch as|['"\d]/.test(start) ? start : start.replace(/\s*\(.*?\)/g, ''), name);
  const own = isKnown || source.includes(start.replace(/\W+$/, '')) ? '' : start;
  return own.includes(source) ? own : [own, source].filter((words) => words !== '').join(' ');
}

/** Returns the clause that says where an argument's value comes from. Empty if there is none. */
export function sourceOf(description: string): string {
  return sourceIn(ownSentences(description));
}

function ownSentences(description: string): readonly string[] {
  return sentencesOf(description).map((sentence) => sentence.replace(WHOSE, ''));
}

/** Matches what an argument's description says on its default. */
const DEFAULT = /\bdefaults? to\s+([^.,;()\n]{1,41})|\bdefault(?:\s+value)?(?:\s+is|:|=)\s*([^.,;()\n]{1,41})/i;
/** Matches a default that one expects, or that only says how many there are. */
const EXPECTED = /^\W*(?:\d|false\b|null\b|none\b|nothing\b|empty\b|undefined\b|no\b)|\$\{|^\W*$/i;

/** Matches the unit in which a number is given, and the form of a date. */
const UNIT = /\bYYYY-MM-DD|\bin (?:cents|(?:milli)?seconds|minutes|hours|days|bytes|[KM]B|pixels|percent)\b/i;

/** Returns the unit of an argument, or the form of a date, such as `in cents`. May be empty. */
export function unitOf(description: string): string {
  return UNIT.exec(description.slice(0, MAX_READ))?.[0] ?? '';
}

/** Returns what is meant if an optional argument isn't given, unless one expects it: `default 'open'`. May be empty. */
export function defaultOf(description: string, declared?: unknown): string {
  const [, one, other] = DEFAULT.exec(description.slice(0, MAX_READ)) ?? [];
  const said =
    typeof declared === 'string' || declared === true ? JSON.stringify(declared) : (one ?? other ?? '').trim();
  return EXPECTED.test(said) || said.length > 40 ? '' : `default ${said}`;
}

/** Matches the blanks between clauses. */
const BETWEEN = /(?<=[,;:)])\s+|\s+(?=\()/;

function sourceIn(sentences: readonly string[]): string {
  const sentence = sentences.find((one) => SOURCE.test(one)) ?? '';
  if (sentence.length <= MAX_SOURCE) return sentence;
  const clause = sentence.split(BETWEEN).find((one) => SOURCE.test(one)) ?? '';
  return clauses(clause.replace(/[,;:]$/, ''), MAX_SOURCE);
}

/** Matches the places where a sentence can end early: not before the last item of a list. */
const BREAK = /[,;:](?=\s(?!and\b|or\b))|\s(?=[(–—-])/g;
/** Matches a parenthesis that a cut left open: what it still holds is shown if it is whole words. */
const OPEN = /\s*\(([^()]*)$/;
const WHOLE_WORDS = /^(?:e\.g\.,?\s+)?(?!e\.g)\w[^'"`[\]{}]{3,}$/;

/** Returns the clauses of a sentence that fit, or else its first words with an ellipsis. */
export function clauses(sentence: string, max: number): string {
  if (sentence.length <= max) return sentence;
  const start = sentence.slice(0, max - 1);
  const end = [...start.matchAll(BREAK)].map(({ index }) => index).findLast((at) => at >= max / 2);
  const kept = end === undefined ? `${start.replace(/[\s([]*\S*$/, '') || start}…` : start.slice(0, end);
  const open = OPEN.exec(kept);
  if (!open) return kept;
  return WHOLE_WORDS.test(open[1] ?? '') ? `${kept})` : kept.slice(0, open.index);
}

/** Matches what data and the names of arguments and other tools have. */
const NO_PROSE = /[{}_]|:\/\//;
/** The minimum number of characters of a clause without what comes before it. */
const MIN_CLAUSE = 25;

/** Returns the first clause that is accepted, with what comes before it in its sentence if that fits. May be empty. */
export function clauseWith(has: (text: string) => boolean, description: string, max: number): string {
  const sentence =
    sentencesOf(description)
      .find((one) => has(one) && !NO_PROSE.test(one))
      ?.replace(MARKS, '') ?? '';
  if (sentence.length <= max + SPARE) return sentence;
  const parts = sentence.split(BETWEEN);
  const at = parts.findIndex(has);
  const start = parts.slice(0, at + 1).join(' ');
  const [own = ''] = parts.slice(at);
  const clause = clauses((start.length <= max + SPARE ? start : `… ${own}`).replace(/[,;:]$/, ''), max + SPARE);
  return clause.length >= MIN_CLAUSE && has(clause) ? clause : '';
}

/** Matches the heading of a part that says what the tool does. */
const PURPOSE = /(?:^|[\n.!?]\s*|[#*>]\s*)(?:purpose|summary|overview|description|what it does)\W*(?:\s|$)/i;
/** Matches the heading of a part that says something else, up to its colon or the end of its line. */
const OTHER =
  /(?:^|[\n.!?]\s*|[#*>]\s*|\p{Extended_Pictographic}\ufe0f?\s*)(?:guardrails?|errors?(?: (?:responses?|codes?|handling))?|args|arguments|param(?:eter)?s|inputs?|outputs?|returns?|responses?|examples?|usage|when (?:not )?to use(?: this tool)?|notes?|tips?|important|warnings?|prerequisites|limitations|requirements|instructions)\s*\**(?::|\n)/iu;
/** Matches marks in front of a line: those of headings and lists, numbers, emoji, tags. */
const MARKS =
  /(?<=^|\n|[.!?:]\s)\s*(?:[#>*•-]+\s+|\d{1,2}[.)]\s+|<\/?\w+>\s*|\p{Extended_Pictographic}\ufe0f?\s*|(?:tip|note|important|critical)s?:\s+)+/giu;

/** Matches the words that name the tool which a value comes from. */
const FROM_TOOL = /\bfrom [`'"]?[a-z]+[_-][a-z]/i;
/** Matches a sentence that says what a call has to have. */
const NEEDED = /\bmust\b|\brequired\b(?! (?!body)[a-z])/i;

/**
 * Returns the first sentence that says what a call has to have of these arguments, or else where it gets the value of a
 * required one, which it or the sentence before names. Empty if it is shown, or if there is none.
 */
export function neededWords(
  description: string,
  shown: string,
  names: ReadonlySet<string>,
  required: ReadonlySet<string>,
): string {
  const sentences = sentencesOf(description);
  const hasOneOf = (sentence: string, wanted: ReadonlySet<string>) =>
    (sentence.match(/[\w-]+/g) ?? []).some((word) => [word, ...word.split('-')].some((it) => wanted.has(it)));
  const isSource = (one: string, at: number) =>
    FROM_TOOL.test(one) && [one, sentences[at - 1] ?? ''].some((it) => hasOneOf(it, required));
  const isNew = (one: string) => !shown.includes(one);
  const sentence =
    sentences.find((one) => NEEDED.test(one) && hasOneOf(one, names) && isNew(one)) ??
    sentences.find((one, at) => isSource(one, at) && isNew(one));
  return (sentence ?? '').replace(MARKS, '');
}

/** The share of the room that several sentences may take. The second one is seldom worth a long line. */
const SEVERAL = 0.6;

/**
 * Returns what a tool does: the first sentence of its description, and further ones if all are short, without headings,
 * lists and emoji. A part under a heading such as "Purpose" comes first, and parts under other headings are left out.
 * That a tool is deprecated is never left out.
 */
export function whatItDoes(description: string, max: number): string {
  const text = description.slice(0, MAX_READ);
  const purpose = PURPOSE.exec(text);
  const from = purpose ? text.slice(purpose.index + purpose[0].length) : text;
  const other = OTHER.exec(from);
  const before = other ? from.slice(0, other.index + (/^[.!?]/.exec(other[0])?.[0].length ?? 0)) : from;
  // A description that begins with such a heading has nothing else to show.
  const part = /\p{L}/u.test(before) ? before : from.slice((other?.index ?? 0) + (other?.[0].length ?? 0));
  const [first = '', ...others] = sentencesOf(part.replace(/\*\*|__/g, '').replace(MARKS, ' '));
  let taken = clauses(first, max);
  for (const next of others) {
    if (taken.length + 1 + next.length > max * SEVERAL) break;
    taken += ` ${next}`;
  }
  const deprecated = deprecationIn(text);
  return deprecated === undefined || taken.includes(deprecated) ? taken : `${taken} ${clauses(deprecated, max)}`;
}
