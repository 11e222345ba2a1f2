// The transport of the MCP SDK for servers that run as child processes.

import type { ChildProcess } from 'node:child_process';
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import spawn from 'cross-spawn';
import { l10n } from '../../../core/util/l10n';
import { isObject, parseJson } from '../../../core/util/objects';
import { backgroundTimer, isOverWithin } from '../../../core/util/timers';
import type { Target } from '../config/resolveEntry';
import { createLineReader } from './lineReader';
import { endProcesses, type ProcessGuard } from './processes';
import { createRateLimit, tooMuchUnasked } from './rateLimit';
import { mendedError } from './serverError';
import { startOneByOne } from './startOneByOne';

/** The maximum length of a message of a process, in characters. */
export const MAX_MESSAGE = 64 * 2 ** 20;
/** The time that a server has to end after its input has closed, and again after a signal. */
const END_MS = 1000;
/** The maximum number of messages that a server hasn't read yet. Normal use never comes near this. */
const MAX_WAITING = 5_000;
/** In characters. Longer lines of stderr are dropped; those of stdout that aren't messages are cut in the log. */
const MAX_LINE = 10_000;
/** The limits within a minute on lines that aren't messages. A server that exceeds them is stopped. */
const MAX_JUNK = { count: 1_000, chars: 500_000 };
/** The limit within a minute on characters of messages that aren't answers. `sdkConnection.ts` limits their number. */
const MAX_UNASKED = { chars: 2 * MAX_MESSAGE };
/** The limits within a minute on the error output. A server that exceeds them is stopped, since reading takes time. */
const MAX_ERRORS = { lines: 100_000, bytes: MAX_MESSAGE };
/** The number of last lines in which the reason for an end is searched. Most of them may be a stack trace. */
const LAST_LINES = 30;

/** A message wasn't sent, since the process has ended. */
export class NotSent extends Error {}

/**
 * Runs a server as a child process. Unlike the SDK's transport, it starts a process group, which can be ended as a
 * whole. If the server's answer to a request is invalid, the request fails instead of waiting.
 */
export class StdioTransport implements Transport {
  readonly #target: Target & { kind: 'stdio' };
  readonly #guard: ProcessGuard;
  readonly #log: (line: string) => void;
  #child: ChildProcess | undefined;
  /** The number of messages that the server hasn't read yet. */
  #waiting = 0;
  #closed: Promise<void> = Promise.resolve();
  /** Whether the server has been closed. If it hasn't started yet, it won't. */
  #isClosed = false;
  /** The reason why the extension stopped the server. */
  #stopped: string | undefined;
  readonly #junk = createRateLimit(MAX_JUNK);
  readonly #unasked = createRateLimit(MAX_UNASKED);
  readonly #errorLines = createRateLimit({ count: MAX_ERRORS.lines });
  readonly #errorBytes = createRateLimit({ chars: MAX_ERRORS.bytes });
  /** The last lines of the server's error output. */
  #lastLines: readonly string[] = [];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(target: Target & { kind: 'stdio' }, guard: ProcessGuard, log: (line: string) => void) {
    this.#target = target;
    this.#guard = guard;
    this.#log = log;
  }

  /** The SDK recognizes a process by `pid` and `stderr`. One that doesn't answer at first counts as an older server. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Always null, since this class itself reads the error output. */
  get stderr(): null {
    return null;
  }

  /** How the server ended, as a sentence; undefined while it runs. */
  get ending(): string | undefined {
    const child = this.#child;
    if (this.#stopped) return this.#stopped;
    if (child?.pid === undefined || (child.exitCode === null && child.signalCode === null)) return undefined;
    const words = lastWords(this.#lastLines);
    if (child.exitCode === null) return l10n.t('Its process was ended by {0}.', child.signalCode ?? '');
    return words
      ? l10n.t('Its process ended with code {0}: {1}', child.exitCode, words)
      : l10n.t('Its process ended with code {0}.', child.exitCode);
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
        throw new Error(l10n.t('it was stopped before it started.'));
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
        const missing = l10n.t('there is no program {0}, or no folder {1}.', command, cwd);
        reject(error.code === 'ENOENT' ? new Error(missing) : error);
      });
      this.#closed = new Promise((ended) => {
        child.on('exit', () => {
          // All processes that the server started must end too. One that has left the group may keep the output open.
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
      const readOut = createLineReader(MAX_MESSAGE, (line) => this.#read(line));
      child.stdout?.on('data', (chunk: Buffer) => {
        if (!readOut(chunk)) this.stop(l10n.t('It was stopped because it sent a message of more than 64 MB.'));
      });
      // A server that closed its output can't answer, even if it keeps running.
      child.stdout?.on('end', () => void this.close());
      const readErrors = createLineReader(MAX_LINE, (line) => this.#hear(line));
      child.stderr?.on('data', (chunk: Buffer) => {
        if (this.#errorBytes(chunk.length)) readErrors(chunk);
        else this.#stopShouting();
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return Promise.reject(new NotSent(this.ending ?? l10n.t("It doesn't run.")));
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

  /** Stops the server and ignores its further output. {@link ending} returns the reason. */
  stop(reason: string): void {
    if (this.#stopped) return;
    this.#stopped = reason;
    this.#log(reason);
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
    void this.close();
  }

  /** Logs a line that isn't a message. Some servers write a few such lines, which does no harm. */
  #reject(line: string): void {
    if (!this.#junk(line.length))
      this.stop(l10n.t('It was stopped because its output contains too much text that isn’t MCP.'));
    else if (line.trim() !== '') this.#log(`wrote what isn't MCP: ${line.slice(0, MAX_LINE)}`);
  }

  #read(line: string): void {
    if (this.#stopped) return;
    const value = parseJson(line);
    if (value === undefined) {
      this.#reject(line);
      return;
    }
    // Revision 2025-03-26 of the protocol allows several messages on one line, as an array.
    const messages = Array.isArray(value) ? value : [value];
    const isUnasked = messages.some((each) => isObject(each) && 'method' in each);
    if (isUnasked && !this.#unasked(line.length)) this.stop(tooMuchUnasked());
    else for (const each of messages) this.#take(each, line);
  }

  #take(value: unknown, line: string): void {
    if (this.#stopped) return;
    let message: JSONRPCMessage | undefined;
    try {
      message = parseJSONRPCMessage(mendedError(value) ?? value);
    } catch {
      // Handled below.
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

  #stopShouting(): void {
    this.stop(l10n.t('It was stopped because it writes too much to its error output.'));
  }

  #hear(line: string): void {
    if (this.#stopped) return;
    if (!this.#errorLines()) this.#stopShouting();
    const words = line.trim();
    if (words === '') return;
    this.#lastLines = [...this.#lastLines, words].slice(-LAST_LINES);
    this.#log(words);
  }
}

/** Returns the reason why the server ended: its last line that looks like an error, otherwise its last line. */
function lastWords(lines: readonly string[]): string | undefined {
  return lines.findLast((line) => ERRORS.some((words) => line.includes(words))) ?? lines.at(-1);
}

/** Parts of the lines with which Node, Python, Java and .NET report an uncaught error. */
const ERRORS = ['Error: ', 'Exception: ', 'Exception in thread '];
