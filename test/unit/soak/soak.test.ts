import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createChance } from '../../soak/chance';
import { brokenIn, bytesPerTurn, isRun, outOfOrder } from '../../soak/invariants';
import { drawPlan, type Plan } from '../../soak/plan';
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
}, 300_000);

describe('what is drawn', () => {
  const draw = (seed: number, count: number) => {
    const chance = createChance(seed);
    const plans: Plan[] = [];
    for (let turn = 1; turn <= count; turn++)
      plans.push(drawPlan(chance, ['server0', 'server1', 'server2'], 3, turn, plans.at(-1)));
    return plans;
  };

  it('has every kind of asker, and every fault of the services', () => {
    const plans = draw(1, 3_000);
    const faults = new Set(plans.map(({ fault }) => fault?.split(':')[0]));
    expect(FAULTS.filter((fault) => !faults.has(fault))).toEqual([]);
    expect(new Set(plans.map(({ asker }) => asker)).size).toBe(4);
    expect(plans.filter(({ cancel }) => cancel).length).toBeGreaterThan(300);
  });
});

describe('a broken rule is reported', () => {
  it('of steps that change places, and of one that the user skipped', () => {
    const steps = (...numbers: readonly number[]) => numbers.map((n) => ({ input: { text: `step ${n}` } }));
    expect(outOfOrder(steps(1, 2, 3, 1, 2))).toEqual([]);
    expect(outOfOrder(steps(1, 3))).toEqual(['step 3 came after step 1']);
    expect(['yes 1', 'no 2'].map((text) => isRun({ consents: true }, { text }))).toEqual([true, false]);
  });

  it('of a reply that changes on its way', () => {
    const items = [{ kind: 'assistant', text: 'one two', calls: [] }] as const;
    const heard = (text: string) =>
      brokenIn({ turn: 1, events: [], report: undefined, ran: [], items, said: [{ type: 'text', text }] }).join();
    expect(heard('two one')).toContain('the service said');
    expect(heard('one two')).not.toContain('the service said');
  });

  it('of bytes that each turn leaves, beside a few that go again', () => {
    const samples = Array.from({ length: 40 }, (_, turn) => ({
      turn,
      bytes: turn * 20_000 + (turn % 5) * 10_000 + (turn > 5 && turn < 15 ? 5_000_000 : 0),
    }));
    expect(Math.abs(bytesPerTurn(samples) - 20_000)).toBeLessThan(4_000);
  });
});
