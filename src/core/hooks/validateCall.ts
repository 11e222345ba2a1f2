import type { Tool } from '../catalog/tool';
import { cut } from '../util/cut';
import { l10n } from '../util/l10n';
import { messageOf } from '../util/messageOf';
import { visibleText } from '../util/plainText';
import { offer } from './offer';
import { runOutside } from './outside';
import type { Validators } from './validators';

/** The maximum length of a validator's message for the model, in characters. */
const MAX_MESSAGE = 1_000;

/**
 * Asks the validators about a call, and returns the first objection, in words for the model. Undefined if no validator
 * objects. A validator that throws or takes too long counts as having no objection, and its error is recorded. Never
 * rejects.
 */
export async function validateCall(
  validators: Validators,
  tool: Tool,
  input: { readonly [name: string]: unknown },
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const [name, validator] of validators.all) {
    try {
      const call = { tool: offer(tool), arguments: structuredClone(input) };
      const said: unknown = await runOutside((stopped) => validator(call, stopped), signal);
      if (said !== undefined && typeof said !== 'string') throw new Error(l10n.t('it returned no text'));
      validators.failures.delete(name);
      if (said !== undefined && said.trim() !== '')
        return `${tool.modelName} was not called. A check of its arguments says: ${cut(visibleText(said), MAX_MESSAGE)}`;
    } catch (error) {
      if (signal.aborted) return undefined;
      validators.failures.set(name, messageOf(error));
    }
  }
  return undefined;
}
