import type { ChildProcess } from 'node:child_process';
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import spawn from 'cross-spawn';
import { l10n } from '../../core/util/l10n';
import { isObject } from '../../core/util/objects';
import { backgroundTimer, isOverWithin } from '../../core/util/signals';
import { Burst, tooMuchUnasked } from './burst';
import { LineReader } from './lineReader';
import { endProcesses, type ProcessGuard } from './processes';
import { mendedError } from './serverError';
import { startOneByOne } from './startOneByOne';
import type { Target } from './target';

/** How long a server may take to end after its input has ended, and again after a signal. In milliseconds. */
const END_MS = 1000;
/** The longest message, in characters. */
const MAX_MESSAGE = 64 * 2 ** 20;
/** How many messages may wait for a server that doesn't read them: no question to a server is asked so often. */
const MAX_WAITING = 5_000;
/**
 * A bound in characters. A longer line of stderr is dropped. Of a line of stdout that is no message, this much is logged.
 */
const MAX_LINE = 10_000;
/** Lines that are no messages. A server that writes more of them in a minute is stopped. */
const MAX_JUNK = { count: 1_000, chars: 500_000 };
/** Characters of messages that nobody asked for. Their number is bounded for all transports: see mcpClient.ts. */
const MAX_UNASKED = { count: Number.POSITIVE_INFINITY, chars: 2 * MAX_MESSAGE };
/** Lines among which the reason for an end is looked for: a stack of calls takes most of them. */
const LAST_LINES = 30;

/**
 * A server as a child process. Unlike the SDK's own transport it starts the server as a process group, which can be
 * ended as a whole, and answers a request for which the server sent nonsense.
 */
