import type { Tool } from '../catalog/tool';
import { createMatcher } from '../planning/patterns';
import { type ToolRun, told } from '../ports';
import type { Settings } from '../settings/settings';
import type { CallOutcome } from '../transcript/transcript';
import { createSequence, type RunInOrder } from './sequence';

/** The settings that hold for all calls of a turn together. */
export type TurnLimits = Pick<Settings, 'toolCallsPerTurn' | 'retriesPerTool' | 'sequentialTools'>;

/**
 * The calls of one turn: their order, how many they are, and which failed. A model that repeats itself is told to stop
 * rather than left to spin, whether it is ours or another agent's.
 */
export class TurnCalls {
  readonly #limits: TurnLimits;
  readonly #inOrder: RunInOrder;
  readonly #failures = new Map<string, number>();
  #made = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
    const isSequential = createMatcher(limits.sequentialTools);
    this.#inOrder = createSequence({ alone: (tool) => isSequential(tool.id), lane: laneOf });
  }

  /** How often calls of this tool ended without success, one after another. */
  failuresOf(id: string): number {
    return this.#failures.get(id) ?? 0;
  }

  /** Starts a call when its turn has come; one that is over a limit isn't started, and says so in words for the model. */
  async run(tool: Tool, start: () => Promise<ToolRun>): Promise<ToolRun> {
    const { toolCallsPerTurn, retriesPerTool } = this.#limits;
    if (this.#made >= toolCallsPerTurn) {
      return told(
        'refused',
        `Not run: the limit of ${toolCallsPerTurn} tool calls for one question is reached. Answer with what you have, and say what is missing.`,
      );
    }
    const failures = this.failuresOf(tool.id);
    if (failures > retriesPerTool) {
      return told(
        'refused',
        `Not run: ${tool.modelName} failed ${failures} times for this question. Don't call it again; use another tool or answer without it.`,
      );
    }
    this.#made++;
    const run = await this.#inOrder(tool, start);
    this.note(tool.id, run.outcome);
    return run;
  }

  /** Takes note of how a call ended. What the user cancelled says nothing about the tool. */
  note(id: string, outcome: CallOutcome): void {
    if (outcome === 'ok') this.#failures.delete(id);
    else if (outcome !== 'cancelled') this.#failures.set(id, this.failuresOf(id) + 1);
  }
}

/** A server that says of a tool that it changes something gets such calls one after another. Silence isn't a word. */
function laneOf({ server, annotations }: Tool): string | undefined {
  return annotations?.readOnlyHint === false || annotations?.destructiveHint === true ? server : undefined;
}
