import type { Tool } from '../core/catalog/tool';
import { type ToolRun, toolMessage } from '../core/ports';
import type { KnownSecrets } from '../core/util/knownSecrets';
import { messageOf } from '../core/util/messageOf';

/** Removes secrets from a result or error, before it is cut: a part of a secret isn't recognized. Never rejects. */
export async function withoutSecrets(
  { modelName }: Tool,
  running: Promise<ToolRun>,
  { redact, redactIn }: Pick<KnownSecrets, 'redact' | 'redactIn'>,
): Promise<ToolRun> {
  try {
    const run = await running;
    const parts = run.parts.map((part) => (part.type === 'text' ? { ...part, text: redact(part.text) } : part));
    return { ...run, parts, ...(run.structured === undefined ? {} : { structured: redactIn(run.structured) }) };
  } catch (error) {
    return toolMessage('failed', `${modelName} failed: ${redact(messageOf(error))}`);
  }
}
