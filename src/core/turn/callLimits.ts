import type { Tool } from '../catalog/tool';
import type { CallOutcome } from '../conversation/transcript';
import { type Call, type ToolRun, toolMessage } from '../ports';
import { compileIdGlobs, compileIdTable } from '../settings/glob';
import type { Settings } from '../settings/settings';
import { createCallOrder, type RunInOrder } from './callOrder';

/** The settings that apply to all calls of a turn together. */
export type TurnLimits = Pick<Settings, 'toolCallsPerTurn' | 'retriesPerTool' | 'retries' | 'sequentialTools'>;

/**
 * The calls of one turn: their order, their number, and their failures. Refuses calls of a model that repeats itself,
 * whether the model is ours or another agent's.
 */
export class CallLimits {
  readonly #limits: TurnLimits;
  /** Returns the number of retries that the settings give a tool by its id. */
  readonly #retries: (id: string) => number | undefined;
  readonly #inOrder: RunInOrder;
  readonly #failures = new Map<string, number>();
  readonly #runningById = new Map<string, number>();
  /** Calls that wait for the outcome of others of the same tool, in the order in which they were made. */
  readonly #waiting: { readonly id: string; readonly resolve: () => void }[] = [];
  #made = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
    this.#retries = compileIdTable(limits.retries);
    const isSequential = compileIdGlobs(limits.sequentialTools);
    this.#inOrder = createCallOrder({ alone: ({ id }) => isSequential(id), lane: laneOf });
  }

  /** Returns the number of failed calls of this tool in a row. */
  failuresOf(id: string): number {
    return this.#failures.get(id) ?? 0;
  }

  /**
   * Lets a call go on, unless it is over a limit. Only as many calls of a tool run at once as may fail; further calls
   * wait for their outcomes, since one reply may have any number of calls.
   */
  async run(call: Call, goOn: (call: Call) => Promise<ToolRun>): Promise<ToolRun> {
    const { tool } = call;
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
      const run = await goOn(call);
      this.note(tool.id, run.outcome);
      return run;
    } finally {
      this.#runningById.set(tool.id, this.#running(tool) - 1);
      this.#next(tool.id);
    }
  }

  /** Starts a call when no running call forbids it. */
  inOrder(tool: Tool, start: () => Promise<ToolRun>): Promise<ToolRun> {
    return this.#inOrder(tool, start);
  }

  /** Counts a call and allows it; otherwise returns a refusal with a reason for the model. */
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
    return this.#retries(id) ?? this.#limits.retriesPerTool;
  }

  #running({ id }: Tool): number {
    return this.#runningById.get(id) ?? 0;
  }

  /** Lets the next waiting call of the tool check again whether it can start. */
  #next(id: string): void {
    const index = this.#waiting.findIndex((call) => call.id === id);
    const [call] = index < 0 ? [] : this.#waiting.splice(index, 1);
    call?.resolve();
  }

  /** Records how a call ended. A call that the user cancelled says nothing about the tool. */
  note(id: string, outcome: CallOutcome): void {
    if (outcome === 'ok') this.#failures.delete(id);
    else if (outcome !== 'cancelled') this.#failures.set(id, this.failuresOf(id) + 1);
  }
}

/**
 * Returns the tool's server if the server declares that the tool changes something. Such calls of one server run one
 * after another. A tool without a declaration may run beside others.
 */
function laneOf({ server, annotations }: Tool): string | undefined {
  return annotations?.readOnlyHint === false || annotations?.destructiveHint === true ? server : undefined;
}
