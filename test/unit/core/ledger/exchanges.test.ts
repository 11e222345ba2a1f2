import { expect, it } from 'vitest';
import { Exchanges } from '../../../../src/core/ledger/exchanges';

const request = (transcript: readonly object[] = []) => ({ transcript, tools: [] }) as never;

it('the newest 100 exchanges are kept, the last of each round', () => {
  const kept = new Exchanges();
  for (let round = 1; round <= 101; round++) kept.keep({ turn: 1, round, request: request(), ours: [] });
  expect([kept.of(1, 1), kept.of(1, 2)?.round, kept.of(2, 2)]).toEqual([undefined, 2, undefined]);
  const again = kept.keep({ turn: 1, round: 5, request: request(), ours: ['search_tools'] });
  expect(kept.of(1, 5)).toBe(again);
  expect(again.ours).toEqual(['search_tools']);
  expect(kept.of(1, 2)?.round).toBe(2);
});
