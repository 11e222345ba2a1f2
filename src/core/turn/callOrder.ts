import type { Tool } from '../catalog/tool';
import type { ToolRun } from '../ports';

/** Which calls don't run side by side. */
interface Order {
  /** Runs beside no other call at all. */
  readonly alone: (tool: Tool) => boolean;
  /** Runs beside no other call of the same lane. */
  readonly lane: (tool: Tool) => string | undefined;
}

/** Runs a call when its turn has come. */
export type RunInOrder = (tool: Tool, start: () => Promise<ToolRun>) => Promise<ToolRun>;

/**
 * Lets calls run side by side as far as the order allows: a call that runs alone waits for all that run, and all
 * that come after it wait for it. Calls start in the order in which they were made.
 */
export function createCallOrder(order: Order): RunInOrder {
  /** The calls since the last one alone, that one included. */
  let group: Promise<unknown>[] = [];
  let barrier: Promise<unknown> = Promise.resolve();
  const lanes = new Map<string, Promise<unknown>>();
  return (tool, start) => {
    const alone = order.alone(tool);
    const lane = alone ? undefined : order.lane(tool);
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
