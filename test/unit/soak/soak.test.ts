import path from 'node:path';
import { expect, it } from 'vitest';
import { createChance } from '../../soak/chance';
import { brokenIn, bytesPerTurn, differing, miscounted, outOfOrder, strangeQuestions } from '../../soak/invariants';
import { drawPlan, type Plan } from '../../soak/plan';
import { soak } from '../../soak/soak';
import { FAULTS } from '../../standin/faults.mjs';

const SENT = {
  service: 'openai',
  method: 'POST',
  path: '/v1/responses',
  status: 200,
  usage: { output_tokens: 1 },
} as const;
const steps = (...numbers: readonly number[]) => numbers.map((n) => ({ input: { text: `step ${n}` } }));
const asked = (body: string) => strangeQuestions([{ body }], ['[[turn 2]]', '[[turn 3]]']);
const told = (text: string) => {
  const results = [{ callId: '1', outcome: 'ok', parts: [{ type: 'text', text }] }] as const;
  return [{ seen: [{ kind: 'results', results }] }] as const;
};
const heard = (text: string) => {
  const items = [{ kind: 'assistant', text, calls: [] }] as const;
  const said = [{ type: 'text', text: 'one two' }];
  const broken = brokenIn({ turn: 1, events: [], report: undefined, ran: [], items, said });
  return broken.filter((what) => what.startsWith('the service said'));
};

it('a short session in which everything goes wrong keeps every rule', async () => {
  const lines: string[] = [];
  const { broken, turns } = await soak({
    seed: 11,
    turns: 8,
    servers: 3,
    tests: path.resolve(import.meta.dirname, '../..'),
    say: (line) => lines.push(line),
  });
  expect(broken, lines.join('\n')).toEqual([]);
  expect(lines).toHaveLength(turns);
  // The test starts a dozen processes, and each call that hangs takes a second.
}, 300_000);

it('a session has every asker and every fault', () => {
  const [chance, plans] = [createChance(1), [] as Plan[]];
  for (let turn = 1; turn <= 3_000; turn++)
    plans.push(drawPlan(chance, ['server0', 'server1', 'server2'], 3, turn, plans.at(-1)));
  const faults = new Set(plans.map(({ fault }) => fault?.split(':')[0]));
  expect(FAULTS.filter((fault) => !faults.has(fault))).toEqual([]);
  expect(new Set(plans.map(({ asker }) => asker)).size).toBe(4);
  expect(plans.filter(({ cancel }) => cancel).length).toBeGreaterThan(300);
});

/** What each rule says of a session that breaks it, and of one that doesn't. */
const RULES: { readonly [title: string]: readonly [broken: readonly string[], held: readonly string[]] } = {
  'steps change places': [outOfOrder(steps(1, 3)), outOfOrder(steps(1, 2, 3, 1, 2))],
  'a reply changes on its way': [heard('two one'), heard('one two')],
  'a request has the question of another chat': [asked('[[turn 1]] [[turn 3]]'), asked('[[turn 2]] [[turn 3]]')],
  'two agents get different answers': [differing(told('one'), told('other')), differing(told('one'), told('one'))],
  'tokens of another turn are counted': [miscounted([SENT], []), miscounted([], [])],
};
it.each(Object.entries(RULES))('the soak finds that %s', (_, [broken, held]) => {
  expect([broken.length > 0, held]).toEqual([true, []]);
});

it('the soak finds bytes that each turn leaves', () => {
  const samples = Array.from({ length: 40 }, (_, turn) => ({
    turn,
    bytes: turn * 20_000 + (turn % 5) * 10_000 + (turn > 5 && turn < 15 ? 5_000_000 : 0),
  }));
  expect(Math.abs(bytesPerTurn(samples) - 20_000)).toBeLessThan(4_000);
});
