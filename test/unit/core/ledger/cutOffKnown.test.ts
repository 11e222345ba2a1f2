import { expect, it } from 'vitest';
import { cutOffTurn } from '../../../../src/core/ledger/cutOff';
import type { LedgerEvent } from '../../../../src/core/ledger/events';

const at = (turn: number, seq: number) => ({ turn, seq, at: seq });
const started = (turn: number, seq: number) =>
  ({
    type: 'turnStarted',
    prompt: 'again?',
    model: { id: 'm', vendor: 'v', name: 'M' },
    strategy: { name: 'bm25', why: '' },
    delivery: { name: 'local', why: '' },
    counts: { eager: 0, discovered: 0, deferred: 0 },
    ...at(turn, seq),
  }) as LedgerEvent;
const ended = (turn: number, seq: number) =>
  ({ type: 'turnEnded', status: 'cancelled', ms: 0, ...at(turn, seq) }) as LedgerEvent;

it('a turn known otherwise is not taken for the cut one', () => {
  const events = [started(1, 1), ended(1, 2), started(2, 3), ended(2, 4)];
  expect(cutOffTurn(events, 'again?')?.turn).toBe(2);
  expect(cutOffTurn(events, 'again?', new Set([2]))?.turn).toBe(1);
  expect(cutOffTurn(events, 'again?', new Set([1, 2]))).toBeUndefined();
});
