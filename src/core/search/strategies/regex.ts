import type { Tool } from '../../catalog/tool';
import { messageOf } from '../../util/messageOf';
import { re2 } from '../../util/re2';
import { searchedFields } from '../fields/fields';
import { compareTools } from '../rank/orderHits';
import { wordsOf } from '../text/words';
import type { SearchError, SearchHit } from '../types';
import { type IndexView, mentioned, type StrategyRequest, type StrategyResult, toolsAt } from './strategy';

/** The maximum length of a pattern, in characters. Anthropic's own regex tool search has the same limit. */
export const MAX_PATTERN_LENGTH = 200;

/** Whether a text contains a match. */
type TextMatcher = (text: string) => boolean;

/**
 * Compiles a pattern that a model wrote for Python's `re.search`, ignoring case. RE2's engine takes time linear in the
 * text, so that no pattern can block the host. It has no look-around and no back-references.
 */
export function compilePattern(pattern: string): TextMatcher | SearchError {
  if (pattern.length > MAX_PATTERN_LENGTH)
    return {
      code: 'pattern_too_long',
      message: `The pattern has ${pattern.length} characters; the limit is ${MAX_PATTERN_LENGTH}. Write a shorter one, such as the one or two words that a tool's name should contain, joined by ".*".`,
    };
  const unsupported = UNSUPPORTED.find(({ sign }) => sign.test(withoutEscapesAndClasses(pattern)));
  if (unsupported)
    return { code: 'unsupported_pattern', message: `${unsupported.what} not supported. ${unsupported.instead}` };
  try {
    // Python's \Z is \z in RE2.
    const compiled = re2().compile(
      pattern.replace(/\\(.)/gs, (all, char) => (char === 'Z' ? '\\z' : all)),
      re2().CASE_INSENSITIVE,
    );
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    const reason = messageOf(error)
      .replace(/^error parsing regexp: /, '')
      .replaceAll('(?i)', '');
    return {
      code: 'invalid_pattern',
      message: `The pattern is not a valid regular expression: ${reason}. Escape special characters with a backslash, or write plain words joined by "|" or ".*", such as "create.*issue".`,
    };
  }
}

/** Features that a linear-time engine can't support. Escapes and classes are blanked before their signs are sought. */
const UNSUPPORTED: readonly { readonly sign: RegExp; readonly what: string; readonly instead: string }[] = [
  {
    sign: /\(\?<?[=!]/,
    what: 'Look-ahead and look-behind are',
    instead:
      'Write what the text should contain, such as "get_.*user", and ignore unwanted results, or list alternatives with "|".',
  },
  {
    sign: /\\[1-9]|\(\?P=/,
    what: 'Back-references are',
    instead: 'Write the repeated part out, such as "list.*list".',
  },
  { sign: /\(\?\(/, what: 'Conditional groups are', instead: 'List both alternatives with "|".' },
  {
    sign: /\(\?>|[*+?}]\+/,
    what: 'Atomic groups and possessive quantifiers are',
    instead: 'Use "(?:…)", "*", "+" or "?" instead.',
  },
  {
    sign: /\(\?#|\(\?[a-zA-Z]*x/,
    what: 'Comments and the verbose flag are',
    instead: 'Leave comments and spaces out.',
  },
];

/** Replaces escapes (except numbers) and classes, in which signs have no special meaning, with as many blanks. */
function withoutEscapesAndClasses(pattern: string): string {
  return pattern.replace(/\\[^1-9]|\[\^?\]?(?:\\.|[^\]\\])*\]/gs, (part) => ' '.repeat(part.length));
}

/** The maximum time for one pattern, in milliseconds. A large catalog can take long even in linear time. */
const TIME_LIMIT_MS = 1_000;

/** The weight of a match, by field: a name says more than a description, and a description more than an argument. */
const FIELD_WORTH = { name: 4, server: 3, title: 3, description: 2, argument: 1 } as const;

/** Returns the weight of the best field that matches, or 0. Each is matched by itself, for the sake of `^` and `$`. */
function worthOf(matches: TextMatcher, tool: Tool): number {
  const fields = searchedFields(tool);
  if ([fields.name, tool.id, tool.modelName].some(matches)) return FIELD_WORTH.name;
  if (matches(fields.server)) return FIELD_WORTH.server;
  if (matches(fields.title)) return FIELD_WORTH.title;
  if (matches(fields.description)) return FIELD_WORTH.description;
  const rest = [...fields.argumentNames, ...fields.argumentTexts, ...fields.values, ...fields.examples];
  return rest.some(matches) ? FIELD_WORTH.argument : 0;
}

/** The strategy `regex`: matches a Python pattern with every field, one tool in each step. */
export function* regex(
  view: IndexView,
  { request, accept }: StrategyRequest,
): Generator<void, StrategyResult | SearchError> {
  const matches = compilePattern(request.query);
  if ('code' in matches) return matches;
  const named = new Set(toolsAt(view, mentioned(view, request.query).flat()));
  const hits: SearchHit[] = [];
  let worked = 0;
  for (const tool of toolsAt(view, view.slots().filter(accept))) {
    const since = performance.now();
    const score = worthOf(matches, tool);
    worked += performance.now() - since;
    if (score > 0) hits.push({ tool, score, matchType: named.has(tool) ? 'exact_name' : 'regex', terms: [] });
    if (worked > TIME_LIMIT_MS)
      return {
        code: 'unsupported_pattern',
        message: `The pattern takes more than ${TIME_LIMIT_MS} ms. Write a simpler one, without large repetitions.`,
      };
    yield;
  }
  hits.sort((a, b) => b.score - a.score || compareTools(a.tool, b.tool));
  return { hits, matched: hits.length, ...(hits.length === 0 ? blanks(request.query) : {}) };
}

/** Returns a hint if a pattern has blanks. Names have none, so a phrase finds nothing, and the model must know why. */
function blanks(pattern: string): Pick<StrategyResult, 'hint'> {
  const words = wordsOf(pattern);
  if (!/\s/.test(pattern.trim()) || words.length < 2) return {};
  return {
    hint: `A blank in a pattern stands for itself: write "${words.join('.*')}", or "${words.join('|')}" for any of the words.`,
  };
}
