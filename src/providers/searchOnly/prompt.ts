import { isObject, parseJson } from '../../core/util/objects';

/** The parts of a prompt: words to search for, and values that could be arguments. */
export interface ParsedPrompt {
  /** The prompt without JSON and `name=value` pairs; the whole prompt if nothing remains. */
  readonly words: string;
  /** The values of a JSON object and of `name=value` pairs. */
  readonly named: { readonly [name: string]: unknown };
  readonly strings: readonly string[];
  /** Numbers that aren't part of a word or a pair. */
  readonly numbers: readonly number[];
}

const PAIR = /(^|\s)([A-Za-z_][\w.-]*)=("(?:[^"\\]|\\.)*"|'[^']*'|\S+)/g;
const QUOTED = /"([^"]*)"|“([^“”]*)”|'([^']*)'(?=\s|$)/g;
const NUMBER = /(?:^|\s)(-?\d+(?:\.\d+)?)(?=[\s,;?!]|\.?$)/g;

/** Finds JSON, `name=value` pairs and single values in a prompt. */
export function parsePrompt(prompt: string): ParsedPrompt {
  const named: { [name: string]: unknown } = {};
  let rest = prompt;
  const start = rest.indexOf('{');
  const end = rest.lastIndexOf('}');
  if (start >= 0 && end > start) {
    const json = parseJson(rest.slice(start, end + 1));
    if (isObject(json)) {
      Object.assign(named, json);
      rest = `${rest.slice(0, start)} ${rest.slice(end + 1)}`;
    }
  }
  rest = rest.replace(PAIR, (_, before: string, name: string, value: string) => {
    named[name] = parseValue(value);
    return before;
  });
  const strings = [...rest.matchAll(QUOTED)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  const numbers = [...rest.replace(QUOTED, ' ').matchAll(NUMBER)].map((match) => Number(match[1]));
  const words = rest.replace(/\s+/g, ' ').trim();
  return { words: words || prompt.trim(), named, strings, numbers };
}

function parseValue(text: string): unknown {
  const quote = text[0];
  if (quote === "'" && text.endsWith("'") && text.length > 1) return text.slice(1, -1);
  const json = parseJson(text);
  return json === undefined ? text : json;
}
