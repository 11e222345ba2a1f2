import type { ToolRun } from '../../core/ports';

const MAY_HAVE_FAILED =
  '[This may have failed: the tool has returned structured data before, and this is text alone. Read it before you call again.]';

/**
 * Recognises failures that VS Code hands on as if they were results, since it drops `isError`. A tool with an output schema
 * must return structured content unless it fails, so a lone text from a tool that has returned structured content is a
 * failure. The text stays, since that is a guess.
 */
export class StructuredTools {
  /** Ids of the tools that have returned structured content in this window. */
  readonly #ids = new Set<string>();

  check(id: string, run: ToolRun): ToolRun {
    if (run.structured !== undefined) this.#ids.add(id);
    const isDoubtful =
      run.outcome === 'ok' &&
      run.structured === undefined &&
      this.#ids.has(id) &&
      run.parts.every(({ type }) => type === 'text');
    return isDoubtful ? { outcome: 'failed', parts: [{ type: 'text', text: MAY_HAVE_FAILED }, ...run.parts] } : run;
  }
}
