import { parsePrompt } from './script.mjs';
import { words } from './search.mjs';

/**
 * The code that the stand-ins' "model" writes. The prompt `code: get-sum a=1 b=2 & echo message=x; now city=Rome` is
 * code that makes the first two calls at once, awaits them, makes the third and prints all results, one a line.
 */
const CODE = /^\s*code:\s*(.*)$/s;
const MARKER = /\[\[[^\]]*\]\]/g;

/**
 * The groups of calls that a prompt asks code to make, each call as `{words, named}`; undefined if the prompt asks for
 * no code.
 */
export function codeOf(prompt) {
  const [, text] = CODE.exec(prompt.replace(MARKER, ' ')) ?? [];
  return text?.split(';').map((group) => group.split('&').map((call) => parsePrompt(call)));
}

/**
 * The calls of code to the available tools that code may call: groups of `{name, input}`, or the words of a missing
 * tool.
 */
export function callsOf(groups, callable) {
  const find = (call) => callable.find((tool) => words(tool.name).join(' ').endsWith(words(call.words).join(' ')));
  const missing = groups.flat().find((call) => !find(call));
  if (missing) return { missing: missing.words };
  return { calls: groups.map((group) => group.map((call) => ({ name: find(call).name, input: call.named }))) };
}
