import { compareText } from '../../catalog/tool';
import { squash } from '../text/words';

/** The similarity (0 to 1) below which a name isn't suggested. */
const ENOUGH = 0.35;

/**
 * Returns the names most similar to `text`, best first, for a query without hits. Similarity is Dice's coefficient over
 * pairs of neighbouring characters, which tolerates typos, missing words and another order of words.
 */
export function nearestNames(text: string, names: Iterable<string>, limit: number): string[] {
  const wanted = pairsOf(text.slice(0, 200));
  if (wanted.size === 0) return [];
  const scored: { name: string; likeness: number }[] = [];
  for (const name of new Set(names)) {
    const pairs = pairsOf(name);
    let common = 0;
    for (const pair of pairs) if (wanted.has(pair)) common++;
    const likeness = (2 * common) / (wanted.size + pairs.size);
    if (likeness >= ENOUGH) scored.push({ name, likeness });
  }
  scored.sort((a, b) => b.likeness - a.likeness || compareText(a.name, b.name));
  return scored.slice(0, limit).map(({ name }) => name);
}

function pairsOf(text: string): Set<string> {
  const padded = ` ${squash(text)} `;
  const pairs = new Set<string>();
  if (padded.length > 2) for (let i = 0; i + 1 < padded.length; i++) pairs.add(padded.slice(i, i + 2));
  return pairs;
}
