import type { Tool } from '../catalog/tool';
import type { CallOutcome } from '../conversation/transcript';
import { type ToolRun, toolMessage } from '../ports';
import { compileIdGlob } from '../settings/glob';
import type { Settings } from '../settings/settings';
import { createCallOrder, type RunInOrder } from './callOrder';

/** The settings that hold for all calls of a turn together. */
export type TurnLimits = Pick<Settings, 'toolCallsPerTurn' | 'retriesPerTool' | 'retries' | 'sequentialTools'>;

/**
 * The calls of one turn: their order, how many they are, and which failed. A model that repeats itself is
 * refused, whether it is ours or another agent's.
 */
export class CallLimits {
  readonly #limits: TurnLimits;
  /** The retries of some tools; the first match counts. */
  readonly #retries: readonly { readonly matches: (id: string) => boolean; readonly retries: number }[];
  readonly #inOrder: RunInOrder;
  readonly #failures = new Map<string, number>();
  readonly #runningById = new Map<string, number>();
  /** Calls that wait how others of the same tool end, in the order in which they were made. */
  readonly #waiting: { readonly id: string; readonly resolve: () => void }[] = [];
  #made = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
    this.#retries = Object.entries(limits.retries).map(([glob, retries]) => ({
      matches: compileIdGlob(glob),
      retries,
    }));
    const sequential = limits.sequentialTools.map(compileIdGlob);
    this.#inOrder = createCallOrder({ alone: ({ id }) => sequential.some((matches) => matches(id)), lane: laneOf });
  }

  /** How often calls of this tool ended without success, one after another. */
  failuresOf(id: string): number {
    return this.#failures.get(id) ?? 0;
  }

  /**
   * Starts a call when its turn has come; one that is over a limit isn't started, and says so in words for the
   * model. As many calls of a tool as may fail run at once: the others wait how these end, since one reply may hold
   * any number.
   */
  async run(tool: Tool, start: () => Promise<ToolRun>): Promise<ToolRun> {
    while (this.#running(tool) > 0 && this.failuresOf(tool.id) + this.#running(tool) > this.#retriesOf(tool.id)) {
      await new Promise<void>((resolve) => this.#waiting.push({ id: tool.id, resolve }));
    }
    const refusal = this.admit(tool);
    if (refusal) {
      this.#next(tool.id);
      return refusal;
    }
    this.#runningById.set(tool.id, this.#running(tool) + 1);
    try {
      const run = await this.#inOrder(tool, start);
      this.note(tool.id, run.outcome);
      return run;
    } finally {
      this.#runningById.set(tool.id, this.#running(tool) - 1);
      this.#next(tool.id);
    }
  }

  /** Runs a call of a script, which was admitted as a whole, in one order with all others. */
  inOrder(tool: Tool, start: () => Promise<ToolRun>): Promise<ToolRun> {
    return this.#inOrder(tool, start);
  }

  /** Lets a call be made, or says in words for the model why it may not be. */
  admit(tool: Pick<Tool, 'id' | 'modelName'>): ToolRun | undefined {
    const { toolCallsPerTurn } = this.#limits;
    if (this.#made >= toolCallsPerTurn) {
      return toolMessage(
        'refused',
        `Not run: the limit of ${toolCallsPerTurn} tool calls for one question is reached. Answer with what you have, and say what is missing.`,
      );
    }
    const failures = this.failuresOf(tool.id);
    if (failures > this.#retriesOf(tool.id)) {
      return toolMessage(
        'refused',
        `Not run: ${tool.modelName} failed ${failures === 1 ? 'once' : `${failures} times`} for this question. Don't call it again; use another tool or answer without it.`,
      );
    }
    this.#made++;
    return undefined;
  }

  #retriesOf(id: string): number {
    return this.#retries.find(({ matches }) => matches(id))?.retries ?? this.#limits.retriesPerTool;
  }

  #running({ id }: Tool): number {
    return this.#runningById.get(id) ?? 0;
  }

  /** The next call of the tool that waits looks again. */
  #next(id: string): void {
    const index = this.#waiting.findIndex((call) => call.id === id);
    const [call] = index < 0 ? [] : this.#waiting.splice(index, 1);
    call?.resolve();
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
