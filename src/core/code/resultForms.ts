// Converts the result of a tool call into the forms that scripts and models get.

import { resultText } from '../conversation/resultText';
import type { ToolRun } from '../ports';
import { cut } from '../util/cut';
import { isObject, parseJson } from '../util/objects';
import { sameJson } from '../util/sameJson';
import type { ScriptAnswer } from './sandboxPort';

/** The maximum number of characters of an error's message that a script gets. */
const MAX_ERROR = 4_000;

/**
 * Returns the value that a script gets from a successful call: the structured content if there is any; otherwise the
 * parsed JSON, if the result is one text part that starts like a JSON object or list; otherwise the text. VS Code
 * passes structured content on as a JSON text, so a script gets the same value from VS Code and from our own client.
 */
export function scriptValue(run: ToolRun): Extract<ScriptAnswer, { readonly text: string }> {
  if (run.structured !== undefined) return { kind: 'json', text: JSON.stringify(run.structured) };
  const [only] = run.parts;
  const text = resultText(run);
  const first = text.trimStart()[0];
  // The sandbox checks whether the whole text is JSON, since it may have megabytes.
  return {
    kind: run.parts.length === 1 && only?.type === 'text' && (first === '{' || first === '[') ? 'either' : 'text',
    text,
  };
}

/**
 * Returns the result as plain text, for `.text()`. Some servers wrap a text in an object in order to have a schema
 * (`{"content": "…"}`). If the structured content is an object with a single string, that string is the text.
 */
export function plainText(run: ToolRun): string {
  const { structured } = run;
  // Structured content replaces the texts, both in VS Code and in our own client.
  return wrappedText(run) ?? (structured === undefined ? resultText(run) : JSON.stringify(structured));
}

/**
 * Returns the result as a model reads it: a wrapped text without its wrapper, and everything else as the server sent
 * it.
 */
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

/** Returns the error that a script gets for a failed call, with the message that a model would read. */
export function errorOf(run: ToolRun, tool: string): ScriptAnswer {
  const outcome = run.outcome === 'refused' ? 'refused' : 'failed';
  return { kind: 'error', message: cut(resultText(run), MAX_ERROR), tool, outcome };
}
