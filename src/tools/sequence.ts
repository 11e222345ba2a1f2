import type { ToolRunner } from '../core/ports';
import type { Tool } from '../core/tool';

/**
 * Lets calls run side by side, except those of sequential tools: such a call waits for all that run, and all that come
 * after it wait for it. Calls start in the order in which they were made.
 */
export function runInSequence(runner: ToolRunner, isSequential: (tool: Tool) => boolean): ToolRunner {
  /** The calls since the last sequential one, that one included. */
  let group: Promise<unknown>[] = [];
  let barrier: Promise<unknown> = Promise.resolve();
  return {
    run(tool, input, signal) {
      const before = isSequential(tool) ? Promise.all([barrier, ...group]) : barrier;
      const run = before.then(() => runner.run(tool, input, signal));
      const over = run.catch(() => {});
      if (isSequential(tool)) {
        barrier = over;
        group = [];
      } else {
        group.push(over);
        void over.then(() => {
          group = group.filter((other) => other !== over);
        });
      }
      return run;
    },
  };
}
