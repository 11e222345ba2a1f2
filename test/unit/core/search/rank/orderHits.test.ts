import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutHits, unknownServer, unknownStrategy } from '../../../../../src/core/search/rank/orderHits';
import { topK } from '../../../../../src/core/search/rank/topK';
import type { MatchType, SearchHit, SearchRequest } from '../../../../../src/core/search/types';
import { holds } from '../../../property';
import { makeTool } from '../makeTool';

function hit(name: string, matchType: MatchType, isWeak = false): SearchHit {
  const weak = isWeak ? { weak: { score: 0.1, covered: 0.1 } } : {};
  return { tool: makeTool('a', name), score: 1, matchType, terms: [], ...weak };
}

const HITS = [
  hit('weak1', 'bm25', true),
  hit('new1', 'bm25'),
  hit('old1', 'bm25'),
  hit('named1', 'exact_name'),
  hit('new2', 'regex'),
  hit('named2', 'select'),
  hit('old2', 'exact'),
  hit('weak2', 'keywords', true),
];
const REQUEST: SearchRequest = {
  query: 'x',
  strategy: 'bm25',
  limit: 9,
  discovered: new Set(['a/old1', 'a/old2', 'a/named2']),
};

const namesOf = (hits: readonly SearchHit[]) => hits.map(({ tool }) => tool.name).join(' ');
const cut = (request: Partial<SearchRequest>, hits: readonly SearchHit[] = HITS) => {
  const outcome = cutHits({ ...REQUEST, ...request }, hits);
  return [namesOf(outcome.hits), namesOf(outcome.below)];
};

it.each<[Partial<SearchRequest>, string, string]>([
  [{}, 'named1 named2 new1 new2 old1 old2', 'weak1 weak2'],
  [{ discovered: new Set<string>() }, 'named1 named2 new1 old1 new2 old2', 'weak1 weak2'],
  [{ limit: 1 }, 'named1', 'named2 new1 new2 old1 old2'],
  [{ limit: 3 }, 'named1 named2 new1', 'new2 old1 old2 weak1 weak2'],
  [{ limit: 1, namedLimit: 2 }, 'named1 named2', 'new1 new2 old1 old2 weak1'],
  [{ limit: 1, namedLimit: 9 }, 'named1 named2 new1', 'new2 old1 old2 weak1 weak2'],
  [{ limit: 4, namedLimit: 2 }, 'named1 named2 new1 new2', 'old1 old2 weak1 weak2'],
])('hits are cut to the limit %j', (request, hits, below) => expect(cut(request)).toEqual([hits, below]));

it('hits are cut to the limit none of which may be there', () => {
  expect(cut({}, [])).toEqual(['', '']);
  expect(cut({}, [hit('weak', 'bm25', true)])).toEqual(['', 'weak']);
});

describe('an error names what there is', () => {
  it.each<[string, readonly string[], string]>([
    ['gihub', ['files', 'github'], 'Nearest: github. Name one of them, or leave "server" out.'],
    ['xyz', ['b', 'a'], 'There are: a, b. Name one of them, or leave "server" out.'],
    [
      'xyz',
      [...'lkjihgfedcba'],
      'There are: a, b, c, d, e, f, g, h, i, j, k, l. Name one of them, or leave "server" out.',
    ],
    [
      'xyz',
      Array.from({ length: 25 }, (_, n) => `s${n + 10}`),
      'There are: s10, s11, s12, s13, s14, s15, s16, s17, s18, s19, s20, s21, s22, s23, s24, s25, s26, s27, s28, s29 and 5 more. Name one of them, or leave "server" out.',
    ],
    ['xyz', [], 'No server has any.'],
  ])('for a server %s', (name, servers, help) => {
    expect(unknownServer(name, servers)).toEqual({
      code: 'unknown_server',
      message: `No server named "${name}" has tools to search. ${help}`,
    });
  });

  it('names the strategies for an unknown one', () => {
    expect(unknownStrategy('x', ['a', 'b']).message).toBe('There is no search strategy named "x". Use one of: a, b.');
  });
});

it('the best few are those of a whole sort', () => {
  holds([fc.array(fc.nat(5), { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 12 })], (scores, most) => {
    const slots = scores.map((_, slot) => slot);
    const order = (a: number, b: number) => a - b;
    const sorted = slots.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || order(a, b));
    const best = topK(Int32Array.from(slots), Float64Array.from(scores), most, order);
    expect([...best].sort(order)).toEqual(sorted.slice(0, most).sort(order));
  });
});
