import type { AskedWord, LearntBonus } from '../learning/learning';
import type { ParsedQuery } from '../query/query';
import { STOP_WORDS } from '../text/lexicon';
import { rootOf } from '../text/stem';
import { singular } from '../text/words';
import type { IndexView } from './indexView';

/** The words of a query that can be learnt: no stop words, and nothing of values, addresses, placeholders or numbers. */
export function learnableWords({ words }: ParsedQuery): AskedWord[] {
  const byRoot = new Map<string, AskedWord>();
  for (const { word, weight, parts } of words) {
    if (weight < 1 || parts > 1 || STOP_WORDS.has(word) || /\d/.test(word)) continue;
    const root = rootOf(singular(word));
    if (!byRoot.has(root)) byRoot.set(root, { root, word });
  }
  return [...byRoot.values()];
}

/** What a tool can be remembered by after a query: words that it lacks, but that other tools have. */
export function wordsToLearn({ ranking }: IndexView, slot: number, query: ParsedQuery): AskedWord[] {
  return learnableWords(query).filter(({ word }) => ranking.having(word) > 0 && !ranking.containing(word)(slot));
}

/** What use adds to each tool for a query of which the best tool covers this share. */
export function learntBonuses(
  shelf: IndexView,
  words: readonly AskedWord[],
  covered: number,
): ReadonlyMap<number, LearntBonus> {
  const { ranking, learning } = shelf;
  const known = words.filter(({ word }) => ranking.having(word) > 0);
  const wordOf = new Map(known.map(({ root, word }) => [root, word]));
  const bonuses = learning.bonuses({
    words: known,
    covered,
    tools: ranking.size,
    having: (root) => ranking.having(wordOf.get(root) ?? root),
    has: (id, root) => {
      const slot = shelf.slotOf(id);
      return slot === undefined || ranking.containing(wordOf.get(root) ?? root)(slot);
    },
  });
  return new Map([...bonuses].map(([id, bonus]) => [shelf.slotOf(id) as number, bonus]));
}
