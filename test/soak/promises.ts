import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A promise that something begun in a turn waits for. */
interface Open {
  readonly promise: WeakRef<object>;
  /** Where it was made. */
  readonly stack: string;
}

/**
 * Finds what a turn leaves waiting: promises that were made in it, by whatever it called, that have neither come to
 * anything nor been collected. Servers and connections outlive a turn: what is made for them is made outside of it.
 */
export class PromiseWatch {
  readonly #turn = new AsyncLocalStorage<true>();
  readonly #open = new Map<number, Open>();
  #made = 0;
  readonly #hook = createHook({
    init: (id, type, _, promise) => {
      if (type !== 'PROMISE' || this.#turn.getStore() === undefined) return;
      this.#open.set(id, { promise: new WeakRef(promise), stack: this.#made++ < PLACED ? stackHere() : '' });
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
    this.#open.clear();
  }

  /** Does something that belongs to a turn. */
  during<Result>(work: () => Result): Result {
    return this.#turn.run(true, work);
  }

  /** Does something that belongs to no turn, though one may have begun it. */
  outside<Result>(work: () => Result): Result {
    return this.#turn.exit(work);
  }

  /** Where those were made that are still waiting after as long as they may take, in milliseconds. */
  async leftAfter(ms: number): Promise<readonly string[]> {
    const deadline = Date.now() + ms;
    this.#made = 0;
    for (;;) {
      if (this.#open.size === 0) return [];
      // A reference that was looked at isn't collected before the next task.
      await new Promise((resolve) => setTimeout(resolve, 5));
      collectGarbage();
      for (const [id, { promise }] of this.#open) if (promise.deref() === undefined) this.#open.delete(id);
      if (this.#open.size === 0) return [];
      if (Date.now() >= deadline) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const left = [...this.#open.values()].map(({ stack }) => placeOf(stack));
    this.#open.clear();
    return [...new Set(left)];
  }
}

/**
 * Number of promises of a turn whose place is kept: formatting a stack is slow, and a raw stack keeps its objects
 * alive.
 */
const PLACED = 3_000;
/** Frames of a stack that are kept: the hook's own come first. */
const STACK = 12;

function stackHere(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = STACK;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}

/** The innermost places of the product, or of whatever made it. */
function placeOf(stack: string): string {
  const frames = stack
    .split('\n')
    .slice(1)
    .map((line) => line.trim().replace(/^at /, ''));
  const own = frames.filter(
    (frame) =>
      !frame.includes('node:') &&
      !frame.includes('PromiseWatch') &&
      !frame.includes('stackHere') &&
      !frame.includes('AsyncHook'),
  );
  return own.slice(0, 3).join(' ← ') || 'a place that was not kept';
}

let gc: (() => void) | undefined;

export function collectGarbage(): void {
  if (!gc) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as () => void;
  }
  gc();
}
