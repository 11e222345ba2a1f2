import type { ModelEvent, Usage } from '../core/ports';
import { l10n } from '../core/util/l10n';

// A reply that takes several requests, because the service pauses it.

/** The maximum number of requests for one reply. */
export const MAX_REQUESTS = 6;

/** Returns the warning for a reply that isn't whole after all its requests. */
export function unfinished(name: string): string {
  return l10n.t('{0} needed more than {1} requests for one answer, so the answer is cut.', name, MAX_REQUESTS);
}

/** The usage of a reply's requests. All of them are paid for. */
export class ReplyUsage {
  /** The usage so far; undefined if none is known. */
  total: Usage | undefined;

  /** Passes on the events of one request, with the usage of the requests before added. */
  async *with<End>(events: AsyncGenerator<ModelEvent, End>): AsyncGenerator<ModelEvent, End> {
    const before = this.total;
    for (;;) {
      const step = await events.next();
      if (step.done) return step.value;
      if (step.value.type === 'usage') {
        this.total = addUsage(before, step.value.usage);
        yield { ...step.value, usage: this.total };
      } else yield step.value;
    }
  }
}

function addUsage(before: Usage | undefined, usage: Usage): Usage {
  return before
    ? {
        inputTokens: before.inputTokens + usage.inputTokens,
        outputTokens: before.outputTokens + usage.outputTokens,
        cacheReadTokens: (before.cacheReadTokens ?? 0) + (usage.cacheReadTokens ?? 0),
        cacheWriteTokens: (before.cacheWriteTokens ?? 0) + (usage.cacheWriteTokens ?? 0),
      }
    : usage;
}
