import type { TranscriptItem } from './transcript';

export function calledNames(items: readonly TranscriptItem[]): ReadonlySet<string> {
  return new Set(items.flatMap((item) => (item.kind === 'assistant' ? item.calls.map(({ name }) => name) : [])));
}