export class StdioTransport implements Transport {
  readonly #target: Target & { kind: 'stdio' };
  readonly #guard: ProcessGuard;
  readonly #log: (line: string) => void;
  #child: ChildProcess | undefined;
  /** Messages that it hasn't read. */
  #waiting = 0;
  #closed: Promise<void> = Promise.resolve();
  /** It is to end, or never to begin. */
  #isClosed = false;
  /** Why we ended it. */
  #stopped: string | undefined;
  readonly #junk = new Burst(MAX_JUNK);
  readonly #unasked = new Burst(MAX_UNASKED);
  /** The last lines that it wrote to its error output. */
  #lastLines: readonly string[] = [];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(target: Target & { kind: 'stdio' }, guard: ProcessGuard, log: (line: string) => void) {
    this.#target = target;
    this.#guard = guard;
    this.#log = log;
  }

  /** By this and `stderr` the SDK knows a process: one that does not answer its first question is an older server. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Read here alone. */
  get stderr(): null {
    return null;
  }

  /** How it ended, in a sentence; undefined while it runs. */
  get ending(): string | undefined {
    const child = this.#child;
    if (this.#stopped) return this.#stopped;
    if (child?.pid === undefined || (child.exitCode === null && child.signalCode === null)) return undefined;
    const how = child.exitCode === null ? `by ${child.signalCode}` : `with code ${child.exitCode}`;
    const words = lastWords(this.#lastLines);
    return `Its process ended ${how}${words ? `: ${words}` : '.'}`;
  }

  async start(): Promise<void> {
    await startOneByOne(() => this.#guard.open());
    await startOneByOne(() => this.#spawn());
  }

  #spawn(): Promise<void> {
    const { command, args, cwd, env } = this.#target;
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        this.#guard.release(undefined);
        throw new Error('it was stopped before it started.');
      }
      const child = spawn(command, [...args], {
        cwd,
        env: { ...env },
        stdio: 'pipe',
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      this.#child = child;
      child.on('spawn', () => {
        if (child.pid !== undefined) this.#guard.watch(child.pid);
        resolve();
      });
      child.on('error', (error: NodeJS.ErrnoException) => {
        this.#guard.release(child.pid);
        reject(error.code === 'ENOENT' ? new Error(`there is no program ${command}, or no folder ${cwd}.`) : error);
      });
      this.#closed = new Promise((ended) => {
        child.on('exit', () => {
          // The processes that it started must not outlive it. One that got away may still hold its output open.
          backgroundTimer(() => [child.stdout, child.stderr].forEach((stream) => void stream?.destroy()), END_MS);
          if (child.pid === undefined) return;
          endProcesses(child.pid, 'SIGKILL');
          this.#guard.release(child.pid);
        });
        child.on('close', () => {
          ended();
          this.onclose?.();
        });
        child.on('error', () => ended());
      });
      child.stdin?.on('error', (error) => this.onerror?.(error));
      const out = new LineReader(MAX_MESSAGE, (line) => this.#read(line));
      child.stdout?.on('data', (chunk: Buffer) => {
        if (out.add(chunk)) return;
        this.stop(l10n.t('It was stopped because it sent a message of more than 64 MB.'));
      });
      // A server that closed its output can't answer any more, even if it lives on.
      child.stdout?.on('end', () => void this.close());
      const err = new LineReader(MAX_LINE, (line) => this.#hear(line));
      child.stderr?.on('data', (chunk: Buffer) => err.add(chunk));
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return Promise.reject(new Error(this.ending ?? l10n.t("It doesn't run.")));
    if (this.#waiting >= MAX_WAITING) {
      const reason = l10n.t('It was stopped because it doesn’t read its input.');
      this.stop(reason);
      return Promise.reject(new Error(reason));
    }
    this.#waiting++;
    return new Promise((resolve) =>
      stdin.write(serializeMessage(message), () => {
        this.#waiting--;
        resolve();
      }),
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.stdin?.end();
    if (await isOverWithin(END_MS, this.#closed)) return;
    endProcesses(child.pid, 'SIGTERM');
    if (await isOverWithin(END_MS, this.#closed)) return;
    endProcesses(child.pid, 'SIGKILL');
    await this.#closed;
  }

  /** Ends it for a reason that {@link ending} gives, and reads no more of it. */
  stop(reason: string): void {
    if (this.#stopped) return;
    this.#stopped = reason;
    this.#log(reason);
    this.#child?.stdout?.destroy();
    void this.close();
  }

  /** Takes note of a line that is no message. Some servers write a few of their log there, which does no harm. */
  #reject(line: string): void {
    if (!this.#junk.add(line.length))
      this.stop(l10n.t('It was stopped because it writes too much to its output that isn’t MCP.'));
    else if (line.trim() !== '') this.#log(`wrote what isn't MCP: ${line.slice(0, MAX_LINE)}`);
  }

  #read(line: string): void {
    if (this.#stopped) return;
    if (line.trim() === '') {
      this.#reject(line);
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#reject(line);
      return;
    }
    // As the protocol of 2025-03-26 has it.
    if (isObject(value) && 'method' in value && !this.#unasked.add(line.length)) this.stop(tooMuchUnasked());
    else if (Array.isArray(value)) for (const each of value) this.#take(each, line);
    else this.#take(value, line);
  }

  #take(value: unknown, line: string): void {
    if (this.#stopped) return;
    let message: JSONRPCMessage | undefined;
    try {
      message = parseJSONRPCMessage(mendedError(value) ?? value);
    } catch {
      // Answered below.
    }
    if (message) {
      this.onmessage?.(message);
      return;
    }
    this.#reject(line);
    if (!isObject(value) || 'method' in value || (typeof value.id !== 'number' && typeof value.id !== 'string')) return;
    this.onmessage?.({
      jsonrpc: '2.0',
      id: value.id,
      error: { code: -32603, message: "The server's answer isn't valid MCP." },
    });
  }

  #hear(line: string): void {
    const words = line.trim();
    if (words === '') return;
    this.#lastLines = [...this.#lastLines, words].slice(-LAST_LINES);
    this.#log(words);
  }
}

/** Why it ended: the last line, or the error that a runtime put before a stack of calls and its own version. */
function lastWords(lines: readonly string[]): string | undefined {
  return lines.findLast((line) => ERRORS.some((words) => line.includes(words))) ?? lines.at(-1);
}

/** How Node, Python, Java and .NET report an uncaught error. */
const ERRORS = ['Error: ', 'Exception: ', 'Exception in thread '];
