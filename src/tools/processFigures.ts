// Measures the processes of the servers that Tool Search runs: their number and their memory.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServerProcess } from './toolProvider';

interface ProcessFigures {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The number of processes and their memory; undefined if the system doesn't report them. */
  readonly measured?: { readonly processes: number; readonly bytes: number };
}

/** The age, in milliseconds, at which figures are measured again. */
const FRESH_MS = 10_000;
/** The maximum time to list all processes, in milliseconds. */
const LIST_MS = 5_000;

const run = promisify(execFile);

/** Lists all processes with `ps`: one line each, with the process group and the memory in KiB. */
async function listProcesses(): Promise<string> {
  const { stdout } = await run('ps', ['-A', '-o', 'pgid=,rss='], { timeout: LIST_MS, maxBuffer: 2 ** 24 });
  return stdout;
}

/** Measures the servers' processes when the figures are read, but not more often than necessary. */
export class ProcessSampler {
  readonly #list: () => Promise<string>;
  readonly #measured: () => void;
  readonly #now: () => number;
  #servers: ReadonlyMap<string, ServerProcess> = new Map();
  #groups: ReadonlyMap<number, { readonly processes: number; readonly bytes: number }> = new Map();
  #figures: ReadonlyMap<string, ProcessFigures> = new Map();
  #at = Number.NEGATIVE_INFINITY;

  /** @param measured called when there are new figures */
  constructor(measured: () => void, list = listProcesses, now = Date.now) {
    this.#measured = measured;
    this.#list = list;
    this.#now = now;
  }

  /** Returns the figures by server. The map stays the same until the figures change. */
  read(servers: ReadonlyMap<string, ServerProcess>): ReadonlyMap<string, ProcessFigures> {
    const isSame =
      servers.size === this.#servers.size &&
      [...servers].every(([name, { pid }]) => this.#servers.get(name)?.pid === pid);
    this.#servers = servers;
    if (!isSame) {
      this.#at = Number.NEGATIVE_INFINITY;
      this.#make();
    }
    if (servers.size > 0 && this.#now() >= this.#at + FRESH_MS) void this.#measure();
    return this.#figures;
  }

  async #measure(): Promise<void> {
    this.#at = this.#now();
    try {
      this.#groups = groupsOf(await this.#list());
    } catch {
      // Windows has no `ps`, so only the start time is known.
      return;
    }
    this.#make();
    this.#measured();
  }

  #make(): void {
    this.#figures = new Map(
      [...this.#servers].map(([name, { pid, since }]) => {
        const measured = this.#groups.get(pid);
        return [name, { since, ...(measured && { measured }) }];
      }),
    );
  }
}

function groupsOf(list: string): ReadonlyMap<number, { readonly processes: number; readonly bytes: number }> {
  const groups = new Map<number, { processes: number; bytes: number }>();
  for (const line of list.split('\n')) {
    const [group, kilobytes] = line.trim().split(' ').filter(Boolean).map(Number);
    if (!group || kilobytes === undefined || Number.isNaN(kilobytes)) continue;
    const { processes, bytes } = groups.get(group) ?? { processes: 0, bytes: 0 };
    groups.set(group, { processes: processes + 1, bytes: bytes + kilobytes * 1024 });
  }
  return groups;
}
