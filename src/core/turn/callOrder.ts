import type { Tool } from '../catalog/tool';
import type { ToolRun } from '../ports';

/** Runs a call when its turn has come. */
export type RunInOrder = (tool: Tool, start: () => Promise<ToolRun>) => Promise<ToolRun>;

/**
 * Lets calls run side by side as far as the order allows. A call that runs alone waits for all running calls, and all
 * later calls wait for it. Calls start in the order in which they were made.
 * @param isAlone whether a tool's calls run while no other call runs
 * @param laneOf returns the tool's lane; calls of the same lane run one after another
 */
export function createCallOrder(
  isAlone: (tool: Tool) => boolean,
  laneOf: (tool: Tool) => string | undefined,
): RunInOrder {
  /** The last call that runs alone, and all calls since. */
  let group: Promise<unknown>[] = [];
  let barrier: Promise<unknown> = Promise.resolve();
  const lanes = new Map<string, Promise<unknown>>();
  return (tool, start) => {
    const alone = isAlone(tool);
    const lane = alone ? undefined : laneOf(tool);
    const before = alone
      ? Promise.all([barrier, ...group])
      : Promise.all([barrier, lane === undefined ? undefined : lanes.get(lane)]);
    const run = before.then(start);
    const over = run.catch(() => {});
    if (lane !== undefined) lanes.set(lane, over);
    if (alone) {
      barrier = over;
      group = [];
    } else {
      group.push(over);
      void over.then(() => {
        group = group.filter((other) => other !== over);
      });
    }
    return run;
  };
}
