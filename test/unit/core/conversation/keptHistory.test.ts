import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fittingHistory, keptTurn } from '../../../../src/core/conversation/keptHistory';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { result, results, said, user } from '../../../data/items';
import { holds } from '../../property';

const shows = (bytes: number) =>
  results(result('a', { parts: [{ type: 'image', mimeType: 'image/png', bytes, data: 'A'.repeat(8) }] }));
const turn = (length: number): Transcript => [user('q'.repeat(length / 2)), said('a'.repeat(length / 2))];

describe('a history that is cut to fit', () => {
  it('keeps the newest whole turns', () => {
    const joined = [{ id: 'a/b', name: 'b', server: 'a', description: '', inputSchema: {} }];
    const called = said('bbbb', [{ callId: '1', name: 'b', input: { a: 1 } }]);
    const old = [user('aaaa'), user('', { note: true, joined }), called, results(result('1', 'eee'))];
    const history = [...old, user('cc'), said('dd')];
    const length = JSON.stringify(joined).length + 'aaaabbbb{"a":1}eeeccdd'.length;
    expect(fittingHistory(history, length)).toEqual(history);
    expect(fittingHistory(history, length - 1)).toEqual([user('cc'), said('dd')]);
    expect(fittingHistory(history, 3)).toEqual([]);
  });

  it('begins with a question, or is empty, and is a tail', () => {
    const item = fc.oneof(
      fc.string().map((text) => user(text)),
      fc.string().map((text) => said(text)),
    );
    holds([fc.array(item), fc.nat(60)], (items, max) => {
      const kept = fittingHistory([user('first'), ...items], max);
      expect(kept.length === 0 || kept[0]?.kind === 'user').toBe(true);
      expect([user('first'), ...items].slice(items.length + 1 - kept.length)).toEqual(kept);
    });
  });

  it('is cut seldom: in between, each turn adds to the ones before', () => {
    let cuts = 0;
    let history: Transcript = [];
    let before: Transcript = [];
    for (let asked = 0; asked < 400; asked++) {
      history = [...history, ...turn(100)];
      const now = fittingHistory(history, 4_000);
      if (JSON.stringify(now.slice(0, before.length)) !== JSON.stringify(before)) cuts++;
      before = now;
    }
    // A cut removes several turns at once, so cuts are rare.
    expect(cuts).toBeLessThan(25);
    expect(before.length).toBeGreaterThan(20);
  });

  it('shows its images until it is cut, then names the older ones', () => {
    const older = [...turn(5_000), user('one'), shows(100)];
    expect(fittingHistory(older, 9_900)).toEqual(older);
    const [, kept] = fittingHistory([...older, ...turn(100)], 9_900);
    expect(kept).toMatchObject({ results: [{ parts: [{ type: 'omitted' }] }] });
  });

  it('is cut when its images are too many bytes', () => {
    const turns = Array.from({ length: 8 }, (_, index) => [user(`${index}`), shows(3_000_000)]).flat();
    expect(JSON.stringify(fittingHistory(turns, 1_000_000)).split('"image"').length - 1).toBeLessThan(7);
  });
});

it.each([
  ['keeps its images', 5_000_000, 'image'],
  ['only names images that are too large together', 7_000_000, 'omitted'],
])('a turn that is kept %s', (_, bytes, type) => {
  expect(keptTurn([user('q'), shows(bytes)])[1]).toMatchObject({ results: [{ parts: [{ type }] }] });
});
