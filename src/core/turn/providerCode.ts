import type { Tool } from '../catalog/tool';
import { resultText } from '../conversation/resultText';
import type { CallOutcome } from '../conversation/transcript';
import type { RecordEntry } from '../ledger/ledger';
import type { ModelEvent, ToolRun } from '../ports';
import { MAX_RESULT_CHARS } from '../usage/arithmetic';
import { cut } from '../util/cut';

/**
 * How long a call from the provider's code may take, in milliseconds, the user's yes included: Claude's code gives
 * up after 270 seconds and mostly calls again, when the first call may still run.
 */
export const CODE_CALL_MS = 240_000;

/** How much of code, and of what it printed, the ledger keeps, in characters. */
const LOGGED_CODE_CHARS = 20_000;
const LOGGED_OUTPUT_CHARS = 2_000;

interface OpenCode {
  readonly round: number;
  readonly startedAt: number;
  readonly servers: Set<string>;
  /** Calls that count for what stayed in the code: different ones, as many as a turn allows. */
  readonly counted: Set<string>;
  calls: number;
  failed: number;
  returnedChars: number;
  countedChars: number;
}

/**
 * The code of a turn that the provider runs: what it called, what was handed to it and what came out, for the
 * ledger.
 */
export class ProviderCode {
  readonly #record: RecordEntry;
  readonly #now: () => number;
  readonly #maxCounted: number;
  readonly #open = new Map<string, OpenCode>();

  /** @param toolCallsPerTurn how many direct calls the turn would have allowed */
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
    this.#record({
      type: 'scriptStarted',
      round,
      callId,
      title: '',
      code: cut(code, LOGGED_CODE_CHARS),
      where: 'provider',
    });
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

  /** Code that a turn's end left waiting never goes on. */
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
