import { expect, it } from 'vitest';
import { RelayTurns } from '../../../../src/core/agents/relayTurns';
import { Ledger } from '../../../../src/core/ledger/ledger';
import { SETTINGS } from '../turn/world';

it('a question that is asked again is a turn of its own', () => {
  const turns = new RelayTurns(new Ledger(), { now: () => 0, timer: () => () => {} });
  const asked = { kind: 'user', text: 'hi' } as const;
  const first = turns.enter('chat', [asked], SETTINGS);
  turns.wait(first);
  expect(turns.enter('chat', [asked, { kind: 'results', results: [] }], SETTINGS)).toBe(first);
  turns.wait(first);
  expect(turns.enter('chat', [asked], SETTINGS)).not.toBe(first);
});
