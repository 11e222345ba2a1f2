import { ModelError } from '../core/ports';

/** The longest silence in a reply, in milliseconds: as long as the SDKs wait for its start. Models may think for minutes. */
const SILENCE_MS = 10 * 60_000;

/**
 * A stream that fails where nothing comes any more: a connection that was lost without a word would hold the turn forever.
 * @param stop ends the request
 */
export async function* untilSilent<Event>(events: AsyncIterable<Event>, name: string, stop: () => void): AsyncGenerator<Event> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await within(iterator.next(), name);
      if (step.done) return;
      yield step.value;
    }
  } finally {
    stop();
  }
}

async function within<Value>(promise: Promise<Value>, name: string): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ModelError(`${name} fell silent in the middle of its answer. Ask again.`)), SILENCE_MS);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}
