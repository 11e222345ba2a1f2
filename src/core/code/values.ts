import { resultText } from '../conversation/resultText';
import type { ToolRun } from '../ports';
import { isObject, parseJson } from '../util/objects';
import { sameJson } from '../util/sameJson';
import type { ScriptAnswer } from './sandboxPort';

/** Characters of an error's message that a script gets. */
const MAX_ERROR = 4_000;

/**
 * The value that a script gets of a successful call: structured content if there is any; otherwise the JSON of the
 * one text part if it is an object or a list; otherwise the text. VS Code hands on structured content as such a
 * text, so both hosts give the same value.
 */
export function scriptValue(run: ToolRun): Extract<ScriptAnswer, { readonly text: string }> {
  if (run.structured !== undefined) return { kind: 'json', text: JSON.stringify(run.structured) };
  const [only] = run.parts;
  const text = resultText(run);
  const first = text.trimStart()[0];
  // The sandbox finds out whether it is JSON to its end: it may have megabytes.
  return {
    kind: run.parts.length === 1 && only?.type === 'text' && (first === '{' || first === '[') ? 'either' : 'text',
    text,
  };
}

/**
 * The result as plain text, for `.text()`. Servers wrap a text in an object to have a schema (`{"content": "…"}`):
 * if the structured content is an object with one string and nothing else, that string is the text.
 */
export function plainText(run: ToolRun): string {
  const { structured } = run;
  // VS Code hands on structured content in place of the texts, and our own client does the same here.
  return wrappedText(run) ?? (structured === undefined ? resultText(run) : JSON.stringify(structured));
}

/** The result as a model reads it: a wrapped text without its wrapper, and everything else as the server sent it. */
export function partsForModel(run: ToolRun): ToolRun['parts'] {
  const text = wrappedText(run);
  const json = JSON.stringify(run.structured);
  const repeats = (part: string) => part === text || part === json || sameJson(parseJson(part), run.structured);
  if (text === undefined || !run.parts.every((part) => part.type === 'text' && repeats(part.text))) return run.parts;
  return [{ type: 'text', text }];
}

function wrappedText({ structured }: ToolRun): string | undefined {
  const values = isObject(structured) ? Object.values(structured) : [];
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined;
}

/** The error that a script gets of a failed call, in the words that a model would read. */
export function errorOf(run: ToolRun, tool: string): ScriptAnswer {
  const text = resultText(run);
  return {
    kind: 'error',
    message: text.length > MAX_ERROR ? `${text.slice(0, MAX_ERROR)}…` : text,
    tool,
    outcome: run.outcome === 'refused' ? 'refused' : 'failed',
  };
}
