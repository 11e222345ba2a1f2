import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { Text } from '../src/inspector/text/text';
import type { Snapshot, Store } from './store';

export function useStore(store: Store): Snapshot {
  return useSyncExternalStore(store.subscribe, store.getSnapshot);
}

/** The translated texts and number formats for the current state. */
export const TextContext = createContext<Text | undefined>(undefined);

export function useText(): Text {
  const text = useContext(TextContext);
  if (!text) throw new Error('No text is provided.');
  return text;
}

/** Whether a media query matches, now and after each change. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
  );
}

/** Returns `performance.now()`, updated every `everyMs` milliseconds while `running`. */
export function useNow(running: boolean, everyMs: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(performance.now()), everyMs);
    return () => clearInterval(timer);
  }, [running, everyMs]);
  return now;
}
