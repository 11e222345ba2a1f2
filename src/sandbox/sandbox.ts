// Runs scripts in a sandbox: a thread and an engine for each script, limits on time and memory, and a queue.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { SandboxEnd, SandboxPort, ScriptAnswer, ScriptLimits, ScriptRequest } from '../core/code/sandboxPort';
import { messageOf } from '../core/util/messageOf';
import { onAbort } from '../core/util/signals';
import { backgroundTimer, every, systemTimer } from '../core/util/timers';
import { isOverdue, THREAD_MEMORY } from './scriptLimits';
import { type FromThread, MAX_IN, readMessage, readRequest, type ToThread } from './threadMessages';

/** The files of a thread in the extension's package. */
export interface SandboxFiles {
  /** The thread's script. */
  readonly worker: string;
  /** The WebAssembly file of the engine. */
  readonly engine: string;
}

/** The maximum number of scripts that run at once in a window. Others wait. */
const MAX_RUNNING = 4;
/** The interval at which a script's computing time is checked from outside, in milliseconds. */
const WATCH_EVERY_MS = 250;
/** The time that a thread has to start, in milliseconds. After that it is ended. */
const START_MS = 15_000;
/** The maximum time of one sleep of a script, and of all its sleeps together, in milliseconds. */
const MAX_SLEEP_MS = 10_000;
const MAX_SLEEPS_MS = 60_000;
const ISOLATED = {
  ...{ env: {}, argv: [], execArgv: [], stdin: false, stdout: true, stderr: true },
  resourceLimits: THREAD_MEMORY,
};

/**
 * Runs each script in its own thread and engine, which end with it. The engine is the first barrier: its only host
 * functions take texts. The thread is the second: it has no environment, no output and a limited heap, and can always
 * be ended.
 */
export class Sandbox implements SandboxPort {
  readonly #files: SandboxFiles;
  readonly #log: (message: string) => void;
  #module: Promise<WebAssembly.Module> | undefined;
  #unavailable: string | undefined;
  #running = 0;
  readonly #queue: (() => void)[] = [];

  /** @param log called with the reason if scripts can't run on this machine */
  constructor(files: SandboxFiles, log: (message: string) => void) {
    this.#files = files;
    this.#log = log;
    const missing = [files.worker, files.engine].find((file) => !existsSync(file));
    if (missing !== undefined) this.#fail(`${missing} is missing.`);
  }

  get unavailable(): string | undefined {
    return this.#unavailable;
  }

  async run(
    code: string,
    limits: ScriptLimits,
    answer: (request: ScriptRequest) => Promise<ScriptAnswer>,
    signal: AbortSignal,
  ): Promise<SandboxEnd> {
    if (!(await this.#place(signal))) return stopped('cancelled');
    try {
      if (signal.aborted) return stopped('cancelled');
      if (this.#unavailable !== undefined) return stopped('lost', this.#unavailable);
      this.#module ??= readFile(this.#files.engine).then((bytes) => WebAssembly.compile(bytes));
      const worker = new Worker(this.#files.worker, { ...ISOLATED, workerData: { engine: await this.#module } });
      const run = new ThreadRun(worker, limits, answer);
      const end = await run.until(code, signal);
      // If a thread doesn't start, although its script wasn't ended, no other thread will start either.
      if (end.kind === 'stopped' && end.reason === 'lost' && !run.stood) this.#fail(end.why ?? 'The thread ended.');
      return end;
    } catch (error) {
      const why = messageOf(error);
      this.#fail(why);
      return stopped('lost', why);
    } finally {
      // Lets the next script in the queue run, or reduces the number of running scripts.
      const next = this.#queue.shift();
      if (next) next();
      else this.#running--;
    }
  }

  /** Waits until the script may run. Resolves with false if it is cancelled first. */
  #place(signal: AbortSignal): Promise<boolean> {
    if (this.#running < MAX_RUNNING) {
      this.#running++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const go = () => {
        stay();
        resolve(true);
      };
      this.#queue.push(go);
      const stay = onAbort(signal, () => {
        this.#queue.splice(this.#queue.indexOf(go), 1);
        resolve(false);
      });
    });
  }

  #fail(why: string): void {
    this.#unavailable = why;
    this.#log(`Scripts can't run, so run_code isn't offered: ${why}`);
  }
}

function stopped(reason: Extract<SandboxEnd, { kind: 'stopped' }>['reason'], why?: string): SandboxEnd {
  return { kind: 'stopped', reason, logs: [], unawaited: [], computeMs: 0, ...(why === undefined ? {} : { why }) };
}

