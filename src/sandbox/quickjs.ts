// The JavaScript engine of the sandbox: QuickJS in WebAssembly. A script has access to only three host functions.

import { EvalFlags, JSException, type JSValueHandle, MAX_STACK_SIZE, QuickJS } from 'quickjs-wasi';
import { ENGINE_MIB, type SilentFaults } from '../core/code/sandboxPort';
import { localText } from './localText';
import { PRELUDE } from './prelude';

/** The name of the script in stack traces. */
const SCRIPT = 'script';
/** The maximum number of unhandled errors that are stored. Further ones are replaced by one note. */
const MAX_UNAWAITED = 20;
const MORE_UNAWAITED: Thrown = { name: '', message: 'and others', stack: '' };
/** The engine's message for a `return` outside a function. */
const RETURN_OUTSIDE = 'return not in a function';

/** An error that a script or the engine threw. The engine makes its `stack`. */
interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly tool?: string;
  /** Whether the engine itself threw the error. */
  readonly isEngine?: boolean;
}

export type Settled = (
  | { readonly value: { readonly type: 'text' | 'json'; readonly text: string } | { readonly type: 'nothing' } }
  | { readonly error: Thrown }
) & { readonly faults?: SilentFaults };

interface EngineHooks {
  /** Called with a request of the script as JSON. An error that this function throws is thrown in the script. */
  readonly onAsk: (json: string) => void;
  readonly onLog: (text: string) => void;
  /** Called with the script's result or error. Its calls may still be running. */
  readonly onSettled: (settled: Settled) => void;
  /** Called regularly while the script computes. If it returns true, the script ends. */
  readonly isOver: () => boolean;
}

/** A compiled form of the code, with the number of lines that were added before the script's own. */
interface Compiled {
  readonly source: string;
  readonly flags: number;
  readonly linesBefore: number;
  readonly isScript: boolean;
}

/**
 * Runs one script in QuickJS, with limited memory. The script can only call the functions in {@link EngineHooks}, which
 * take texts. Only this file uses quickjs-wasi.
 */
export class Engine {
  readonly #vm: QuickJS;
  readonly #hooks: EngineHooks;
  readonly #deliver: JSValueHandle;
  readonly #settle: JSValueHandle;
  readonly #read: JSValueHandle;
  /** Unhandled errors by the address of their promise, and unhandled errors whose promise no longer exists. */
  readonly #unawaited = new Map<number, Thrown>();
  readonly #lost: Thrown[] = [];
  readonly #moreUnawaited = new Set<number>();
  #linesBefore = 0;

  static async create(module: WebAssembly.Module, hooks: EngineHooks): Promise<Engine> {
    const unawaited: { heard?: (promise: JSValueHandle, reason: JSValueHandle, handled: boolean) => void } = {};
    const vm = await QuickJS.create({
      wasm: module,
      memoryLimit: ENGINE_MIB * 1024 * 1024,
      maxStackSize: MAX_STACK_SIZE,
      interruptHandler: hooks.isOver,
      onUnhandledRejection: (promise: JSValueHandle, reason: JSValueHandle, handled: boolean) =>
        unawaited.heard?.(promise, reason, handled),
      // Discards the engine's own output.
      wasi: () => ({ fd_write: () => 8 }),
    });
    const engine = new Engine(vm, hooks);
    unawaited.heard = (promise, reason, handled) => engine.#heardRejection(promise, reason, handled);
    return engine;
  }

  private constructor(vm: QuickJS, hooks: EngineHooks) {
    this.#vm = vm;
    this.#hooks = hooks;
    const takesText = (name: string, hear: (text: string) => void) =>
      vm.newFunction(name, (text) => {
        if (text?.isString) hear(text.toString());
        return vm.undefined;
      });
    const prelude = vm.evalCode(PRELUDE, 'prelude');
    const parts = vm.callFunction(
      prelude,
      vm.undefined,
      takesText('ask', hooks.onAsk),
      takesText('log', hooks.onLog),
      takesText('end', (json) => hooks.onSettled(JSON.parse(json) as Settled)),
      vm.newFunction('local', (text) => vm.newString(localText(text?.toString() ?? ''))),
    );
    this.#deliver = parts.getProp('deliver');
    this.#settle = parts.getProp('settle');
    this.#read = parts.getProp('read');
  }

