import { resultText } from '../../core/conversation/resultText';
import { type ToolRun, toolMessage } from '../../core/ports';
import { isObject, parseJson } from '../../core/util/objects';

const MAY_HAVE_FAILED = '[Probably an error: this tool returned structured data before, and now text alone.]';

/**
 * Creates a check for failures of MCP tools, since VS Code drops `isError`. A tool with an output schema must return
 * structured content unless it fails. If such content came before and now only text comes, the call is marked as
 * failed. The text is kept, since this is a guess. VS Code doesn't say what was structured: JSON in a text isn't an error
 * for certain, and an object with a field `error` may be one.
 */
export function createStructuredCheck(): (id: string, run: ToolRun) => ToolRun {
  const ids = new Set<string>();
  return (id, run) => {
    const { outcome, parts, structured } = run;
    if (structured !== undefined) {
      if (!isObject(structured) || !('error' in structured)) ids.add(id);
    } else if (
      outcome === 'ok' &&
      ids.has(id) &&
      parts.every(({ type }) => type === 'text') &&
      parseJson(resultText(run)) === undefined
    ) {
      const failed = toolMessage('failed', MAY_HAVE_FAILED);
      return { ...failed, parts: [...failed.parts, ...parts] };
    }
    return run;
  };
}
