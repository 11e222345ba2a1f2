import { l10n } from '../../../core/util/l10n';

/** Limits the messages that a server sends unasked within a period of time, by their number and characters. */
export class Burst {
  readonly #most: { readonly count: number; readonly chars: number; readonly ms: number };
  #now = { since: Number.NEGATIVE_INFINITY, count: 0, chars: 0 };

  /** @param most the limits; the period is a minute by default */
  constructor(most: { readonly count?: number; readonly chars?: number; readonly ms?: number }) {
    this.#most = { count: Number.POSITIVE_INFINITY, chars: Number.POSITIVE_INFINITY, ms: 60_000, ...most };
  }

  /** Adds a message with this number of characters. Returns false if a limit is exceeded. */
  add(chars = 0): boolean {
    const now = performance.now();
    if (now - this.#now.since > this.#most.ms) this.#now = { since: now, count: 0, chars: 0 };
    this.#now.count++;
    this.#now.chars += chars;
    return this.#now.count <= this.#most.count && this.#now.chars <= this.#most.chars;
  }
}

/** Returns the reason, for the user, why a server that sends too many unasked messages is stopped. */
export function tooMuchUnasked(): string {
  return l10n.t('It was stopped because it sends too many messages without being asked.');
}
