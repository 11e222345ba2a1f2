import { expect, it } from 'vitest';
import { suggestionView } from '../../../../src/inspector/suggestions/text';
import { spoken } from '../../../data/viewInputs';

const estimated = (value: number) => ({ value, certainty: 'estimated' as const });
const PIN = {
  ...{ id: 'pin a/b', kind: 'pinTool' as const, tool: 'a/b', turns: 3, of: 4, calls: 1 },
  ...{ definition: estimated(120), cost: estimated(60), saved: estimated(23), net: estimated(-37) },
};

it('says both of a pin that spares calls and costs tokens', () => {
  const view = suggestionView(PIN, spoken());
  expect(view.saving).toBeUndefined();
  expect(view.benefit).toBe('1 fewer model call, ≈\u00a0148 more tokens in 4 turns');
  expect(suggestionView({ ...PIN, calls: 3 }, spoken()).benefit).toMatch(/^3 fewer model calls, /);
});

it('gives the tokens alone of a pin that saves them', () => {
  const view = suggestionView({ ...PIN, net: estimated(37) }, spoken());
  expect(view.saving?.tokens.value).toBe(37);
  expect(view.benefit).toBeUndefined();
});
