import { describe, expect, it } from 'vitest';
import { boundedEntry } from '../../../../src/core/ledger/bounds';
import type { LedgerEvent } from '../../../../src/core/ledger/events';
import { Exchanges } from '../../../../src/core/ledger/exchanges';
import { Ledger } from '../../../../src/core/ledger/ledger';

const recorded = (...entries: readonly object[]) =>
  entries.map((entry, index) => ({ seq: index + 1, at: index, turn: 1, ...entry }) as LedgerEvent);
const at = (round: number, callId: string) => ({ round, callId });
const started = (kind: 'callStarted' | 'scriptStarted', round: number, callId: string) => ({
  type: kind,
  ...at(round, callId),
  ...(kind === 'callStarted' ? { tool: 'a/b', args: '{}' } : { title: '', code: '1' }),
});

describe('a turn that a reload cut off', () => {
  it('ends its open calls and scripts, and no others', () => {
    const ledger = new Ledger();
    const events = recorded(
      { type: 'turnStarted' },
      started('scriptStarted', 1, 'c1'),
      { ...started('callStarted', 1, 'c2'), script: 'c1' },
      { type: 'called', ...at(1, 'c2'), tool: 'a/b', outcome: 'ok', script: 'c1' },
      { type: 'scriptEnded', ...at(1, 'c1') },
      started('scriptStarted', 2, 'c1'),
      ...['ok', 'ok'].map((outcome, index) => ({
        ...{ type: 'called', ...at(2, `c1.${index}`), tool: 'a/b', outcome, script: 'c1' },
      })),
      { ...started('callStarted', 2, 'c2'), script: 'c1' },
      { type: 'turnStarted', turn: 2 },
      { ...started('callStarted', 2, 'c3'), turn: 2 },
    );
    ledger.restore(events);
    expect(ledger.events.slice(events.length)).toMatchObject([
      { type: 'called', ...at(2, 'c2'), tool: 'a/b', args: '{}', script: 'c1', outcome: 'cancelled' },
      { type: 'scriptEnded', ...at(2, 'c1'), outcome: 'cancelled', calls: 3, failed: 1, servers: ['a'], ms: 3 },
      { type: 'turnEnded', turn: 1, status: 'cancelled' },
      { type: 'called', turn: 2, ...at(2, 'c3'), outcome: 'cancelled' },
      { type: 'turnEnded', turn: 2, status: 'cancelled' },
    ]);
  });

  it('ends nothing else', () => {
    const ledger = new Ledger();
    const events = recorded({ type: 'turnStarted' }, { type: 'warned', message: '' });
    ledger.restore(events);
    expect(ledger.events.slice(events.length).map(({ type }) => type)).toEqual(['turnEnded']);
  });
});

it('a clock that is set back gives no negative duration', () => {
  const ledger = new Ledger();
  ledger.startTurn(() => 0).record({ type: 'turnEnded', status: 'answered', ms: -3_600_000 });
  expect(ledger.events).toMatchObject([{ ms: 0 }]);
});

it('an entry without long texts stays the same object', () => {
  const entry = { code: 'x'.repeat(5_000), hits: ['a'], nothing: null, no: undefined };
  expect(boundedEntry(entry)).toBe(entry);
  expect(boundedEntry({ ...entry, title: 'x'.repeat(5_000) })).toEqual({ ...entry, title: `${'x'.repeat(3_999)}…` });
});

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
