import { resultText } from '../conversation/resultText';
import type { ToolRun } from '../ports';
import type { ScriptAnswer } from './sandboxPort';

/** Characters of an error's words that a script gets. */
const MAX_ERROR = 4_000;

/**
 * What a script gets of a call that went well: structured content where there is one, else the JSON of the one text part where
 * it is an object or a list, else the text. VS Code gives structured content as such a text, so both hosts give the same.
 */
export function scriptValue(run: ToolRun): Extract<ScriptAnswer, { readonly text: string }> {
  if (run.structured !== undefined) return { kind: 'json', text: JSON.stringify(run.structured) };
  const [only] = run.parts;
  const text = resultText(run);
  const first = text.trimStart()[0];
  // Whether it is JSON to its end the sandbox finds out: it may have megabytes.
  return {
    kind: run.parts.length === 1 && only?.type === 'text' && (first === '{' || first === '[') ? 'either' : 'text',
    text,
  };
}

/** Of a call that didn't: what a model is told. */
export function errorOf(run: ToolRun, tool: string): ScriptAnswer {
  const text = resultText(run);
  return {
    kind: 'error',
    message: text.length > MAX_ERROR ? `${text.slice(0, MAX_ERROR)}…` : text,
    tool,
    outcome: run.outcome === 'refused' ? 'refused' : 'failed',
  };
}
