import { DESCRIBE_TOOL, SEARCH_TOOLS } from '../catalog/modelNames';
import type { Transcript } from '../conversation/transcript';

/** Returns the ids of the tools that a conversation's searches found, even if the catalog no longer has them. */
export function foundIn(transcript: Transcript): Set<string> {
  return new Set(
    transcript.flatMap((item) => {
      if (item.kind === 'assistant') return (item.searches ?? []).flatMap(({ found }) => found);
      if (item.kind !== 'results') return [];
      return item.results.flatMap(({ search, loaded }) => [...(search?.found ?? []), ...(loaded ? [loaded] : [])]);
    }),
  );
}

/** Returns the ids of all searches in a conversation, including the provider's own. */
export function searchIds(transcript: Transcript): readonly string[] {
  return transcript.flatMap((item) => {
    if (item.kind !== 'assistant') return [];
    const calls = item.calls.filter(({ name }) => name === SEARCH_TOOLS || name === DESCRIBE_TOOL);
    return [...calls, ...(item.searches ?? [])].flatMap(({ callId }) => callId ?? []);
  });
}
