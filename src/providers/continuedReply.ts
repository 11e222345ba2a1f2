import type { ModelEvent, Usage } from '../core/ports';
import { l10n } from '../core/util/l10n';

// A reply that takes several requests, because the service pauses it.

/** The maximum number of requests for one reply. */
export const MAX_REQUESTS = 6;

/** Returns the warning for a reply that isn't whole after all its requests. */
export function unfinished(name: string): ModelEvent {
  return {
    type: 'warning',
    message: l10n.t('{0} needed more than {1} requests for one answer, so the answer is cut.', name, MAX_REQUESTS),
  };
}

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
