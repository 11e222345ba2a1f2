import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newestTurns, type TranscriptItem } from '../../../../src/core/conversation/transcript';

const user = (text: string): TranscriptItem => ({ kind: 'user', text });
const says = (text: string): TranscriptItem => ({ kind: 'assistant', text, calls: [] });

describe('a history that is cut to fit', () => {
  it('keeps the newest whole turns', () => {
    const history = [user('aaaa'), says('bbbb'), user('cc'), says('dd')];
    expect(newestTurns(history, 100)).toEqual(history);
    expect(newestTurns(history, 11)).toEqual([user('cc'), says('dd')]);
    expect(newestTurns(history, 3)).toEqual([]);
  });

  it('begins with a user’s prompt, or is empty, and is a tail of what it was', () => {
    const item = fc.oneof(fc.string().map(user), fc.string().map(says));
    fc.assert(
      fc.property(fc.array(item), fc.nat(60), (items, max) => {
        const kept = newestTurns([user('first'), ...items], max);
        expect(kept.length === 0 || kept[0]?.kind === 'user').toBe(true);
        expect([user('first'), ...items].slice(items.length + 1 - kept.length)).toEqual(kept);
      }),
    );
  });
});