/** A script's thread as seen by the host. */
class ThreadRun {
  readonly #worker: Worker;
  readonly #limits: ScriptLimits;
  readonly #answer: (request: ScriptRequest) => Promise<ScriptAnswer>;
  readonly #logs: string[] = [];
  #slept = 0;
  #sent = 0;
  #seen = 0;
  #computed = 0;
  /** The time at which the thread got work that it hasn't finished; undefined if it has none. */
  #busySince: number | undefined;
  #over = false;
  /** Whether the engine has started. */
  stood = false;

  constructor(worker: Worker, limits: ScriptLimits, answer: (request: ScriptRequest) => Promise<ScriptAnswer>) {
    this.#worker = worker;
    this.#limits = limits;
    this.#answer = answer;
  }

  until(code: string, signal: AbortSignal): Promise<SandboxEnd> {
    return new Promise((resolve) => {
      let endCancel = () => {};
      const finish = (end: SandboxEnd) => {
        if (this.#over) return;
        this.#over = true;
        endWatch();
        endStart();
        endCancel();
        void this.#worker.terminate();
        resolve({ ...end, logs: this.#logs, computeMs: end.computeMs || this.#computed });
      };
      const endStart = systemTimer(() => {
        if (!this.stood) finish(stopped('lost', `The thread did not start within ${START_MS / 1000} seconds.`));
      }, START_MS);
      const endWatch = every(() => {
        if (this.stood && isOverdue(this.#time(), this.#limits))
          finish({ ...stopped('time'), computeMs: this.#time() });
      }, WATCH_EVERY_MS);
      endCancel = onAbort(signal, () => finish(stopped('cancelled')));
      this.#worker.on('message', (data) => {
        if (this.#over) return;
        const message = readMessage(data);
        const end = message ? this.#hear(message) : stopped('lost', 'What came out of the thread is no message.');
        if (end) finish(end);
      });
      this.#worker.on('error', (error) => finish(endOf(error)));
      this.#worker.on('exit', () => finish(stopped('lost', 'The thread ended by itself.')));
      this.#post({ type: 'start', code, limits: this.#limits });
    });
  }

  /** Returns the engine's computing time, as measured by the host, in milliseconds. */
  #time(): number {
    return this.#computed + (this.#busySince === undefined ? 0 : performance.now() - this.#busySince);
  }

  /** Handles a message. Returns the end of the script if the message reports it. */
  #hear(message: FromThread): SandboxEnd | undefined {
    switch (message.type) {
      case 'ready':
        this.stood = true;
        this.#busySince = performance.now();
        return undefined;
      case 'idle':
        this.#seen = message.seen;
        this.#computed = message.computeMs;
        this.#busySince = this.#sent > this.#seen ? performance.now() : undefined;
        return undefined;
      case 'log':
        this.#logs.push(message.text);
        return undefined;
      case 'ask': {
        const asked = readRequest(message.ask);
        if (!asked) return stopped('lost', 'What the script asked is no request.');
        void this.#reply(asked.id, asked.request);
        return undefined;
      }
      case 'returned':
        return { ...message, kind: message.type, logs: [] };
      case 'threw':
        return { ...message, kind: message.type, logs: [] };
      case 'stopped':
        return { ...stopped(message.reason, message.why), unawaited: message.unawaited, computeMs: message.computeMs };
    }
  }

  async #reply(id: number, request: ScriptRequest): Promise<void> {
    const answer = request.op === 'sleep' ? await this.#sleep(request.ms) : await this.#answer(request);
    if (this.#over) return;
    const tooLong = answer.kind !== 'error' && answer.text.length > MAX_IN;
    const words = `This result has ${tooLong ? answer.text.length.toLocaleString('en') : 0} characters; a script takes ${MAX_IN.toLocaleString('en')} at the most. Ask the tool for less.`;
    this.#post({ type: 'answer', id, answer: tooLong ? { kind: 'error', message: words } : answer });
  }

  async #sleep(ms: number): Promise<ScriptAnswer> {
    const time = Math.max(0, ms);
    if (time > MAX_SLEEP_MS || this.#slept + time > MAX_SLEEPS_MS) {
      const words = `sleep takes ${MAX_SLEEP_MS / 1000} seconds at a time and ${MAX_SLEEPS_MS / 1000} in all.`;
      return { kind: 'error', message: words };
    }
    this.#slept += time;
    // A sleep that outlives its script does no harm.
    await new Promise<void>((resolve) => backgroundTimer(resolve, time));
    return { kind: 'json', text: 'null' };
  }

  #post(message: ToThread): void {
    this.#sent++;
    this.#busySince ??= performance.now();
    this.#worker.postMessage(message);
  }
}

/** Returns the end of a script whose thread failed. If the heap limit was exceeded, the script used too much memory. */
function endOf(error: unknown): SandboxEnd {
  const { code, message } = error as { code?: string; message?: string };
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? stopped('memory') : stopped('lost', message ?? String(error));
}