  /** Compiles the script and runs it until it waits or ends. */
  start(code: string): void {
    this.#guarded(() => {
      const compiled = this.#compile(code);
      if ('error' in compiled) {
        this.#hooks.onSettled(compiled);
        return;
      }
      const { source, flags, linesBefore, isScript } = compiled;
      this.#linesBefore = linesBefore;
      const vm = this.#vm;
      const evaluated = vm.evalCode(source, SCRIPT, flags);
      const promise = isScript ? evaluated : vm.callFunction(evaluated, vm.undefined);
      vm.callFunction(this.#settle, vm.undefined, promise, isScript ? vm.true : vm.false);
      vm.executePendingJobs();
    });
  }

  /** Passes an answer to the script and runs it until it waits or ends. */
  deliver(id: number, kind: string, text: string): void {
    this.#guarded(() => {
      this.#vm.withScope(() => {
        const args = [this.#vm.newNumber(id), this.#vm.newString(kind), this.#vm.newString(text)];
        this.#vm.callFunction(this.#deliver, this.#vm.undefined, ...args);
      });
      this.#vm.executePendingJobs();
    });
  }

  /** The errors that the script hasn't handled. */
  get unawaited(): readonly Thrown[] {
    return [...this.#lost, ...this.#unawaited.values(), ...(this.#moreUnawaited.size > 0 ? [MORE_UNAWAITED] : [])];
  }

  /** Returns the position of an error in the script; undefined if the stack doesn't contain one. */
  placeOf(stack: string): { readonly line: number; readonly column: number } | undefined {
    const found = /\bscript:(\d+)(?::(\d+))?/.exec(stack);
    const line = Number(found?.[1]) - this.#linesBefore;
    // Lines before the first belong to code that was added around the script. The position is then unknown.
    return line >= 1 ? { line, column: Number(found?.[2] ?? 1) } : undefined;
  }

  /**
   * Returns the first form that compiles: an expression, a script whose result is its last value, or a function's body.
   * Nothing is run. If none compiles, returns the error of the script form, which has no added code; if that error is
   * about `return`, the error of the function's body.
   */
  #compile(code: string): Compiled | { readonly error: Thrown } {
    const forms: Compiled[] = [
      { source: `(async () => (\n${code}\n))`, flags: 0, linesBefore: 1, isScript: false },
      { source: code, flags: EvalFlags.ASYNC, linesBefore: 0, isScript: true },
      { source: `(async () => {\n${code}\n})`, flags: 0, linesBefore: 1, isScript: false },
    ];
    let found: { readonly error: Thrown; readonly linesBefore: number } | undefined;
    for (const form of forms) {
      try {
        this.#vm.evalCode(form.source, SCRIPT, form.flags | EvalFlags.COMPILE_ONLY).dispose();
        return form;
      } catch (thrown) {
        const { name, message, stack } = thrown as JSException;
        if (form.isScript || found?.error.message === RETURN_OUTSIDE)
          found = { error: { name, message, stack: stack ?? '' }, linesBefore: form.linesBefore };
      }
    }
    this.#linesBefore = found?.linesBefore ?? 0;
    return { error: found?.error ?? { name: 'SyntaxError', message: '', stack: '' } };
  }

  /** Does work and reports errors of the engine itself, such as an interrupt or full memory. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      if (this.#hooks.isOver()) return;
      const { name, message, stack } = thrown as Error;
      this.#hooks.onSettled({
        error: { name, message, stack: stack ?? '', isEngine: !(thrown instanceof JSException) },
      });
    }
  }

  #heardRejection(promise: JSValueHandle, reason: JSValueHandle, handled: boolean): void {
    const address = promise.identity;
    const before = this.#unawaited.get(address);
    this.#unawaited.delete(address);
    this.#moreUnawaited.delete(address);
    if (handled) return;
    if (this.#lost.length + this.#unawaited.size >= MAX_UNAWAITED) {
      this.#moreUnawaited.add(address);
      return;
    }
    // The address is in use again, so the earlier promise no longer exists and its error can't be handled.
    if (before) this.#lost.push(before);
    const text = this.#vm.callFunction(this.#read, this.#vm.undefined, reason);
    this.#unawaited.set(address, JSON.parse(text.toString()) as Thrown);
    text.dispose();
  }
}
