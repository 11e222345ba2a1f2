import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { Text } from '../src/inspector/text/text';
import type { Snapshot, Store } from './store';

export function useStore(store: Store): Snapshot {
  return useSyncExternalStore(store.subscribe, store.getSnapshot);
}

/** The words and numbers of the state that is shown. */
export const TextContext = createContext<Text | undefined>(undefined);

/** Whether this is an exported session, of which nothing can be changed. */
export const ReadOnlyContext = createContext(false);

export function useReadOnly(): boolean {
  return useContext(ReadOnlyContext);
}

export function useText(): Text {
  const text = useContext(TextContext);
  if (!text) throw new Error('No text is provided.');
  return text;
}

/** `performance.now()`, renewed every `everyMs` milliseconds while `running`. */
export function useNow(running: boolean, everyMs: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(performance.now()), everyMs);
    return () => clearInterval(timer);
  }, [running, everyMs]);
  return now;
}
