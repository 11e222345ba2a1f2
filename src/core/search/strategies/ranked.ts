import { withLearnt } from '../learning/learning';
import { BELOW, limitOf } from '../rank/cutHits';
import type { MatchType, SearchHit } from '../types';
import { accepting, type IndexView, mentioned, type StrategyRequest, type StrategyResult } from './indexView';
import { learnableWords, learntBonuses } from './learntWords';

/** `bm25`: the best of the ranking with what use adds to it, behind the tools that the query names. */
export function ranked(shelf: IndexView, asked: StrategyRequest): StrategyResult {
  const { ranking, learning } = shelf;
  const { request, query } = asked;
  const passes = accepting(shelf, asked);
  const groups = mentioned(shelf, query.text).map((group) => group.filter(passes));
  const named = new Set(groups.flat());
  const room = limitOf(request) + BELOW;
  const { discovered } = request;
  const isLater = (slot: number) => discovered?.has(ranking.toolAt(slot).id) === true;
  const words = learning.isEmpty ? [] : learnableWords(query);
  const remembered = new Set(
    [...learning.knowing(words)].flatMap((id) => shelf.slotOf(id) ?? []).filter((slot) => passes(slot)),
  );
  const { ranked, matched } = ranking.rank(ranking.read(query.words), passes, {
    size: room + named.size,
    named,
    also: remembered,
    explain: request.explain,
    later: discovered?.size ? isLater : undefined,
  });
  const best = ranked.reduce((most, one) => (one.score > most.score ? one : most), { score: 0, covered: 0 });
  const learnt = remembered.size === 0 ? undefined : learntBonuses(shelf, words, best.covered);
  const boosted = !learnt
    ? ranked
    : ranked
        // What shares no word with the query and wasn't learnt for it either is none of its hits.
        .filter(({ slot, words }) => words.length > 0 || named.has(slot) || learnt.has(slot) || !remembered.has(slot))
        .map((one) => {
          const bonus = learnt.get(one.slot)?.adds ?? 0;
          return { ...one, score: one.score + bonus, ...(bonus > 0 ? { weak: undefined } : {}) };
        });
  const bySlot = new Map(boosted.map((one) => [one.slot, one]));
  const scoreOf = (slot: number) => bySlot.get(slot)?.score ?? 0;
  const top = boosted.reduce((most, { score }) => Math.max(most, score), 0);
  const others = boosted.filter(({ slot }) => !named.has(slot));
  const ordered = learnt?.size
    ? [
        ...withLearnt(
          others.filter(({ slot, weak }) => !weak && !isLater(slot)),
          ({ score }) => score,
        ),
        ...withLearnt(
          others.filter(({ slot, weak }) => !weak && isLater(slot)),
          ({ score }) => score,
        ),
        ...others.filter(({ weak }) => weak),
      ]
    : others;
  const hit = (slot: number, head: number, matchType: MatchType): SearchHit => {
    const { words = [], weak, parts } = bySlot.get(slot) ?? {};
    const bonus = learnt?.get(slot);
    return {
      tool: ranking.toolAt(slot),
      score: head + scoreOf(slot),
      matchType,
      terms: words,
      ...(weak ? { weak } : {}),
      ...(bonus ? { learnt: bonus } : {}),
      ...(parts ? { parts: { ...parts, named: head, learnt: bonus?.adds ?? 0 } } : {}),
    };
  };
  // Of tools with one name, the one that fits the rest of the query comes first.
  const first = groups.flatMap((group) => group.sort((a, b) => scoreOf(b) - scoreOf(a)));
  return {
    hits: [
      ...first.map((slot) => hit(slot, top, 'exact_name')),
      ...ordered.slice(0, room).map(({ slot }) => hit(slot, 0, 'bm25')),
    ],
    matched: Math.max(matched, named.size + others.length),
  };
}
