import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A pending promise that was created in a turn. */
interface Open {
  readonly promise: WeakRef<object>;
  /** The stack at its creation. */
  readonly stack: string;
}

/** What Node knows of a timer: whether it has ended or was stopped. A hook that hears of it slows every promise. */
interface Timer {
  readonly _destroyed: boolean;
}

/**
 * Finds promises that were created in a turn, directly or by called code, and were neither settled nor collected, and
 * timers that still wait. Servers and connections outlive a turn, so their promises are created outside of it.
 */
export class PromiseWatch {
  readonly #turn = new AsyncLocalStorage<true>();
  readonly #open = new Map<number, Open>();
  /** Timers that turns have started, with the stacks of their start. */
  readonly #timers = new Map<WeakRef<Timer>, string>();
  #made = 0;
  readonly #hook = createHook({
    init: (id, type, _, made) => {
      if (this.#turn.getStore() === undefined) return;
      if (type === 'Timeout') this.#timers.set(new WeakRef(made as Timer), stackHere());
      if (type !== 'PROMISE') return;
      this.#open.set(id, { promise: new WeakRef(made), stack: this.#made++ < PLACED ? stackHere() : '' });
    },
    // Only this hook sees the continuation of an await.
    before: (id) => void this.#open.delete(id),
    promiseResolve: (id) => void this.#open.delete(id),
  });

  start(): void {
    this.#hook.enable();
  }

  stop(): void {
    this.#hook.disable();
    this.#turn.disable();
    this.#open.clear();
    this.#timers.clear();
  }

  /** Where the turns' timers that neither ended nor were stopped were started. */
  get timers(): readonly string[] {
    for (const timer of this.#timers.keys()) if (timer.deref()?._destroyed !== false) this.#timers.delete(timer);
    // Timers that Node starts by itself, for its connections, are its own affair.
    return [...this.#timers.values()].map(placeOf).filter((place) => place !== UNKNOWN);
  }

  /** Runs work that belongs to a turn. */
  during<Result>(work: () => Result): Result {
    return this.#turn.run(true, work);
  }

  /** Runs work that belongs to no turn, even if a turn starts it. */
  outside<Result>(work: () => Result): Result {
    return this.#turn.exit(work);
  }

  /** Waits up to `ms` milliseconds, and returns where the promises that are still pending were created. */
  async leftAfter(ms: number): Promise<readonly string[]> {
    this.#made = 0;
    const left = await leftAfter(ms, () => {
      for (const [id, { promise }] of this.#open) if (promise.deref() === undefined) this.#open.delete(id);
      return [...this.#open.values()];
    });
    this.#open.clear();
    return [...new Set(left.map(({ stack }) => placeOf(stack)))];
  }
}

/** Waits up to `ms` milliseconds until the list is empty, and returns what is left. Collects garbage meanwhile. */
export async function leftAfter<Item>(ms: number, list: () => readonly Item[]): Promise<readonly Item[]> {
  const deadline = Date.now() + ms;
  let left = list();
  // A reference that was read isn't collected before the next task.
  for (let over = false, wait = 20; left.length > 0 && !over; left = list(), wait *= 2) {
    over = Date.now() >= deadline;
    await new Promise((resolve) => setTimeout(resolve, wait));
    collectGarbage();
  }
  return left;
}

/**
 * Maximum number of a turn's promises whose stack is kept. Formatting a stack is slow, and a raw stack keeps its
 * objects alive.
 */
const PLACED = 3_000;
/** Number of a stack's frames that are kept. The hook's own frames come first. */
const STACK = 12;

const UNKNOWN = 'a place that was not kept';

function stackHere(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = STACK;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}

/** The innermost frames of a stack, without those of Node and of this hook. */
function placeOf(stack: string): string {
  const frames = stack
    .split('\n')
    .slice(1)
    .map((line) => line.trim().replace(/^at /, ''));
  const own = frames.filter((frame) => !/node:|PromiseWatch|stackHere|AsyncHook/.test(frame));
  return own.slice(0, 3).join(' ← ') || UNKNOWN;
}

let gc: (() => void) | undefined;

export function collectGarbage(): void {
  if (!gc) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as () => void;
  }
  gc();
}
