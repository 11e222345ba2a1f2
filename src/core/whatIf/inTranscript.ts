import { CALL_TOOL, DESCRIBE_TOOL, SEARCH_TOOLS } from '../catalog/modelNames';
import { resultText } from '../conversation/resultText';
import type { Transcript } from '../conversation/transcript';
import { asObject } from '../util/objects';

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

/**
 * Returns the number of searches in a conversation, and the texts that searching adds to it: searches, their answers,
 * notes, and the wrapping of calls by `call_tool`. If the tokens of a search are known, they replace its text.
 * @param references whether found tools are sent as references, not as lines of text
 * @param known tokens of searches by the id of the call
 */
export function searchesIn(
  transcript: Transcript,
  references: boolean,
  known: ReadonlyMap<string, number>,
): { readonly count: number; readonly chars: number; readonly tokens: number } {
  let tokens = 0;
  let chars = 0;
  let count = 0;
  const searches = new Set<string>();
  for (const item of transcript) {
    if (item.kind === 'user') chars += item.note ? item.text.length : 0;
    else if (item.kind === 'assistant') {
      count += item.searches?.length ?? 0;
      for (const { queries, found } of item.searches ?? []) chars += [...queries, ...found].join().length;
      for (const { name, input, callId } of item.calls) {
        const length = JSON.stringify(input)?.length ?? 0;
        if (name === CALL_TOOL)
          chars += CALL_TOOL.length + length - (JSON.stringify(asObject(input)?.arguments)?.length ?? 0);
        if (name !== SEARCH_TOOLS && name !== DESCRIBE_TOOL) continue;
        count++;
        searches.add(callId);
        const own = known.get(callId);
        if (own === undefined) chars += name.length + length;
        else tokens += own;
      }
    } else
      for (const result of item.results) {
        if (!searches.has(result.callId)) continue;
        const { search, remarks = '' } = result;
        chars += references && search ? search.found.join().length + remarks.length : resultText(result).length;
      }
  }
  return { count, chars, tokens };
}
