import fc from 'fast-check';
import { expect, it } from 'vitest';
import { holds } from '../property';
import { Conversation, changedBeginnings, QUESTIONS } from './attack/conversation';

it('conversations with models that do anything are never refused and only grow', async () => {
  await holds(
    fc.asyncProperty(fc.noShrink(fc.nat()), async (seed) => {
      const conversation = new Conversation(seed);
      await conversation.play();
      const { sent, failures } = conversation;
      expect(failures).toEqual([]);
      expect(sent.flatMap(({ refused }) => refused ?? [])).toEqual([]);
      expect(
        sent.reduce((sum, { dropped }) => sum + dropped, 0),
        'thinking that was lost',
      ).toBe(0);
      expect(changedBeginnings(sent)).toEqual([]);
      expect(sent.length).toBeGreaterThanOrEqual(QUESTIONS / 2);
    }),
    { numRuns: 100 },
  );
});
