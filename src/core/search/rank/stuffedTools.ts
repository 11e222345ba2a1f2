import { groupBy } from '../../util/groupBy';
import type { Postings } from '../index/postings';
import { BORROWED, FEWEST_NAMES, MOST_WORDS } from '../weights';

// Finds tools whose texts are stuffed with the words of other tools, before any query.

/** A tool of the index. */
interface Written {
  readonly slot: number;
  readonly server: number;
  /** The words of its name. */
  readonly name: readonly number[];
  /** The number of the tool's first terms that occur as single words in its texts. */
  readonly written: number;
}

/** A name of two or more words. */
interface Name {
  /** Its words, the rarest first. */
  readonly words: readonly number[];
  /** The servers that have a tool of these words. A server can't borrow its own names, nor those that it shares. */
  readonly servers: Set<number>;
  /** How much the name counts, in thousandths: 1 divided by the root of the number of tools that have its rarest word. */
  readonly weight: number;
}

/**
 * Returns the factor by which each stuffed tool's words count, below 1, by slot. Yields after each tool.
 * @param documents the terms of each slot
 * @param countOf the number of tools that have a term
 */
export function* findStuffed(
  tools: readonly Written[],
  documents: Postings,
  countOf: (term: number) => number,
): Generator<void, Map<number, number>> {
  const names = namesOf(tools, countOf);
  const byRarest = groupBy(names, ({ words }) => words[0] as number);
  const total = names.reduce((sum, { weight }) => sum + weight, 0);
  const own = new Map<number, number>();
  for (const { servers, weight } of names)
    for (const server of servers) own.set(server, (own.get(server) ?? 0) + weight);
  // By word of a name: 1 + the place of the last tool that has it.
  const seen = new Int32Array(1 + names.reduce((most, { words }) => Math.max(most, ...words), 0));
  const found = new Map<number, number>();
  for (const [i, { slot, server, written }] of tools.entries()) {
    const words: number[] = [];
    documents.each(slot, (term, _, place) => {
      if (place >= written || term >= seen.length) return;
      seen[term] = i + 1;
      words.push(term);
    });
    const borrowed = words.flatMap((word) =>
      (byRarest.get(word) ?? []).filter(
        (name) => !name.servers.has(server) && name.words.every((one) => seen[one] === i + 1),
      ),
    );
    const weight = borrowed.reduce((sum, name) => sum + name.weight, 0);
    const share = weight / Math.max(1_000 * FEWEST_NAMES, total - (own.get(server) ?? 0));
    const factor = Math.min(1, BORROWED / share) ** 2 * Math.min(1, MOST_WORDS / written) ** 2;
    if (factor < 1) found.set(slot, factor);
    yield;
  }
  return found;
}

/** Returns the names of two or more words. Names with the same words are one name. */
function namesOf(tools: readonly Written[], countOf: (term: number) => number): readonly Name[] {
  const names = new Map<string, Name>();
  for (const { name, server } of tools) {
    const words = [...new Set(name)].sort((a, b) => countOf(a) - countOf(b) || a - b);
    const key = words.join();
    const weight = Math.round(1_000 / Math.sqrt(countOf(words[0] ?? 0)));
    const known = names.get(key) ?? { words, servers: new Set(), weight };
    if (words.length > 1) names.set(key, known);
    known.servers.add(server);
  }
  return [...names.values()];
}
