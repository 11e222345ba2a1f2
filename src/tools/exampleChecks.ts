// Checks examples against the schemas of their tools, in the background. The validator is large and is loaded for the
// first example.

import type { JsonSchema, ToolExample, UnnamedTool } from '../core/catalog/tool';
import { sameJson } from '../core/util/sameJson';
import { createArgumentCheck } from './arguments/validateArguments';

/** Whether an example fits its tool. `misfit` is the path of a wrong argument and the error. */
type ExampleVerdict = 'fits' | 'unchecked' | { readonly misfit: string };

/** The verdicts on a tool's examples, by the JSON of their arguments. They are valid for this schema only. */
interface Judged {
  readonly schema: JsonSchema;
  readonly verdicts: Map<string, ExampleVerdict>;
}

/** Checks the examples of all tools against their schemas and keeps the verdicts. */
export class ExampleChecks {
  readonly #check = createArgumentCheck(() => {});
  readonly #judged = new Map<string, Judged>();
  readonly #waiting: (() => Promise<void>)[] = [];

  /** Returns the verdict on an example. If there is none yet, {@link settle} checks the example. */
  readonly verdictOn = (tool: UnnamedTool, { args }: ToolExample): ExampleVerdict => {
    const known = this.#judged.get(tool.id);
    const isKnown = known && sameJson(known.schema, tool.inputSchema);
    const judged: Judged = isKnown ? known : { schema: tool.inputSchema, verdicts: new Map() };
    this.#judged.set(tool.id, judged);
    const key = JSON.stringify(args);
    const verdict = judged.verdicts.get(key);
    if (verdict) return verdict;
    judged.verdicts.set(key, 'unchecked');
    this.#waiting.push(async () => {
      const [misfit] = await this.#check({ ...tool, modelName: tool.name }, args);
      judged.verdicts.set(key, misfit === undefined ? 'fits' : { misfit });
    });
    return 'unchecked';
  };

  /** Whether some examples haven't been checked yet. */
  get waits(): boolean {
    return this.#waiting.length > 0;
  }

  /** Checks all examples that haven't been checked yet. */
  async settle(): Promise<void> {
    for (let judge = this.#waiting.shift(); judge; judge = this.#waiting.shift()) await judge();
  }
}
