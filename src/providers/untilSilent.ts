import { ModelError } from '../core/ports';
import { l10n } from '../core/util/l10n';
import { systemTimer } from '../core/util/timers';

/**
 * The maximum silence in a reply, in milliseconds: about as long as a person waits before asking again. Thinking models
 * aren't silent, since both services send events or pings meanwhile.
 */
const SILENCE_MS = 2 * 60_000;

/** Passes on a stream, and throws if no item comes for too long. */
export async function* untilSilent<Item>(items: AsyncIterable<Item>, name: string): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  let silent = false;
  try {
    for (;;) {
      const step = await notSilent(iterator.next(), name, () => {
        silent = true;
      });
      if (step.done) return;
      yield step.value;
    }
  } finally {
    // A silent stream may never confirm its end, so this doesn't wait for it.
    const ended = iterator.return?.();
    if (!silent) await ended;
    else ended?.catch(() => {});
  }
}

/**
 * Settles like `next`, the next part of a reply, but fails if that takes too long. Otherwise a lost connection would
 * block the turn for ever.
 */
export function notSilent<Part>(next: Promise<Part>, name: string, onSilence = () => {}): Promise<Part> {
  let stop = () => {};
  const silence = new Promise<never>((_, reject) => {
    stop = systemTimer(() => {
      onSilence();
      const minutes = SILENCE_MS / 60_000;
      reject(
        new ModelError(
          l10n.t('{0} has sent nothing for {1} minutes, so Tool Search stopped waiting. Ask again.', name, minutes),
        ),
      );
    }, SILENCE_MS);
  });
  return Promise.race([next, silence]).finally(stop);
}
