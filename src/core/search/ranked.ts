import { BELOW, limitOf } from './outcome';
import { type Asked, accepting, type Found, mentioned, type Shelf } from './strategy';
import type { MatchType, SearchHit } from './types';

/** `bm25`: the best of the ranking, behind the tools that the query names. */
export function ranked(shelf: Shelf, asked: Asked): Found {
  const { ranking } = shelf;
  const { request, query } = asked;
  const passes = accepting(shelf, asked);
  const groups = mentioned(shelf, query.text).map((group) => group.filter(passes));
  const named = new Set(groups.flat());
  const room = limitOf(request) + BELOW;
  const { discovered } = request;
  const { ranked, matched } = ranking.rank(ranking.read(query.words), passes, {
    size: room + named.size,
    named,
    explain: request.explain,
    later: discovered?.size ? (slot) => discovered.has(ranking.toolAt(slot).id) : undefined,
  });
  const bySlot = new Map(ranked.map((one) => [one.slot, one]));
  const scoreOf = (slot: number) => bySlot.get(slot)?.score ?? 0;
  const top = ranked.reduce((best, { score }) => Math.max(best, score), 0);
  const others = ranked.filter(({ slot }) => !named.has(slot));
  const hit = (slot: number, head: number, matchType: MatchType): SearchHit => {
    const { words = [], weak, parts } = bySlot.get(slot) ?? {};
    const score = head + scoreOf(slot);
    const more = { ...(weak ? { weak: true as const } : {}), ...(parts ? { parts: { ...parts, named: head } } : {}) };
    return { tool: ranking.toolAt(slot), score, matchType, terms: words, ...more };
  };
  // Of tools with one name, the one that fits the rest of the query comes first.
  const first = groups.flatMap((group) => group.sort((a, b) => scoreOf(b) - scoreOf(a)));
  return {
    hits: [...first.map((slot) => hit(slot, top, 'exact_name')), ...others.slice(0, room).map(({ slot }) => hit(slot, 0, 'bm25'))],
    matched: Math.max(matched, named.size + others.length),
  };
}
