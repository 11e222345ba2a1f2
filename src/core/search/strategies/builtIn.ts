// The built-in strategies that run in one step.

import { deprecationIn } from '../../catalog/sentences';
import type { BuiltInStrategy } from '../../settings/settings';
import { roomOf } from '../rank/orderHits';
import type { MatchType, SearchHit } from '../types';
import {
  accepting,
  type IndexView,
  mentioned,
  type Strategy,
  type StrategyRequest,
  type StrategyResult,
  sorted,
  toolsAt,
} from './strategy';

/** All of them. `regex` takes several steps. */
export const RANKINGS: Readonly<Record<Exclude<BuiltInStrategy, 'regex'>, Strategy>> = { bm25, keywords, exact };

/** The strategy `bm25`: the tools that the query names, then the best of the ranking. */
function bm25(view: IndexView, asked: StrategyRequest): StrategyResult {
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
  const terms = ranking.read(query.words);
  const { ranked, matched } = ranking.rank(terms, passes, {
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
    unknown: terms.flatMap(({ word, variants }) => (variants.length === 0 ? [word] : [])),
  };
}

/** The strategy `keywords` ranks tools by how many of the query's words they contain, after those that it names. */
function keywords(view: IndexView, asked: StrategyRequest): StrategyResult {
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

/** The strategy `exact` looks at names only: first come tools whose name is the query, then those that it mentions. */
function exact(view: IndexView, { query, accept }: StrategyRequest): StrategyResult {
  const slots = new Set([...sorted(view, view.names.find(query.text)), ...mentioned(view, query.text).flat()]);
  return listed(view, [...slots].filter(accept), 'exact');
}

/** Answers `select:a,b`: returns exactly these tools, in this order. */
export function select(view: IndexView, names: readonly string[], { accept }: StrategyRequest): StrategyResult {
  const slots = new Set(names.flatMap((name) => sorted(view, view.names.find(name).filter(accept))));
  return listed(view, slots, 'select');
}

/** Returns hits in the given order, all with the same score. */
function listed(view: IndexView, slots: Iterable<number>, matchType: MatchType): StrategyResult {
  const hits = toolsAt(view, [...slots]).map((tool): SearchHit => ({ tool, score: 1, matchType, terms: [] }));
  return { hits, matched: hits.length };
}
