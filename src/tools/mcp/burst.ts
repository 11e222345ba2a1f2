import { l10n } from '../../core/util/l10n';

/** Counts what a server sends of its own accord, within a minute. */
export class Burst {
  readonly #most: { readonly count: number; readonly chars: number };
  #now = { since: Number.NEGATIVE_INFINITY, count: 0, chars: 0 };

  constructor(most: { readonly count: number; readonly chars: number }) {
    this.#most = most;
  }

  /** Adds one message of that many characters. Returns false if it is too many, or too much, for a minute. */
  add(chars: number): boolean {
    const now = performance.now();
    if (now - this.#now.since > MINUTE_MS) this.#now = { since: now, count: 0, chars: 0 };
    this.#now.count++;
    this.#now.chars += chars;
    return this.#now.count <= this.#most.count && this.#now.chars <= this.#most.chars;
  }
}

const MINUTE_MS = 60_000;

/** The reason for which a server is stopped that sends too much of its own accord. */
export function tooMuchUnasked(): string {
  return l10n.t('It was stopped because it sends too many messages that nobody asked for.');
}
