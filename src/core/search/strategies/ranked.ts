import { deprecationIn } from '../../catalog/sentences';
import { roomOf } from '../rank/orderHits';
import type { MatchType, SearchHit } from '../types';
import { accepting, type IndexView, mentioned, type StrategyRequest, type StrategyResult } from './indexView';

/** The strategy `bm25`: the tools that the query names, then the best of the ranking. */
export function ranked(view: IndexView, asked: StrategyRequest): StrategyResult {
  const { ranking } = view;
  const { request, query } = asked;
  const passes = accepting(view, asked);
  // A phrase such as "read file" doesn't mean a deprecated `read_file`, although it has the same letters.
  const isMeant = (slot: number) => {
    const { name, description } = ranking.toolAt(slot);
    return query.text.includes(name) || deprecationIn(description) === undefined;
  };
  const groups = mentioned(view, query.text).map((group) => group.filter((slot) => passes(slot) && isMeant(slot)));
  const named = new Set(groups.flat());
  const room = roomOf(request);
  const { discovered } = request;
  const { ranked, matched } = ranking.rank(ranking.read(query.words), passes, {
    size: room + named.size,
    named,
    explain: request.explain,
    later: discovered?.size ? (slot) => discovered.has(ranking.toolAt(slot).id) : undefined,
  });
  const bySlot = new Map(ranked.map((one) => [one.slot, one]));
  const scoreOf = (slot: number) => bySlot.get(slot)?.score ?? 0;
  const top = ranked.reduce((most, { score }) => Math.max(most, score), 0);
  const others = ranked.filter(({ slot }) => !named.has(slot));
  const hit = (slot: number, head: number, matchType: MatchType): SearchHit => {
    const { words = [], weak, parts } = bySlot.get(slot) ?? {};
    return {
      tool: ranking.toolAt(slot),
      score: head + scoreOf(slot),
      matchType,
      terms: words,
      ...(weak ? { weak } : {}),
      ...(parts ? { parts: { ...parts, named: head } } : {}),
    };
  };
  // If several tools share a name, the tool that best fits the rest of the query comes first.
  const first = groups.flatMap((group) => group.sort((a, b) => scoreOf(b) - scoreOf(a)));
  return {
    hits: [...first.map((slot) => hit(slot, top, 'exact_name')), ...others.map(({ slot }) => hit(slot, 0, 'bm25'))],
    matched: Math.max(matched, named.size + others.length),
  };
}
