import { describe, expect, it } from 'vitest';
import type { LedgerEvent } from '../../../../src/core/ledger/ledger';
import { scriptView } from '../../../../src/inspector/view/scriptViews';
import { called } from '../../../data/entries';

const started = (where?: 'provider') => ({
  type: 'scriptStarted' as const,
  round: 1,
  callId: 'code_1',
  title: '',
  code: 'print(1)',
  seq: 1,
  at: 0,
  turn: 1,
  ...(where ? { where } : {}),
});
const callIn = (round: number): LedgerEvent => ({
  ...called('math/sum', { round, callId: `call_${round}`, script: 'code_1' }),
  ...{ seq: 1 + round, at: round, turn: 1 },
});

describe('The row of code', () => {
  it.each([
    ['that the provider runs has its calls of all the rounds it waited for', 'provider' as const, 3],
    ['of ours has those of its round alone: ids may come again', undefined, 1],
  ])('%s', (_, where, times) => {
    const view = scriptView(started(where), [callIn(1), callIn(2), callIn(3)], () => ({ server: 'math', name: 'sum' }));
    expect(view.byTool).toMatchObject([{ tool: 'math/sum', times }]);
  });
});
