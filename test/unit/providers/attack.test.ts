import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Transcript } from '../../../src/core/conversation/transcript';
import { filler, makeCatalog, makeTool, makeWorld, playTurn, schema } from '../core/turn/world';
import { holdsAsync, share } from '../property';
import { Conversation, changedBeginnings, partsOf, QUESTIONS } from './attack/conversation';
import { FiguredConversation, type JudgedTurn } from './attack/figures';
import { farTurns, summary } from './attack/summary';
import { inProcess } from './inProcess';
import { portOf } from './ports';

it('conversations with models that do anything are never refused and only grow', async () => {
  await holdsAsync([fc.noShrink(fc.nat())], { numRuns: 100 }, async (seed) => {
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
  });
});

it.each(['claude-opus-5-5', 'gpt-6-sol'])('%s keeps what another model found, if its server stops', async (model) => {
  const { fetch, served } = inProcess();
  const world = makeWorld([]);
  const text = { inputSchema: schema({ x: { type: 'string' } }, ['x']) };
  const many = filler('many', 40);
  const all = [makeTool('math', 'echo', 'Does echo', text), ...filler('late', 12), ...many];
  let history: Transcript = [];
  for (const [id, tools] of [
    ['gpt-4.1', all],
    [model, all],
    [model, many],
  ] as const) {
    world.source.catalog = makeCatalog(tools);
    const prompt = id === 'gpt-4.1' ? 'echo x=a' : 'nothing of this kind';
    history = [...history, ...(await playTurn(world, portOf(id, { fetch }), { prompt, history })).items];
  }
  expect(served.flatMap(({ error }) => error ?? [])).toEqual([]);
  const own = served.filter(({ body }) => body.model === model);
  const [before, after] = own.slice(-2).map(partsOf);
  expect(after?.slice(0, before?.length)).toEqual(before);
});

/** Number of conversations and their seed: `FIGURES_RUNS=300 FIGURES_SEED=7 npm run unit -- attack.test.ts`. */
const RUNS = Number(process.env.FIGURES_RUNS ?? share(150));
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
  expect(figures, report).toMatchObject({ wrongSigns: 0, failedThatSave: 0, negative: 0, invented: 0 });
  expect(figures.near, report).toBeGreaterThan(0.98);
  expect(figures.hidden / figures.misses, report).toBeLessThan(0.02);
  expect(Math.abs(figures.sent - 1), report).toBeLessThan(0.001);
  expect(Math.abs(figures.baseline - 1), report).toBeLessThan(0.002);
}, 1_200_000);
