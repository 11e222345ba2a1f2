import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LedgerEvent } from '../../../src/core/ledger/ledger';
import { createChance } from '../../soak/chance';
import { brokenIn, bytesPerTurn, type Happened, isRun, outOfOrder, overserved } from '../../soak/invariants';
import { drawPlan, type Plan } from '../../soak/plan';
import { PromiseWatch } from '../../soak/promises';
import { soak } from '../../soak/soak';
import { FAULTS } from '../../standin/faults.mjs';

it('a short session in which everything goes wrong keeps every rule', async () => {
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
  // The test starts a dozen processes, and each call that hangs takes a second.
}, 120_000);

describe('what is drawn', () => {
  const draw = (seed: number, count: number) => {
    const chance = createChance(seed);
    const plans: Plan[] = [];
    for (let turn = 1; turn <= count; turn++)
      plans.push(drawPlan(chance, ['server0', 'server1'], 3, turn, plans.at(-1)));
    return plans;
  };

  it('is the same for the same seed, and other for another', () => {
    expect(draw(7, 100)).toEqual(draw(7, 100));
    expect(draw(7, 100)).not.toEqual(draw(8, 100));
  });

  it.each(['no 2', 'step 3', 'a: i, b: 1'])('has scripts with “%s” in each hundred turns', (part) => {
    for (const seed of [1, 2, 3]) expect(draw(seed, 100).some(({ prompt }) => prompt.includes(part))).toBe(true);
  });

  it('has every kind of asker, and every fault of the services', () => {
    const plans = draw(1, 3_000);
    const faults = new Set(plans.map(({ fault }) => fault?.split(':')[0]));
    expect(FAULTS.filter((fault) => !faults.has(fault))).toEqual([]);
    expect(new Set(plans.map(({ asker }) => asker)).size).toBe(4);
    expect(plans.filter(({ cancel }) => cancel).length).toBeGreaterThan(300);
  });
});

describe('a broken rule is reported', () => {
  const tokens = { value: 5, certainty: 'estimated' as const };
  const none = { value: 0, certainty: 'estimated' as const };
  const round = {
    promptAndHistory: tokens,
    eager: none,
    discovered: none,
    searchOverhead: none,
    sent: tokens,
    baseline: tokens,
  };
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
  const items = [{ kind: 'assistant' as const, text: '', calls: [{ callId: 'a', name: 'x_y', input: {} }] }];
  const broken = (events: readonly LedgerEvent[], more: Partial<Happened>) =>
    brokenIn({ turn: 1, events, report: undefined, ran: [], items: [], ...more });

  it('of a ledger and a transcript that are at odds', () => {
    const events: LedgerEvent[] = [
      { type: 'roundEnded', round: 1, ms: 0, tokens: { ...round, sent: { ...tokens, value: 6 } }, ...at(1) },
      { ...called, ...at(2) },
      { ...called, ...at(3) },
      { type: 'turnEnded', status: 'answered', ms: 0, ...at(4) },
      { type: 'warned', message: '', ...at(5) },
    ];
    expect(broken(events, { items, ran: ['x/y', 'x/y'] })).toEqual([
      'a is called in the ledger more than once',
      'calls of the transcript and their results differ: a and ',
      'x/y ran 2 times, where 1 were asked for',
      'turnStarted was recorded 0 times',
      'something was recorded after the end: warned',
      'round 1 ended without a start',
      'the turn has no report',
    ]);
  });

  it('of calls that are lost', () => {
    const results = { kind: 'results' as const, results: [{ callId: 'a', outcome: 'ok' as const, parts: [] }] };
    expect(broken([], { items: [...items, results], ran: ['x/y'] })).toEqual(
      expect.arrayContaining([
        "a was answered and isn't in the ledger",
        'x/y ran 1 times, and is 0 times in the ledger',
      ]),
    );
    expect(broken([{ ...called, ...at(1) }], { items: [...items, results] })).toContain(
      'x/y is 1 times in the ledger as done, and ran 0 times',
    );
    expect(overserved(new Map([['x/y', 2]]), new Map([['x/y', 1]]))).toEqual([
      'x/y was asked for 2 times, where 1 calls were made',
    ]);
  });

  it('of steps that change places, and of one that the user skipped', () => {
    const steps = (...numbers: readonly number[]) => numbers.map((n) => ({ input: { text: `step ${n}` } }));
    expect(outOfOrder(steps(1, 2, 3, 1, 2))).toEqual([]);
    expect(outOfOrder(steps(1, 3))).toEqual(['step 3 came after step 1']);
    expect(['yes 1', 'no 2'].map((text) => isRun({ consents: true }, { text }))).toEqual([true, false]);
  });

  it('of bytes that each turn leaves, beside a few that go again', () => {
    const samples = Array.from({ length: 40 }, (_, turn) => ({
      turn,
      bytes: turn * 20_000 + (turn % 5) * 10_000 + (turn > 5 && turn < 15 ? 5_000_000 : 0),
    }));
    expect(Math.abs(bytesPerTurn(samples) - 20_000)).toBeLessThan(4_000);
  });

  it('of what waits for ever, and of nothing that is over', async () => {
    const held: unknown[] = [];
    const watch = new PromiseWatch();
    watch.start();
    try {
      await watch.during(async () => {
        await Promise.race([new Promise(() => {}), Promise.resolve()]);
        await new Promise((resolve) => setTimeout(resolve, 1));
      });
      expect(await watch.leftAfter(0)).toEqual([]);
      void watch.during(async () => {
        await null;
        await new Promise((resolve) => held.push(resolve));
      });
      expect((await watch.leftAfter(0)).join()).toContain('soak.test.ts');
      void watch.during(() => watch.outside(() => new Promise((resolve) => held.push(resolve))));
      expect(await watch.leftAfter(0)).toEqual([]);
    } finally {
      watch.stop();
    }
  });
});
