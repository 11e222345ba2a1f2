import { ChildProcess } from 'node:child_process';

/** How long the extension host didn't answer in a phase, in milliseconds. */
export interface Figures {
  readonly phase: string;
  /** The longest time between two looks beyond the pause between them: what the machine took for others counts too. */
  readonly longestDelayMs: number;
  /** The longest time that the host's thread worked without a pause: a block of its own making. */
  readonly longestBlockMs: number;
  /** The same without the starting of processes: VS Code starts all servers in one go. */
  readonly longestBlockBesideStartsMs: number;
  readonly seconds: number;
}

/** How often it looks, in milliseconds. */
const PAUSE_MS = 5;

/** Looks at the event loop all the time. Two clocks: on a busy machine the wall clock blames the host for waiting its turn. */
export class Responsiveness {
  readonly #figures: Figures[] = [];
  #stop = () => {};

  get figures(): readonly Figures[] {
    return this.#figures;
  }

  begin(phase: string): void {
    this.#stop();
    const started = performance.now();
    let last = started;
    let worked = threadCpuMs();
    let delay = 0;
    let block = 0;
    let blockBesideStarts = 0;
    let starts = 0;
    const stopCounting = countStarts((ms) => {
      starts += ms;
    });
    const timer = setInterval(() => {
      const now = performance.now();
      const work = threadCpuMs();
      delay = Math.max(delay, now - last - PAUSE_MS);
      block = Math.max(block, work - worked);
      blockBesideStarts = Math.max(blockBesideStarts, work - worked - starts);
      starts = 0;
      last = now;
      worked = work;
    }, PAUSE_MS);
    this.#stop = () => {
      clearInterval(timer);
      stopCounting();
      this.#figures.push({
        phase,
        longestDelayMs: Math.round(delay),
        longestBlockMs: Math.round(block),
        longestBlockBesideStartsMs: Math.round(blockBesideStarts),
        seconds: Math.round((performance.now() - started) / 100) / 10,
      });
      this.#stop = () => {};
    };
  }

  end(): void {
    this.#stop();
  }
}

/** Hears what each process that is started from here costs this thread, in milliseconds. Returns what stops that. */
function countStarts(hear: (ms: number) => void): () => void {
  const prototype = ChildProcess.prototype as unknown as { spawn(options: unknown): unknown };
  const { spawn } = prototype;
  prototype.spawn = function (options) {
    const before = threadCpuMs();
    const result = spawn.call(this, options);
    hear(threadCpuMs() - before);
    return result;
  };
  return () => {
    prototype.spawn = spawn;
  };
}

/** The processor time of this thread; in microseconds from Node, whose typings don't have it yet. */
function threadCpuMs(): number {
  const { user, system } = (process as unknown as { threadCpuUsage(): { user: number; system: number } }).threadCpuUsage();
  return (user + system) / 1000;
}
