// Checks examples against the schemas of their tools. It runs in the background: the validator is large, and is loaded
// when the first example needs it.

import type { JsonSchema, ToolExample, UnnamedTool } from '../core/catalog/tool';
import { sameJson } from '../core/util/sameJson';
import { yieldToEventLoop } from '../core/util/yieldToEventLoop';
import { firstError } from './arguments/argumentErrors';
import { createArgumentCheck } from './arguments/validateArguments';

/** Whether an example fits its tool; `misfit` names the path of an argument and its error. */
type ExampleVerdict = 'fits' | 'unchecked' | { readonly misfit: string };

/** Returns the verdict on an example of a tool. */
export type JudgeExample = (tool: UnnamedTool, example: ToolExample) => ExampleVerdict;

/** The verdicts on a tool's examples, by the JSON of their arguments. They hold as long as its schema does. */
interface Judged {
  readonly schema: JsonSchema;
  readonly verdicts: Map<string, ExampleVerdict>;
}

/** The verdicts on all examples of a catalog. */
export class ExampleChecks {
  readonly #check = createArgumentCheck(() => {}, yieldToEventLoop, firstError);
  readonly #judged = new Map<string, Judged>();
  readonly #waiting: (() => Promise<void>)[] = [];

  /** Returns a known verdict. An example without one is judged by {@link settle}. */
  readonly verdictOn: JudgeExample = (tool, { args }) => {
    const known = this.#judged.get(tool.id);
    const judged = known && sameJson(known.schema, tool.inputSchema) ? known : newlyJudged(tool);
    this.#judged.set(tool.id, judged);
    const key = JSON.stringify(args);
    const verdict = judged.verdicts.get(key);
    if (verdict) return verdict;
    judged.verdicts.set(key, 'unchecked');
    this.#waiting.push(async () => {
      const misfit = await this.#check({ ...tool, modelName: tool.name }, args);
      judged.verdicts.set(key, misfit === undefined ? 'fits' : { misfit });
    });
    return 'unchecked';
  };

  /** Whether examples wait for {@link settle}. */
  get waits(): boolean {
    return this.#waiting.length > 0;
  }

  /** Judges the examples that wait for it. */
  async settle(): Promise<void> {
    for (let judge = this.#waiting.shift(); judge; judge = this.#waiting.shift()) await judge();
  }
}

function newlyJudged({ inputSchema }: UnnamedTool): Judged {
  return { schema: inputSchema, verdicts: new Map() };
}
