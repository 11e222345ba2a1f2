import { l10n } from '../../core/util/l10n';

/** Limits the messages that a server sends unasked within a minute, by their number and characters. */
export class Burst {
  readonly #most: { readonly count: number; readonly chars: number };
  #now = { since: Number.NEGATIVE_INFINITY, count: 0, chars: 0 };

  constructor(most: { readonly count: number; readonly chars: number }) {
    this.#most = most;
  }

  /** Adds a message with this number of characters. Returns false if the limit for a minute is exceeded. */
  add(chars: number): boolean {
    const now = performance.now();
    if (now - this.#now.since > MINUTE_MS) this.#now = { since: now, count: 0, chars: 0 };
    this.#now.count++;
    this.#now.chars += chars;
    return this.#now.count <= this.#most.count && this.#now.chars <= this.#most.chars;
  }
}

const MINUTE_MS = 60_000;

/** Returns the reason, for the user, why a server that sends too many unasked messages is stopped. */
export function tooMuchUnasked(): string {
  return l10n.t('It was stopped because it sends too many messages without being asked.');
}
