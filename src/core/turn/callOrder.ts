import type { Tool } from '../catalog/tool';
import type { ToolRun } from '../ports';

/** Runs a call when its turn has come. */
export type RunInOrder = (tool: Tool, start: () => Promise<ToolRun>) => Promise<ToolRun>;

interface UnfinishedCall {
  readonly id: string;
  readonly alone: boolean;
  readonly lane: string | undefined;
  readonly over: Promise<unknown>;
}

/**
 * Lets calls run side by side as far as the order allows. A call that runs alone waits for all running calls, and all
 * later calls wait for it. Calls start in the order in which they were made.
 * @param isAlone whether a tool's calls run while no other call runs
 * @param laneOf returns the tool's lane; calls of the same lane run one after another
 * @param sameTool whether calls of the same tool wait for each other too
 */
export function createCallOrder(
  isAlone: (tool: Tool) => boolean,
  laneOf: (tool: Tool) => string | undefined,
  sameTool: 'waits' | 'goesOn',
): RunInOrder {
  const open = new Set<UnfinishedCall>();
  return (tool, start) => {
    const { id } = tool;
    const alone = isAlone(tool);
    const lane = laneOf(tool);
    const mustWait = (other: UnfinishedCall) =>
      (alone || other.alone || (lane !== undefined && other.lane === lane)) &&
      (sameTool === 'waits' || other.id !== id);
    const before = [...open].filter(mustWait).map(({ over }) => over);
    const run = Promise.all(before).then(start);
    const call: UnfinishedCall = { id, alone, lane, over: run.catch(() => {}).then(() => open.delete(call)) };
    open.add(call);
    return run;
  };
}
