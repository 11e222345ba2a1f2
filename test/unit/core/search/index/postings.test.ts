import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Postings } from '../../../../../src/core/search/index/postings';
import { holds } from '../../../property';

const list = fc.nat({ max: 12 });
const item = fc.nat({ max: 30 });
/** Weights that have an exact form as small fractions. */
const weight = fc.integer({ min: 1, max: 20 }).map((quarters) => quarters / 4);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('add' as const), list, item, weight }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), list, item }) },
  fc.record({ do: fc.constant('clear' as const), list }),
  fc.record({ do: fc.constant('reserve' as const), list, count: fc.nat({ max: 90 }) }),
);

type Lists = ReadonlyMap<number, ReadonlyMap<number, number>>;

function agree(postings: Postings, lists: Lists): void {
  const groups = Int32Array.from({ length: 31 }, (_, one) => one % 4);
  for (let at = 0; at <= 12; at++) {
    const expected = lists.get(at) ?? new Map<number, number>();
    const seen: [number, number][] = [];
    const places: number[] = [];
    postings.each(at, (one, worth, place) => {
      seen.push([one, worth]);
      places.push(place);
    });
    expect(postings.count(at)).toBe(expected.size);
    expect(new Map(seen)).toEqual(expected);
    expect(places).toEqual([...places.keys()]);
    for (let one = 0; one <= 30; one++) expect(postings.has(at, one)).toBe(expected.has(one));

    const scores = new Float64Array(31);
    const touched = new Int32Array(40).fill(-1);
    scores[3] = 5;
    const end = postings.score(at, 2, { scores, touched }, 1);
    const fresh = [...expected.keys()].filter((one) => one !== 3);
    expect(new Set(touched.subarray(1, end))).toEqual(new Set(fresh));
    expect([touched[0], end]).toEqual([-1, 1 + fresh.length]);
    expect([...scores]).toEqual(Array.from(scores, (_, one) => (one === 3 ? 5 : 0) + 2 * (expected.get(one) ?? 0)));

    const counts = new Int32Array(4);
    const of = (group: number) => [...expected.keys()].filter((one) => one % 4 === group).length;
    const present = [0, 1, 2, 3].filter((group) => of(group) > 0);
    const number = postings.countBy(at, groups, counts, touched);
    expect([...touched.subarray(0, number)].sort()).toEqual(present);
    expect([...counts]).toEqual([0, 1, 2, 3].map(of));
  }
}

it('lists hold what was added and not removed', () => {
  holds([fc.array(step, { maxLength: 200 })], { numRuns: 500 }, (steps) => {
    const postings = new Postings();
    const lists = new Map<number, Map<number, number>>();
    for (let at = 0; at <= 12; at++) lists.set(at, new Map());
    postings.reserve(12, 1);
    for (const one of steps) {
      const own = lists.get(one.list) as Map<number, number>;
      if (one.do === 'add' && !own.has(one.item)) {
        postings.add(one.list, one.item, one.weight);
        own.set(one.item, one.weight);
      } else if (one.do === 'remove') {
        postings.remove(one.list, one.item);
        own.delete(one.item);
      } else if (one.do === 'clear') {
        postings.clear(one.list);
        own.clear();
      } else if (one.do === 'reserve') postings.reserve(one.list, one.count);
    }
    agree(postings, lists);
  });
});

it('lists keep their items while gaps between them are closed', () => {
  const postings = new Postings();
  const lists = new Map(Array.from({ length: 13 }, (_, at) => [at, new Map([[at, at + 1]])] as const));
  for (let at = 0; at <= 12; at++) postings.add(at, at, at + 1);
  for (let room = 3; room < 200; room++) for (const at of [0, 5, 12]) postings.reserve(at, room);
  agree(postings, lists);
  postings.reserve(7, 10_000);
  agree(postings, lists);
});
