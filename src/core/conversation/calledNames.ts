import type { TranscriptItem } from './transcript';

/** Returns the names of the tools that the model called in these items. */
export function calledNames(items: readonly TranscriptItem[]): ReadonlySet<string> {
  return new Set(items.flatMap((item) => (item.kind === 'assistant' ? item.calls.map(({ name }) => name) : [])));
}
