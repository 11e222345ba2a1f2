// The entry point of a script's thread. Runs the engine, counts calls and time, and exchanges messages with the host.

import { parentPort, workerData } from 'node:worker_threads';
import type { ScriptLimits } from '../core/code/sandboxPort';
import { Engine, type Settled } from './quickjs';
import { type Exceeded, exceeded } from './scriptLimits';
import type { FromThread, ToThread } from './threadMessages';

/** The maximum number of characters of logged lines that the thread sends. A note replaces the rest. */
const MAX_LOGGED = 2_000_000;
const TOO_MUCH_LOGGED = `[Logged more than ${MAX_LOGGED.toLocaleString('en')} characters: the rest is not kept.]`;
const TOO_DEEP = 'a value is nested too deeply. tools.NAME.text(args) gives a result as text';
/** Matches the engine's messages about full memory. */
const OUT_OF_MEMORY = /out of memory|wasm_malloc failed|memory access out of bounds/;
/** Log lines after the first SINGLE_LINES are sent in batches of LOG_CHARS characters, so as not to slow the host. */
const SINGLE_LINES = 100;
const LOG_CHARS = 16_000;

/** A script's thread: measures the time that each message of the host takes, and sends the script's requests. */
class ScriptThread {
  readonly #engine: Engine;
  readonly #limits: ScriptLimits;
  #computed = 0;
  #sliceStart: number | undefined;
  #seen = 0;
  #calls = 0;
  #others = 0;
  /** The requests without an answer by id, with whether each is a call. */
  readonly #open = new Map<number, boolean>();
  #logged = 0;
  #lines: string[] = [];
  #lineChars = 0;
  #lineCount = 0;
  #settled: Settled | undefined;
  #stopped: Exceeded | undefined;

  static async start(start: Extract<ToThread, { type: 'start' }>): Promise<ScriptThread> {
    let thread: ScriptThread | undefined;
    const engine = await Engine.create(workerData.engine as WebAssembly.Module, {
      onAsk: (json) => thread?.ask(json),
      onLog: (text) => thread?.log(text),
      onSettled: (settled) => thread?.settle(settled),
      isOver: () => thread?.isOver() ?? false,
    });
    thread = new ScriptThread(engine, start.limits);
    post({ type: 'ready' });
    thread.slice(() => engine.start(start.code));
    return thread;
  }

  constructor(engine: Engine, limits: ScriptLimits) {
    this.#engine = engine;
    this.#limits = limits;
  }

  answer({ id, answer }: Extract<ToThread, { type: 'answer' }>): void {
    if (!this.#open.delete(id)) return;
    this.slice(() => {
      if (answer.kind !== 'error') this.#engine.deliver(id, answer.kind, answer.text);
      else this.#engine.deliver(id, 'error', JSON.stringify(answer));
    });
  }

  slice(work: () => void): void {
    this.#sliceStart = performance.now();
    work();
    this.#computed += performance.now() - this.#sliceStart;
    this.#sliceStart = undefined;
    this.#seen++;
    this.#flush();
    const end = this.#end();
    if (end) post(end);
    post({ type: 'idle', seen: this.#seen, computeMs: this.#computed });
  }

  /** Called from within the script. */
  ask(json: string): void {
    const { id, op } = JSON.parse(json) as { id: number; op: string };
    const isCall = op === 'call';
    if (isCall) this.#calls++;
    else this.#others++;
    if (this.isOver()) return;
    // Two answers to the same number can't be distinguished. A script that repeats a number gets no second answer.
    if (this.#open.has(id)) return;
    this.#open.set(id, isCall);
    post({ type: 'ask', ask: json });
  }

  log(text: string): void {
    if (this.#logged > MAX_LOGGED) return;
    this.#logged += text.length;
    const line = this.#logged > MAX_LOGGED ? TOO_MUCH_LOGGED : text;
    this.#lines.push(line);
    this.#lineChars += line.length;
    if (++this.#lineCount <= SINGLE_LINES || this.#lineChars > LOG_CHARS) this.#flush();
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    post({ type: 'log', text: this.#lines.join('\n') });
    this.#lines = [];
    this.#lineChars = 0;
  }

  settle(settled: Settled): void {
    this.#settled ??= settled;
  }

  isOver(): boolean {
    if (this.#stopped !== undefined) return true;
    const limit = exceeded({ computeMs: this.#time(), calls: this.#calls, others: this.#others }, this.#limits);
    if (limit) this.#stop(limit);
    return limit !== undefined;
  }

  /**
   * Reports at once that the script must stop, so that the host ends the thread. The interrupt alone isn't enough: it
   * may become a rejected promise that the script handles.
   */
  #stop(reason: Exceeded): void {
    this.#stopped = reason;
    this.#flush();
    post({ type: 'stopped', reason, unawaited: [], computeMs: this.#time() });
  }

  #time(): number {
    return this.#computed + (this.#sliceStart === undefined ? 0 : performance.now() - this.#sliceStart);
  }

  /** Returns the script's end; undefined if it or a call of it still runs, or if its stop was already reported. */
  #end(): FromThread | undefined {
    const computeMs = this.#computed;
    if (this.isOver()) return undefined;
    const unawaited = this.#engine.unawaited.map(({ name, message }) =>
      name && name !== 'ToolError' ? `${name}: ${message}` : message,
    );
    const stopped = (reason: 'memory' | 'stuck' | 'lost', why?: string): FromThread => {
      return { type: 'stopped', reason, unawaited, computeMs, why };
    };
    if (!this.#settled) return this.#open.size === 0 ? stopped('stuck') : undefined;
    if ([...this.#open.values()].includes(true)) return undefined;
    const { faults } = this.#settled;
    if ('value' in this.#settled) return { type: 'returned', value: this.#settled.value, faults, unawaited, computeMs };
    const { name, message, stack, tool, isEngine } = this.#settled.error;
    if ((isEngine || name === 'InternalError') && OUT_OF_MEMORY.test(message)) return stopped('memory');
    if (isEngine && name === 'RuntimeError') return stopped('lost', message);
    const place = this.#engine.placeOf(stack);
    // The thread's own stack overflowed, because the engine parses JSON recursively. Scripts can't catch this error.
    const said = isEngine && name === 'RangeError' ? TOO_DEEP : message;
    return { type: 'threw', name, message: said, faults, unawaited, computeMs, place, tool };
  }
}

function post(message: FromThread): void {
  parentPort?.postMessage(JSON.stringify(message));
}

let thread: Promise<ScriptThread> | undefined;
parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'start') thread = ScriptThread.start(message);
  else void thread?.then((it) => it.answer(message));
});
