import { declaredChange, type Tool } from '../catalog/tool';
import { type Call, type ToolRun, toolMessage } from '../ports';
import { compileIdGlobs, compileIdTable } from '../settings/glob';
import type { Settings } from '../settings/settings';
import { asObject, jsonText } from '../util/objects';
import { createCallOrder, type RunInOrder } from './callOrder';

/** The maximum number of calls of a reply that are answered, unless the user set more. A search takes milliseconds. */
const MAX_CALLS = 200;

/** The settings that apply to all calls of a turn together. */
export type TurnLimits = Pick<Settings, 'toolCallsPerTurn' | 'retriesPerTool' | 'retries' | 'sequentialTools'>;

/** A tool or its name, and arguments. Calls with equal ones are the same call. */
interface SameCall {
  readonly tool: Tool | string;
  readonly asked: unknown;
}

/** The calls of one turn: their order, number and failures. Refuses calls of any model that repeats itself. */
export class CallLimits {
  readonly #limits: TurnLimits;
  /** Returns the number of retries that the settings give a tool by its id. */
  readonly #retries: (id: string) => number | undefined;
  /**
   * Lets a call go on when the calls before it are over, also those that wait for the user. Calls of one tool go on
   * together, since one question is about all of them.
   */
  readonly inLine: RunInOrder;
  /** Starts a call when no running call forbids it. */
  readonly inOrder: RunInOrder;
  /** Call → how often it failed since a call last succeeded. */
  readonly #failures = new Map<string, number>();
  /** Calls that their tools answered with an error since a call last succeeded. */
  readonly #answered = new Set<string>();
  readonly #runningByKey = new Map<string, number>();
  /** Calls that wait for the outcome of the same call, in the order in which they were made. */
  readonly #waiting: { readonly key: string; readonly resolve: () => void }[] = [];
  #made = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
    this.#retries = compileIdTable(limits.retries);
    const isSequential = compileIdGlobs(limits.sequentialTools);
    const isAlone = ({ id }: Tool) => isSequential(id);
    this.inLine = createCallOrder(isAlone, laneOf, 'goesOn');
    this.inOrder = createCallOrder(isAlone, laneOf, 'waits');
  }

  /** The maximum number of calls of one reply that are answered. */
  get perReply(): number {
    return Math.max(MAX_CALLS, this.#limits.toolCallsPerTurn);
  }

  /** Returns how often this call failed since a call last succeeded. */
  failuresOf(call: SameCall): number {
    return this.#failures.get(keyOf(call)) ?? 0;
  }

  /** Whether its tool has answered this call with an error since a call last succeeded. */
  hasFailed(call: SameCall): boolean {
    return this.#answered.has(keyOf(call));
  }

  /**
   * Lets a call go on, unless it is over a limit. The same call runs only as often at once as it may fail; further ones
   * wait for the outcomes, since one reply may have any number of calls.
   */
  async run(call: Call, goOn: (call: Call) => Promise<ToolRun>): Promise<ToolRun> {
    const key = keyOf(call);
    const running = () => this.#runningByKey.get(key) ?? 0;
    while (running() > 0 && this.failuresOf(call) + running() > this.#retriesOf(call.tool)) {
      await new Promise<void>((resolve) => this.#waiting.push({ key, resolve }));
    }
    const refusal = this.admit(call);
    if (refusal) {
      this.#next(key);
      return refusal;
    }
    this.#runningByKey.set(key, running() + 1);
    try {
      const run = await this.inLine(call.tool, () => goOn(call));
      this.note(call, run);
      return run;
    } finally {
      this.#runningByKey.set(key, running() - 1);
      this.#next(key);
    }
  }

  /**
   * Counts a call and allows it; otherwise returns a refusal with a reason for the model.
   * @param call undefined for a script, which may fail as often as it is made
   */
  admit(call: Pick<Call, 'tool' | 'asked'> | undefined): ToolRun | undefined {
    const { toolCallsPerTurn } = this.#limits;
    if (this.#made >= toolCallsPerTurn) {
      return toolMessage(
        'refused',
        `Not run: the limit of ${toolCallsPerTurn} tool calls for one question is reached. Answer with what you have, and say what is missing.`,
      );
    }
    const failures = call ? this.failuresOf(call) : 0;
    if (call && failures > this.#retriesOf(call.tool)) {
      const times = failures === 1 ? 'once' : `${failures} times`;
      return toolMessage(
        'refused',
        `Not run: ${call.tool.modelName} failed ${times} with these arguments. Call it with others, use another tool, or answer without it.`,
      );
    }
    this.#made++;
    return undefined;
  }

  #retriesOf({ id }: Tool): number {
    return this.#retries(id) ?? this.#limits.retriesPerTool;
  }

  /** Lets the next waiting call check again whether it can start. */
  #next(key: string): void {
    const index = this.#waiting.findIndex((call) => call.key === key);
    const [call] = index < 0 ? [] : this.#waiting.splice(index, 1);
    call?.resolve();
  }

  /**
   * Records how a call ended. A success may have removed the cause of any failure, so it ends them all. A call that the
   * user cancelled says nothing. An error that the tool itself reports counts for no limit: its next answer may differ.
   */
  note(call: SameCall, { outcome, answered }: Pick<ToolRun, 'outcome' | 'answered'>): void {
    if (outcome === 'ok') {
      this.#failures.clear();
      this.#answered.clear();
    } else if (answered) this.#answered.add(keyOf(call));
    else if (outcome !== 'cancelled') this.#failures.set(keyOf(call), this.failuresOf(call) + 1);
  }
}

function keyOf({ tool, asked }: SameCall): string {
  return `${typeof tool === 'string' ? tool : tool.id} ${jsonText(asObject(asked ?? {}) ?? asked)}`;
}

/**
 * Returns the tool's server if the server declares that the tool changes something. Such calls of one server run one
 * after another. A tool without a declaration may run beside others.
 */
function laneOf(tool: Tool): string | undefined {
  return declaredChange(tool) ? tool.server : undefined;
}
