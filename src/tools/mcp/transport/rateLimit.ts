import { l10n } from '../../../core/util/l10n';

/**
 * Limits the messages that a server sends unasked within a period of time. The returned function adds a message with a
 * number of characters, and returns false if a limit is exceeded.
 * @param most the limits on number and characters; the period is a minute by default
 */
export function createRateLimit(most: { readonly count?: number; readonly chars?: number; readonly ms?: number }) {
  const { count = Number.POSITIVE_INFINITY, chars = Number.POSITIVE_INFINITY, ms = 60_000 } = most;
  let now = { since: Number.NEGATIVE_INFINITY, count: 0, chars: 0 };
  return (added = 0): boolean => {
    const since = performance.now();
    if (since - now.since > ms) now = { since, count: 0, chars: 0 };
    now.count++;
    now.chars += added;
    return now.count <= count && now.chars <= chars;
  };
}

/** Returns the reason, for the user, why a server that sends too many unasked messages is stopped. */
export function tooMuchUnasked(): string {
  return l10n.t('It was stopped because it sends too many messages without being asked.');
}
