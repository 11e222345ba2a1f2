import { CANCELLED_BEFORE, type PendingCall, type ToolRun, toolMessage } from '../../core/ports';
import { pause } from '../../core/util/timers';

/** A call in the queue, and the function that runs it after consent. */
export interface QueuedCall {
  readonly call: PendingCall;
  readonly run: () => Promise<ToolRun>;
}

/**
 * The time for which a question waits for further calls, in milliseconds. Calls made at the same moment arrive at
 * slightly different times.
 */
const GATHER_MS = 50;
/**
 * The maximum number of calls in one question, and the maximum number of characters of all their arguments. Arguments
 * aren't cut, so a call with long ones gets its own question.
 */
const MAX_CALLS = 20;
const MAX_CHARS = 4_000;

/** Asks about calls of one tool. Resolves with their runs, or with one message if none ran. Never rejects. */
type AskAbout = (calls: readonly QueuedCall[]) => Promise<readonly ToolRun[] | ToolRun>;

interface QueueEntry extends QueuedCall {
  readonly resolve: (run: ToolRun) => void;
}

/** Asks a chat's questions one at a time. One question covers all waiting calls of the same tool. */
export class ConfirmationQueue {
  readonly #ask: AskAbout;
  readonly #entries: QueueEntry[] = [];
  #asking = false;

  constructor(ask: AskAbout) {
    this.#ask = ask;
  }

  /** Whether no call is waiting or being asked about. */
  get idle(): boolean {
    return !this.#asking && this.#entries.length === 0;
  }

  add(call: QueuedCall): Promise<ToolRun> {
    return new Promise((resolve) => {
      this.#entries.push({ ...call, resolve });
      if (!this.#asking) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#asking = true;
    let gathered = 0;
    while (gathered < this.#entries.length && gathered < MAX_CALLS) {
      gathered = this.#entries.length;
      await pause(GATHER_MS);
    }
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) {
      const answer = await this.#ask(batch);
      batch.forEach((entry, index) => {
        entry.resolve(
          'outcome' in answer ? answer : (answer[index] ?? toolMessage('failed', 'The call gave no answer.')),
        );
      });
      if ('outcome' in answer && answer.outcome === 'refused') this.#refuseLike(batch[0]);
    }
    this.#asking = false;
  }

  /**
   * Takes the calls of the next question from the queue: the first call, and others of the same tool that fit. A
   * changed tool is another object, which the user is asked about separately.
   */
  #next(): readonly QueueEntry[] {
    for (const entry of this.#take((one) => one.call.signal.aborted)) entry.resolve(CANCELLED_BEFORE);
    const [first] = this.#entries;
    if (!first) return [];
    let calls = 0;
    let chars = 0;
    return this.#take((one) => {
      if (one.call.tool !== first.call.tool || calls >= MAX_CALLS) return false;
      const length = JSON.stringify(one.call.input).length;
      if (one !== first && chars + length > MAX_CHARS) return false;
      calls++;
      chars += length;
      return true;
    });
  }

  /** Refuses the waiting calls of the same tool and script, after the user has skipped one. */
  #refuseLike(skipped: QueueEntry | undefined): void {
    if (!skipped) return;
    const { tool, signal } = skipped.call;
    for (const entry of this.#take(({ call }) => call.tool.id === tool.id && call.signal === signal))
      entry.resolve(toolMessage('refused', 'Not run: the user skipped a call of this tool, and is not asked again.'));
  }

  #take(wanted: (entry: QueueEntry) => boolean): readonly QueueEntry[] {
    const taken = this.#entries.filter(wanted);
    for (const entry of taken) this.#entries.splice(this.#entries.indexOf(entry), 1);
    return taken;
  }
}
