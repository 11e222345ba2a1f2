import type { Usage } from '../core/ports';

/** Adds the usage of two requests for one reply. Both are paid for. */
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
