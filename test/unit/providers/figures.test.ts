import { expect, it } from 'vitest';
import { FiguredConversation, type JudgedTurn } from './attack/figures';
import { farTurns, summary } from './attack/summary';

/** Number of conversations and their seed: `FIGURES_RUNS=300 FIGURES_SEED=7 npm run unit -- figures.test.ts`. */
const RUNS = Number(process.env.FIGURES_RUNS ?? 12);
const SEED = Number(process.env.FIGURES_SEED ?? 1);

it('figures of random conversations are those of an independent count', async () => {
  const turns: JudgedTurn[] = [];
  for (let run = 0; run < RUNS; run++) {
    const conversation = new FiguredConversation(SEED * 100_000 + run);
    await conversation.play();
    turns.push(...conversation.turns);
  }
  const figures = summary(turns);
  const report = [JSON.stringify(figures), ...farTurns(turns)].join('\n');
  if (process.env.FIGURES_RUNS) process.stdout.write(`${report}\n`);
  expect(figures, report).toMatchObject({ failedThatSave: 0, negative: 0 });
  expect(figures.near, report).toBeGreaterThan(0.93);
  expect(Math.abs(figures.sent - 1), report).toBeLessThan(0.01);
}, 1_200_000);
