import type { MatchType, SearchHit } from '../types';
import { accepting, type IndexView, mentioned, type StrategyRequest, type StrategyResult, sorted } from './indexView';

/** The strategy `keywords` ranks tools by how many of the query's words they contain, after those that it names. */
export function keywords(view: IndexView, asked: StrategyRequest): StrategyResult {
  const { ranking } = view;
  const passes = accepting(view, asked);
  const named = mentioned(view, asked.query.text).flat().filter(passes);
  const overlaps = ranking.overlap(ranking.read(asked.query.words), passes);
  const wordsIn = (slot: number) => overlaps.get(slot) ?? [];
  const rest = [...overlaps.keys()].filter((slot) => !named.includes(slot));
  // The sort is stable: tools with as many words stay in the order of `sorted`.
  const byOverlap = sorted(view, rest).sort((a, b) => wordsIn(b).length - wordsIn(a).length);
  const hit = (slot: number, matchType: MatchType): SearchHit => ({
    tool: ranking.toolAt(slot),
    score: wordsIn(slot).length,
    matchType,
    terms: wordsIn(slot),
  });
  const hits = [...named.map((slot) => hit(slot, 'exact_name')), ...byOverlap.map((slot) => hit(slot, 'keywords'))];
  return { hits, matched: hits.length };
}
