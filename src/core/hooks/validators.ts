// The validators of other extensions, which look at a call's arguments before it is made.

import type { Diagnostic } from '../catalog/diagnostic';
import type { Tool } from '../catalog/tool';
import { cut } from '../util/cut';
import { l10n } from '../util/l10n';
import { messageOf } from '../util/messageOf';
import { visibleText } from '../util/plainText';
import type { Timer } from '../util/signals';
import { runOutside } from './outside';
import { type OfferedTool, offer } from './turnTools';

/** A call that a validator looks at, as a copy. Its arguments fit the tool's schema. */
export interface CheckedCall {
  readonly tool: OfferedTool;
  readonly arguments: { readonly [name: string]: unknown };
}

/** Returns a message to the model about what is wrong with the arguments; undefined if the call may be made. */
export type ArgumentValidator = (
  call: CheckedCall,
  signal: AbortSignal,
) => string | undefined | Promise<string | undefined>;

/** Longest message to the model, in characters. */
const MAX_MESSAGE = 1_000;

/** Holds the validators of other extensions, and protects calls from their errors. */
export class Validators {
  readonly #timer: Timer | undefined;
  readonly #validators = new Map<string, ArgumentValidator>();
  /** Validator → the error of its last failure, until it works again. */
  readonly #failures = new Map<string, string>();

  constructor(timer?: Timer) {
    this.#timer = timer;
  }

  /** Validators that fail. The calls that they didn't look at were made. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#failures].map(([name, error]) => ({
      severity: 'warning',
      source: name,
      message: l10n.t('The validator “{0}” failed ({1}). Calls are made without its check.', name, error),
    }));
  }

  /**
   * Adds a validator; the returned function removes it. With several, a call is made if none of them objects.
   * @throws {Error} if the name is empty or taken
   */
  register(name: string, validator: ArgumentValidator): () => void {
    if (name.trim() === '') throw new Error('A validator needs a name.');
    if (this.#validators.has(name)) throw new Error(`There is already a validator "${name}".`);
    this.#validators.set(name, validator);
    return () => {
      if (this.#validators.get(name) !== validator) return;
      this.#validators.delete(name);
      this.#failures.delete(name);
    };
  }

  /** Returns the first message to the model, as data of another extension; undefined if nobody objects. Never rejects. */
  async check(
    tool: Tool,
    input: { readonly [name: string]: unknown },
    signal: AbortSignal,
  ): Promise<string | undefined> {
    for (const [name, validator] of this.#validators) {
      try {
        const call = { tool: offer(tool), arguments: structuredClone(input) };
        const said: unknown = await runOutside((stopped) => validator(call, stopped), signal, this.#timer);
        if (said !== undefined && typeof said !== 'string') throw new Error(l10n.t('it returned no text'));
        this.#failures.delete(name);
        if (said !== undefined && said.trim() !== '')
          return `${tool.modelName} was not called. A check of its arguments says: ${cut(visibleText(said), MAX_MESSAGE)}`;
      } catch (error) {
        if (signal.aborted) return undefined;
        this.#failures.set(name, messageOf(error));
      }
    }
    return undefined;
  }
}
