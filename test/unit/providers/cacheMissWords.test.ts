import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../src/core/conversation/transcript';
import type { Settings } from '../../../src/core/settings/settings';
import { filler, makeCatalog, makeTool, makeWorld, playTurn, schema, TestRunner } from '../core/turn/world';
import { inProcess } from './inProcess';
import { portOf } from './ports';

const text = { inputSchema: schema({ x: { type: 'string' } }, ['x']) };
const TOOLS = [makeTool('math', 'echo', `Does echo. ${'It takes a text. '.repeat(300)}`, text), ...filler('many', 40)];

/** Asks twice, with other settings the second time. Returns the cache reports of the service and the ledger. */
async function around(model: string, faults: ReadonlySet<string> = new Set()) {
  const { fetch, served } = inProcess(faults);
  const port = portOf(model, { fetch });
  const world = makeWorld([]);
  world.source.catalog = makeCatalog(TOOLS);
  const runner = new TestRunner(() => ({ outcome: 'ok', parts: [{ type: 'text', text: 'done' }] }));
  const settings: Partial<Settings> = { eagerTools: { math: ['echo'] } };
  let history: Transcript = [];
  for (const delivery of ['server', 'bridge'] as const) {
    const question = { prompt: 'echo x=a', history, runner, settings: { ...settings, delivery } };
    const outcome = await playTurn(world, port, question);
    expect(outcome.status).toBe('answered');
    history = [...history, ...outcome.items];
  }
  const rounds = world.ledger.events.flatMap((event) => (event.type === 'roundEnded' ? [event.prefix?.broke] : []));
  return { words: served.map(({ miss }) => miss), rounds, refused: served.flatMap(({ error }) => error ?? []) };
}

describe('A cache miss is explained in its service’s own words', () => {
  it.each([
    ['claude-opus-5-5', 'system_changed'],
    ['gpt-6-sol', 'prompt_cache_key_changed'],
  ])('by %s', async (model, word) => {
    const { words, rounds, refused } = await around(model);
    expect(refused).toEqual([]);
    expect(words).toEqual([undefined, undefined, word, undefined]);
    expect(rounds).toEqual([undefined, undefined, { cause: 'delivery', said: word }, undefined]);
  });

  it('unless the model compares no requests', async () => {
    const { words, rounds } = await around('claude-sonnet-4-5');
    expect(words).toEqual([undefined, undefined, undefined, undefined]);
    expect(rounds[2]).toEqual({ cause: 'delivery' });
  });

  it('or a gateway refuses to: then it is not asked again', async () => {
    const { rounds, refused } = await around('gpt-6-sol', new Set(['nocachechoice']));
    expect(refused).toEqual(["Unknown parameter: 'prompt_cache_options'."]);
    expect(rounds.findLast((broke) => broke)).toEqual({ cause: 'delivery' });
  });
});
