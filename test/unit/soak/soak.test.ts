import path from 'node:path';
import { expect, it } from 'vitest';
import type { LedgerEvent } from '../../../src/core/ledger/ledger';
import { brokenIn } from '../../soak/invariants';
import { soak } from '../../soak/soak';

it('a short session in which everything goes wrong that can keeps every rule', async () => {
  const lines: string[] = [];
  const { broken, turns } = await soak({
    seed: 11,
    turns: 10,
    servers: 3,
    tests: path.resolve(import.meta.dirname, '../..'),
    say: (line) => lines.push(line),
  });
  expect(broken, lines.join('\n')).toEqual([]);
  expect(lines).toHaveLength(turns);
  // It starts a dozen processes, and two seconds are what a tool that hangs has.
}, 120_000);

it('a rule that is broken is told', () => {
  const tokens = { value: 5, certainty: 'estimated' as const };
  const nothing = { promptAndHistory: tokens, eager: tokens, discovered: tokens, searchOverhead: tokens, sent: tokens, baseline: tokens };
  const at = (seq: number) => ({ seq, at: 0, turn: 1 });
  const called = {
    type: 'called',
    round: 1,
    callId: 'a',
    tool: 'x/y',
    known: true,
    args: '',
    outcome: 'ok',
    summary: '',
    resultBytes: 0,
    withoutDiscovery: false,
    retry: 0,
    ms: 0,
  } as const;
  const events: LedgerEvent[] = [
    { type: 'roundEnded', round: 1, ms: 0, tokens: nothing, ...at(1) },
    { ...called, ...at(2) },
    { ...called, ...at(3) },
    { type: 'turnEnded', status: 'answered', ms: 0, ...at(4) },
    { type: 'warned', message: '', ...at(5) },
  ];
  const items = [{ kind: 'assistant' as const, text: '', calls: [{ callId: 'a', name: 'x_y', input: {} }] }];
  const broken = brokenIn({ outcome: { turn: 1, status: 'answered', items, answer: '' }, events, report: undefined, ran: ['x/y', 'x/y'] });
  expect(broken).toEqual([
    'calls of the transcript and their results differ: a and ',
    'a is called in the ledger more than once',
    '2 tools ran, where the model asked for 1: x/y, x/y',
    'something was recorded after the end: warned',
    'round 1 ended without a start',
    'the turn has no report',
  ]);
});
