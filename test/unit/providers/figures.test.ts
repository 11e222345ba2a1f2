import { expect, it } from 'vitest';
import { FiguredConversation } from './attack/figures';
import { summary } from './attack/summary';

/** Number of conversations and their seed: `FIGURES_RUNS=300 FIGURES_SEED=7 npm run unit -- figures.test.ts`. */
const RUNS = Number(process.env.FIGURES_RUNS ?? 12);
const SEED = Number(process.env.FIGURES_SEED ?? 1);

it(`figures of ${RUNS} random conversations are those of an independent count`, async () => {
  const turns = [];
  for (let run = 0; run < RUNS; run++) {
    const conversation = new FiguredConversation(SEED * 100_000 + run);
    await conversation.play();
    turns.push(...conversation.turns);
  }
  if (process.env.FIGURES_RUNS) process.stdout.write(`${summary(turns)}\n`);
  expect(turns.length).toBe(RUNS * 6);
}, 1_200_000);
