import type { Tool } from '../catalog/tool';
import { MAX_RESULT_CHARS } from '../conversation/cutResult';
import { resultText } from '../conversation/resultText';
import type { CallOutcome } from '../conversation/transcript';
import type { RecordEntry } from '../ledger/ledger';
import type { ModelEvent, ToolRun } from '../ports';
import { cut } from '../util/cut';

/**
 * The time limit for a call from the provider's code, in milliseconds, including the user's confirmation. Claude's code
 * gives up after 270 seconds and usually calls again, when the first call may still run.
 */
export const CODE_CALL_MS = 240_000;

/** The maximum number of characters of a script's code, and of its output, that the ledger stores. */
const LOGGED_CODE_CHARS = 20_000;
const LOGGED_OUTPUT_CHARS = 2_000;

interface OpenCode {
  readonly round: number;
  readonly startedAt: number;
  readonly servers: Set<string>;
  /** Keys of the calls that count as kept from the model: each different call once, as many as a turn allows. */
  readonly counted: Set<string>;
  calls: number;
  failed: number;
  returnedChars: number;
  countedChars: number;
}

/** Records the scripts of a turn that the provider runs: their calls, the results that they got, and their output. */
export class ProviderCode {
  readonly #record: RecordEntry;
  readonly #now: () => number;
  readonly #maxCounted: number;
  readonly #open = new Map<string, OpenCode>();

  /** @param toolCallsPerTurn the number of direct calls that the turn allows */
  constructor({ record, now, toolCallsPerTurn }: { record: RecordEntry; now: () => number; toolCallsPerTurn: number }) {
    this.#record = record;
    this.#now = now;
    this.#maxCounted = toolCallsPerTurn;
  }

  started({ callId, code }: Extract<ModelEvent, { type: 'code' }>, round: number): void {
    if (this.#open.has(callId)) return;
    this.#open.set(callId, {
      round,
      startedAt: this.#now(),
      servers: new Set(),
      counted: new Set(),
      calls: 0,
      failed: 0,
      returnedChars: 0,
      countedChars: 0,
    });
    const logged = cut(code, LOGGED_CODE_CHARS);
    this.#record({ type: 'scriptStarted', round, callId, title: '', code: logged, where: 'provider' });
  }

  called(callId: string, tool: Tool | undefined, input: unknown, run: ToolRun): void {
    const code = this.#open.get(callId);
    if (!code) return;
    const chars = resultText(run).length;
    const key = `${tool?.id} ${JSON.stringify(input)}`;
    code.calls++;
    if (run.outcome !== 'ok') code.failed++;
    if (tool) code.servers.add(tool.server);
    code.returnedChars += chars;
    if (code.counted.has(key) || code.counted.size >= this.#maxCounted) return;
    code.counted.add(key);
    code.countedChars += Math.min(chars, MAX_RESULT_CHARS);
  }

  ended({ callId, ok, output }: Extract<ModelEvent, { type: 'codeEnded' }>): void {
    this.#end(callId, ok ? 'ok' : 'failed', output);
  }

  /** Ends the scripts that were still waiting when the turn ended: they never continue. */
  close(): void {
    for (const callId of [...this.#open.keys()]) this.#end(callId, 'cancelled', '');
  }

  #end(callId: string, outcome: CallOutcome, output: string): void {
    const code = this.#open.get(callId);
    if (!code) return;
    this.#open.delete(callId);
    const { round, startedAt, servers, calls, failed, returnedChars, countedChars } = code;
    this.#record({
      type: 'scriptEnded',
      round,
      callId,
      outcome,
      ms: this.#now() - startedAt,
      computeMs: 0,
      calls,
      failed,
      servers: [...servers],
      returnedChars,
      countedChars,
      outputChars: output.length,
      output: cut(output, LOGGED_OUTPUT_CHARS),
    });
  }
}
