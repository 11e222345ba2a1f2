import type { Tool } from '../../core/catalog/tool';
import { CANCELLED_BEFORE, type CallNotes, type ToolRun, toolMessage } from '../../core/ports';
import { pause } from '../../core/util/signals';

/** A call that the user has to be asked about. */
export interface PendingCall {
  readonly tool: Tool;
  readonly input: { readonly [name: string]: unknown };
  readonly notes?: CallNotes;
  /** Also tells which calls belong together: those of one script share it. */
  readonly signal: AbortSignal;
}

/** A call in line, and what runs it once the user consents. */
export interface QueuedCall<Call extends PendingCall = PendingCall> {
  readonly call: Call;
  readonly run: () => Promise<ToolRun>;
}

/**
 * Calls that are made at once come in within so long of each other, each on its own way through the checks.
 * Milliseconds.
 */
const GATHER_MS = 50;
/** Calls in one question, and characters of all their arguments: none is cut, so a long one is asked about alone. */
const MAX_CALLS = 20;
const MAX_CHARS = 4_000;

/** Asks about some calls of one tool; resolves with the runs, or with why none was run. Never rejects. */
type AskAbout = (calls: readonly QueuedCall[]) => Promise<readonly ToolRun[] | ToolRun>;

interface Entry extends QueuedCall {
  readonly resolve: (run: ToolRun) => void;
}

/** Asks a chat's questions one at a time. One question covers all waiting calls of the same tool. */
export class ConfirmationQueue {
  readonly #ask: AskAbout;
  readonly #entries: Entry[] = [];
  #asking = false;

  constructor(ask: AskAbout) {
    this.#ask = ask;
  }

  /** Whether nobody is in it. */
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

  /** The first call that is still wanted, and those of its tool that fit beside it. */
  #next(): readonly Entry[] {
    for (const entry of this.#take((one) => one.call.signal.aborted)) entry.resolve(CANCELLED_BEFORE);
    const [first] = this.#entries;
    if (!first) return [];
    let calls = 0;
    let chars = 0;
    return this.#take((one) => {
      if (one.call.tool.id !== first.call.tool.id || calls >= MAX_CALLS) return false;
      const length = JSON.stringify(one.call.input).length;
      if (one !== first && chars + length > MAX_CHARS) return false;
      calls++;
      chars += length;
      return true;
    });
  }

  /** Who was skipped isn't asked about again: the calls of the same tool by the same script that wait. */
  #refuseLike(skipped: Entry | undefined): void {
    if (!skipped) return;
    const { tool, signal } = skipped.call;
    for (const entry of this.#take(({ call }) => call.tool.id === tool.id && call.signal === signal))
      entry.resolve(toolMessage('refused', 'Not run: the user skipped a call of this tool, and is not asked again.'));
  }

  #take(wanted: (entry: Entry) => boolean): readonly Entry[] {
    const taken = this.#entries.filter(wanted);
    for (const entry of taken) this.#entries.splice(this.#entries.indexOf(entry), 1);
    return taken;
  }
}
