import { parentPort, workerData } from 'node:worker_threads';
import type { ScriptLimits } from '../core/code/sandboxPort';
import { Engine, type Settled } from './engine';
import type { FromThread, ToThread } from './messages';

/** Characters of logged lines that leave the thread; more are counted, not sent. */
const MAX_LOGGED = 2_000_000;
/** Logged lines beyond the first so many leave the thread together, by so many characters: a message for each holds the host up. */
const SINGLE_LINES = 100;
const LOG_CHARS = 16_000;
/** Requests beside calls of tools (searches, results, sleeps): a script that asks without end is ended as one that calls so. */
const OTHER_REQUESTS = 1_000;

/**
 * A script's thread. It does nothing by itself: each message of the host's is a slice of work, whose time is measured, and what
 * the script asks goes out. It ends with the host's word or the script.
 */
class ScriptThread {
  readonly #engine: Engine;
  readonly #limits: ScriptLimits;
  #computed = 0;
  #sliceStart: number | undefined;
  #seen = 0;
  #calls = 0;
  #others = 0;
  #open = 0;
  #openCalls = 0;
  readonly #openIds = new Map<number, boolean>();
  #logged = 0;
  #lines: string[] = [];
  #lineChars = 0;
  #lineCount = 0;
  #settled: Settled | undefined;
  #stopped: 'calls' | 'time' | undefined;

  static async start(start: Extract<ToThread, { type: 'start' }>): Promise<ScriptThread> {
    const parts: { thread?: ScriptThread } = {};
    const engine = await Engine.create(workerData.engine as WebAssembly.Module, {
      onAsk: (json) => parts.thread?.ask(json),
      onLog: (text) => parts.thread?.log(text),
      onSettled: (settled) => parts.thread?.settle(settled),
      isOver: () => parts.thread?.isOver() ?? false,
    });
    const thread = new ScriptThread(engine, start.limits);
    parts.thread = thread;
    post({ type: 'ready' });
    thread.slice(() => engine.start(start.code));
    return thread;
  }

  constructor(engine: Engine, limits: ScriptLimits) {
    this.#engine = engine;
    this.#limits = limits;
  }

  answer({ id, answer }: Extract<ToThread, { type: 'answer' }>): void {
    const isCall = this.#openIds.get(id);
    if (isCall === undefined) return;
    this.#openIds.delete(id);
    this.#open--;
    if (isCall) this.#openCalls--;
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
    if (this.#stopped) return;
    const { id, op } = JSON.parse(json) as { id: number; op: string };
    const isCall = op === 'call';
    if (isCall ? ++this.#calls > this.#limits.calls : ++this.#others > OTHER_REQUESTS) {
      this.#stop('calls');
      return;
    }
    this.#openIds.set(id, isCall);
    this.#open++;
    if (isCall) this.#openCalls++;
    post({ type: 'ask', ask: json });
  }

  log(text: string): void {
    this.#logged += text.length;
    if (this.#logged > MAX_LOGGED) return;
    this.#lines.push(text);
    this.#lineChars += text.length;
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
    if (this.#stopped === undefined && this.#time() > this.#limits.computeMs) this.#stop('time');
    return this.#stopped !== undefined;
  }

  /** Said at once, so that the host ends the thread: what interrupts a script ends up in a promise where one is being made. */
  #stop(reason: 'calls' | 'time'): void {
    this.#stopped = reason;
    this.#flush();
    post({ type: 'stopped', reason, unawaited: [], computeMs: this.#time() });
  }

  #time(): number {
    return this.#computed + (this.#sliceStart === undefined ? 0 : performance.now() - this.#sliceStart);
  }

  /** How the script ended; undefined while it goes on, and where that has been said. What has returned waits for its calls. */
  #end(): FromThread | undefined {
    const computeMs = this.#computed;
    if (this.isOver()) return undefined;
    const unawaited = this.#engine.unawaited.map(({ name, message }) => (name && name !== 'ToolError' ? `${name}: ${message}` : message));
    const stopped = (reason: 'memory' | 'stuck' | 'lost', why?: string): FromThread => ({
      type: 'stopped',
      reason,
      unawaited,
      computeMs,
      ...(why === undefined ? {} : { why }),
    });
    if (!this.#settled) return this.#open === 0 ? stopped('stuck') : undefined;
    if (this.#openCalls > 0) return undefined;
    if ('value' in this.#settled) return { type: 'returned', value: this.#settled.value, unawaited, computeMs };
    const { name, message, stack, tool } = this.#settled.error;
    if (/out of memory|wasm_malloc failed|memory access out of bounds/.test(message) && tool === undefined) return stopped('memory');
    if (name === 'RuntimeError') return stopped('lost', message);
    const place = this.#engine.placeOf(stack);
    return { type: 'threw', name, message, unawaited, computeMs, ...(place ? { place } : {}), ...(tool === undefined ? {} : { tool }) };
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
