import type { Tool } from '../core/catalog/tool';
import { type ToolRun, toolMessage } from '../core/ports';
import type { KnownSecrets } from '../core/util/knownSecrets';
import { messageOf } from '../core/util/messageOf';

/**
 * Removes secrets from a call's result or error. Never rejects. This comes before results are cut, because a part of a
 * secret can't be recognized.
 */
export async function withoutSecrets(
  { modelName }: Tool,
  running: Promise<ToolRun>,
  { redact, redactIn }: Pick<KnownSecrets, 'redact' | 'redactIn'>,
): Promise<ToolRun> {
  try {
    const run = await running;
    const parts = run.parts.map((part) => (part.type === 'text' ? { ...part, text: redact(part.text) } : part));
    return {
      ...run,
      parts,
      ...(run.structured === undefined ? {} : { structured: redactIn(run.structured) }),
    };
  } catch (error) {
    return toolMessage('failed', `${modelName} failed: ${redact(messageOf(error))}`);
  }
}
