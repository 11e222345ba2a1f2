import { describe, expect, it } from 'vitest';
import { Conversation, changedBeginnings, QUESTIONS } from './attack/conversation';

/** Number of conversations and their seed: `ATTACK_RUNS=2000 ATTACK_SEED=7 npm run unit -- attack.test.ts`. */
const RUNS = Number(process.env.ATTACK_RUNS ?? 40);
const SEED = Number(process.env.ATTACK_SEED ?? 1);

describe(`${RUNS} conversations with models that do anything`, () => {
  it.each(Array.from({ length: 4 }, (_, part) => part))(
    'are never refused, lose no thinking and only grow (%i of 4)',
    async (part) => {
      for (let run = part; run < RUNS; run += 4) {
        const seed = SEED * 100_000 + run;
        const conversation = new Conversation(seed);
        await conversation.play();
        const { sent, failures } = conversation;
        expect({ seed, failures, refused: sent.flatMap(({ refused }) => refused ?? []) }).toEqual({
          seed,
          failures: [],
          refused: [],
        });
        expect({ seed, dropped: sent.reduce((sum, { dropped }) => sum + dropped, 0) }).toEqual({ seed, dropped: 0 });
        expect({ seed, changed: changedBeginnings(sent) }).toEqual({ seed, changed: [] });
        expect(sent.length).toBeGreaterThanOrEqual(QUESTIONS / 2);
      }
    },
    120_000,
  );
});
