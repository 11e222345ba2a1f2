// Names the mistakes of a script that raise no error.

import { squash } from '../search/text/words';
import { cut } from '../util/cut';
import { oneLine } from '../util/plainText';
import type { ScriptRun } from './runScript';
import type { NamedCounts, SandboxEnd } from './sandboxPort';

/** The maximum number of characters of a name. */
const MAX_NAME = 80;
/** The maximum number of results whose types are listed. */
const MAX_TYPES = 6;
const IN_TEXT = `"undefined" in the text is a field that isn't there.`;

/** Names the mistakes that raised no error. After the error of a call, that error is enough. */
export function silentFaults({ end, returned, hasUndefined, failure }: ScriptRun, code: string): string[] {
  if (end.kind === 'stopped' || (end.kind === 'threw' && end.tool !== undefined)) return [];
  const texts = end.kind === 'threw' || end.value.type === 'nothing' ? end.logs : [...end.logs, end.value.text];
  const isInText = !hasUndefined && !code.includes('undefined') && texts.some((text) => text.includes('undefined'));
  const named = Object.entries(end.faults?.missing ?? {}).filter(([name]) => !isExpected(name, code));
  const missing = counted(Object.fromEntries(named));
  const fields = missing !== '' ? `Undefined: ${missing}.` : isInText ? IN_TEXT : '';
  const [open, unheard] = [counted(end.faults?.open), counted(end.faults?.unheard)];
  return [
    ...(fields === '' ? [] : [`${fields}${onResults(returned)}`]),
    ...(open === '' || end.kind === 'threw'
      ? []
      : [`Ended after the script: ${open}. Await what calls it: Promise.all(list.map(…)) or for … of, not forEach.`]),
    ...(unheard === '' ? [] : [`Not awaited: ${unheard}. ${howToAwait(code, returned, end.faults?.unheard)}`]),
    ...(failure === undefined || end.unawaited.length > 0 || says(texts, end, failure.message)
      ? []
      : [`Had failed: ${cut(toolAndMessage(failure), 300)}`]),
  ];
}

/** Matches the start of a call that returns a promise. */
const CALL = /\b(?:tools\.(\w+)(?:\.(?:text|parts))?|results\.get|search|describe)\(/g;
/** Matches what a script reads of a call. A promise has the excepted functions. */
const READ = /^(?:\s*\??\.(?!(?:then|catch|finally)\b)(\w+)(\()?|\[)/;
/** The maximum number of characters in which the end of a call is looked for, and of arguments that are repeated. */
const MAX_ARGS = 2_000;
const MAX_SHOWN_ARGS = 24;

/** Matches a bracket around what follows, but not that of a call. */
const BRACKET = /(?:^|[^\w$\])])\($/;

/** Says how to await the calls of these names. An await before `call(…).field` awaits the field. */
function howToAwait(code: string, returned: ScriptRun['returned'], names: NamedCounts = {}): string {
  for (const { 0: start, 1: tool = start.slice(0, -1), index } of code.matchAll(CALL)) {
    if (!Object.hasOwn(names, tool)) continue;
    const rest = code.slice(index + start.length, index + start.length + MAX_ARGS);
    const args = rest.slice(0, closing(rest));
    const call = `await ${start}${args.length > MAX_SHOWN_ARGS ? '…' : args})`;
    const after = rest.slice(args.length + 1);
    const read = BRACKET.test(code.slice(0, index)) && after.startsWith(')') ? after.slice(1) : after;
    const [, field] = READ.exec(read) ?? [];
    if (field !== undefined && !(field in []) && returned.get(tool)?.endsWith('[]'))
      return `Write ${call}: it is a list.`;
    const written = awaitedFirst(call, read);
    if (written !== call) return `Write ${written}.`;
  }
  return 'Put await before the call, or await Promise.all(calls).';
}

/** Returns the index of the bracket that closes the one before a text. */
function closing(text: string): number {
  let depth = 1;
  for (const { 0: bracket, index } of text.matchAll(/[()]/g)) {
    depth += bracket === '(' ? 1 : -1;
    if (depth === 0) return index;
  }
  return text.length;
}

/** Returns an awaited call with what a script reads of it: `(await call()).field`. */
export function awaitedFirst(call: string, rest: string): string {
  const [read, field, bracket = ''] = READ.exec(rest) ?? [];
  if (read === undefined) return call;
  return `(${call})${field === undefined ? '[…]' : `.${field}${bracket && '(…)'}`}`;
}

/** Matches what is a condition: the part of a script between two of the signs that end one. */
const CONDITION = /\b(?:if|while)\s*\(|&&|!|(?<!\?)\?(?![.?])/;
/** Matches what follows a name if something of it is read or called. */
const READ_OF = /^(?:\?\.|[.[(])/;

/** Whether a script reckons with a field that isn't there: it is an annotation of OData, or is read in a condition. */
function isExpected(name: string, code: string): boolean {
  const parts = code.split(/[,;{}\n]/).map((text) => {
    const names = [...text.matchAll(/\w+/g)];
    return {
      text,
      words: names.flatMap(({ 0: one, index }) => (READ_OF.test(text.slice(index + one.length)) ? [] : one)),
    };
  });
  const own = parts.filter(({ words }) => words.includes(name));
  const fields = new Set([name, ...own.map(({ words }) => words.at(-1) ?? '')]);
  return (
    [name, ...own.map(({ text }) => text)].some((text) => text.includes('@odata.')) ||
    parts.some(({ text, words }) => CONDITION.test(text) && words.some((word) => fields.has(word)))
  );
}

/** Whether a script's output or error has the first line of a message, perhaps as JSON. */
function says(texts: readonly string[], end: SandboxEnd, message: string): boolean {
  const said = [...texts, end.kind === 'threw' ? end.message : ''].join(' ');
  return squash(said).includes(squash(message.split('\n', 1).join()));
}

/** Returns the message of a failed call, with the tool's name if the message doesn't have it. */
export function toolAndMessage({ tool, message }: { readonly tool?: string; readonly message: string }): string {
  return tool === undefined || message.includes(tool) ? message : [tool, message].filter((it) => it !== '').join(': ');
}

/** Returns names with their numbers: `a ×2, b`. */
export function counted(times: NamedCounts = {}): string {
  return Object.entries(times)
    .map(([name, n]) => `${cut(oneLine(name), MAX_NAME)}${n > 1 ? ` ×${n}` : ''}`)
    .join(', ');
}

/** Lists the types of the results, for a script that read one wrongly. */
export function onResults(returned: ScriptRun['returned']): string {
  const types = [...returned].slice(0, MAX_TYPES).map(([name, type]) => `${name} => ${type}`);
  return types.length === 0 ? '' : ` Results were: ${types.join(', ')}.`;
}
