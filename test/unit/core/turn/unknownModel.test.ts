import { expect, it } from 'vitest';
import { eventsOf } from '../../../../src/core/ledger/events';
import { filler, MODEL, makeWorld, playTurn, ScriptedModel, text } from './world';

async function warningsOf(vendor: string, id: string): Promise<readonly string[]> {
  const world = makeWorld(filler('other', 3));
  const info = { ...MODEL, vendor, id, name: 'Nova', maxInputTokens: 128_000 };
  const model = Object.assign(new ScriptedModel([[text('a')], [text('b')]]), { info });
  for (let turn = 0; turn < 2; turn++) await playTurn(world, model);
  return eventsOf(world.ledger.events, 'warned').map(({ message }) => message);
}

it('says once that a model isn’t in the table', async () => {
  expect(await warningsOf('toolsearch-openai', 'nova-1')).toEqual([
    'Tool Search doesn’t know the model Nova. Its window of 128,000 tokens and its features are assumed. Figures are in tokens only, because its prices aren’t known.',
  ]);
});

it.each([
  ['toolsearch-openai', 'gpt-5.4'],
  ['copilot', 'nova-1'],
])('is silent about %s/%s', async (vendor, id) => {
  expect(await warningsOf(vendor, id)).toEqual([]);
});
