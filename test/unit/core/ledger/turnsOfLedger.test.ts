import { expect, it } from 'vitest';
import { cutOffTurn } from '../../../../src/core/ledger/cutOff';
import { type LedgerEvent, ledgerEventSchema } from '../../../../src/core/ledger/events';

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
  expect(cutOffTurn(events, { prompt: 'again?' })?.turn).toBe(2);
  expect(cutOffTurn(events, { prompt: 'again?', known: new Set([2]) })?.turn).toBe(1);
  expect(cutOffTurn(events, { prompt: 'again?', known: new Set([1, 2]) })).toBeUndefined();
});

it('another agent is known in files of earlier versions', () => {
  const why = (text: string) => ({ ...started(1, 1), delivery: { name: 'local', why: text } });
  const read = (event: object) => ledgerEventSchema().safeParse(event).data;
  expect(read(why('auto; for another agent of VS Code'))).toMatchObject({ agent: true });
  expect(read(why('auto'))).not.toHaveProperty('agent');
});
