import type { Usage } from '../core/ports';

/** A reply that went on in a further request was paid for in each part. */
export function addUsage(before: Usage | undefined, usage: Usage): Usage {
  return before
    ? {
        inputTokens: before.inputTokens + usage.inputTokens,
        outputTokens: before.outputTokens + usage.outputTokens,
        cacheReadTokens: (before.cacheReadTokens ?? 0) + (usage.cacheReadTokens ?? 0),
        cacheWriteTokens: (before.cacheWriteTokens ?? 0) + (usage.cacheWriteTokens ?? 0),
      }
    : usage;
}
