import type { Tool } from '../catalog/tool';
import { re2 } from '../text/re2';
import { searchedFields } from './fields';
import { type Asked, type Found, mentioned, type Shelf, sorted, toolsAt } from './strategy';
import type { SearchError, SearchHit } from './types';

/** Longest pattern, in characters: the limit of Anthropic's own regex tool search. */
export const MAX_PATTERN_LENGTH = 200;

/** Tells whether a text holds a match anywhere in it. */
export type Matcher = (text: string) => boolean;

/**
 * Compiles a pattern that a model wrote for Python's `re.search`. RE2's engine takes time linear in the text, so that no
 * pattern can hang the host; the price is no look-around and no back-references. Always ignores case.
 */
export function compilePattern(
  pattern: string,
): { readonly ok: true; readonly matches: Matcher } | { readonly ok: false; readonly error: SearchError } {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return failed(
      'pattern_too_long',
      `The pattern has ${pattern.length} characters; the limit is ${MAX_PATTERN_LENGTH}. Write a shorter one, such as the one or two words that a tool's name should contain, joined by ".*".`,
    );
  }
  const unsupported = UNSUPPORTED.find(({ sign }) => sign.test(withoutEscapesAndClasses(pattern)));
  if (unsupported) return failed('unsupported_pattern', `${unsupported.what} not supported. ${unsupported.instead}`);
  try {
    // Python's \Z is RE2's \z.
    const compiled = re2().compile(
      pattern.replace(/\\(.)/gs, (all, char) => (char === 'Z' ? '\\z' : all)),
      re2().CASE_INSENSITIVE,
    );
    return { ok: true, matches: (text) => compiled.matcher(text).find() };
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, '').replaceAll('(?i)', '');
    return failed(
      'invalid_pattern',
      `The pattern is not a valid regular expression: ${reason}. Escape special characters with a backslash, or write plain words joined by "|" or ".*", such as "create.*issue".`,
    );
  }
}

function failed(code: SearchError['code'], message: string) {
  return { ok: false, error: { code, message } } as const;
}

/** What Python has and a linear-time engine can't have; looked for where escapes and classes are blanked. */
const UNSUPPORTED: readonly { readonly sign: RegExp; readonly what: string; readonly instead: string }[] = [
  {
    sign: /\(\?<?[=!]/,
    what: 'Look-ahead and look-behind are',
    instead: 'Write what the text should contain, such as "get_.*user", and ignore unwanted results, or list alternatives with "|".',
  },
  { sign: /\\[1-9]|\(\?P=/, what: 'Back-references are', instead: 'Write the repeated part out, such as "list.*list".' },
  { sign: /\(\?\(/, what: 'Conditional groups are', instead: 'List both alternatives with "|".' },
  { sign: /\(\?>|[*+?}]\+/, what: 'Atomic groups and possessive quantifiers are', instead: 'Use "(?:…)", "*", "+" or "?" instead.' },
  { sign: /\(\?#|\(\?[a-zA-Z]*x/, what: 'Comments and the verbose flag are', instead: 'Leave comments and spaces out.' },
];

/** Keeps the length but blanks escaped characters (but numbers) and the inside of classes, where signs have no meaning. */
function withoutEscapesAndClasses(pattern: string): string {
  return pattern.replace(/\\[^1-9]|\[\^?\]?(?:\\.|[^\]\\])*\]/gs, (part) => ' '.repeat(part.length));
}

/** Longest that one pattern may keep the host busy, in milliseconds. Linear time over a large catalog can still be long. */
const TIME_LIMIT_MS = 1_000;

/** What a match in a field is worth: a name says more than a description, a description more than an argument. */
const FIELD_WORTH = { name: 4, server: 3, title: 3, description: 2, argument: 1 } as const;

/**
 * The tools with a field that matches, by position, with the worth of the best such field. Each field is searched by
 * itself, so that `^` and `$` mean its start and end.
 */
export function matchTools(matches: Matcher, tools: readonly Tool[]): Map<number, number> | SearchError {
  const found = new Map<number, number>();
  const deadline = performance.now() + TIME_LIMIT_MS;
  for (const [i, tool] of tools.entries()) {
    if (performance.now() > deadline) {
      return failed(
        'unsupported_pattern',
        `The pattern takes more than ${TIME_LIMIT_MS} ms. Write a simpler one, without large repetitions.`,
      ).error;
    }
    const fields = searchedFields(tool);
    const worth =
      matches(fields.name) || matches(tool.id)
        ? FIELD_WORTH.name
        : matches(fields.server)
          ? FIELD_WORTH.server
          : matches(fields.title)
            ? FIELD_WORTH.title
            : matches(fields.description)
              ? FIELD_WORTH.description
              : [...fields.argumentNames, ...fields.argumentTexts, ...fields.values, ...fields.examples].some(matches)
                ? FIELD_WORTH.argument
                : 0;
    if (worth > 0) found.set(i, worth);
  }
  return found;
}

/** A regular expression over every field. */
export function regex(shelf: Shelf, { request, accept }: Asked): Found | SearchError {
  const pattern = compilePattern(request.query);
  if (!pattern.ok) return pattern.error;
  const slots = sorted(shelf, shelf.slots().filter(accept));
  const tools = toolsAt(shelf, slots);
  const matches = matchTools(pattern.matches, tools);
  if ('code' in matches) return matches;
  const named = new Set(mentioned(shelf, request.query).flat());
  const hits = [...matches]
    .sort(([a, x], [b, y]) => y - x || a - b)
    .map(
      ([i, score]): SearchHit => ({
        tool: tools[i] as Tool,
        score,
        matchType: named.has(slots[i] as number) ? 'exact_name' : 'regex',
        terms: [],
      }),
    );
  return { hits, matched: hits.length };
}
