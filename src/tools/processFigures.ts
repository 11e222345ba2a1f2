// Measures the processes of servers that Tool Search runs: how many, and their memory.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServerProcess } from './toolProvider';

/** A server's processes, for people. */
interface ProcessFigures {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Absent if the system doesn't say. */
  readonly measured?: { readonly processes: number; readonly bytes: number };
}

/** Older figures are measured again. In milliseconds. */
const FRESH_MS = 10_000;
/** How long the system may take to list its processes, in milliseconds. */
const LIST_MS = 5_000;

const run = promisify(execFile);

/** Lists all processes as `ps` does: a line each, with process group and memory in units of 1,024 bytes. */
async function listProcesses(): Promise<string> {
  const { stdout } = await run('ps', ['-A', '-o', 'pgid=,rss='], { timeout: LIST_MS, maxBuffer: 2 ** 24 });
  return stdout;
}

/** Measures now and then what servers take: when it is read, and not more often than needed. */
export class ProcessSampler {
  readonly #list: () => Promise<string>;
  readonly #measured: () => void;
  readonly #now: () => number;
  #servers: ReadonlyMap<string, ServerProcess> = new Map();
  #groups: ReadonlyMap<number, { readonly processes: number; readonly bytes: number }> = new Map();
  #figures: ReadonlyMap<string, ProcessFigures> = new Map();
  #at = Number.NEGATIVE_INFINITY;

  /** @param measured hears of new figures */
  constructor(measured: () => void, list = listProcesses, now = Date.now) {
    this.#measured = measured;
    this.#list = list;
    this.#now = now;
  }

  /** The figures by server: the same map until there are other figures. */
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
      // Windows has no such list: then only the time is known.
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
