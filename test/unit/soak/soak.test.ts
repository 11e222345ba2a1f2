import path from 'node:path';
import { expect, it } from 'vitest';
import type { CallOutcome, Transcript } from '../../../src/core/conversation/transcript';
import type { LedgerEvent } from '../../../src/core/ledger/events';
import { EMPTY_REQUEST, type ModelRequest } from '../../../src/core/ports';
import { createChance } from '../../soak/chance';
import * as rules from '../../soak/invariants';
import { mispriced, unlike } from '../../soak/outputs';
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
const asked = (body: string) => rules.strangeQuestions([{ body }], ['[[turn 2]]', '[[turn 3]]']);
const told = (text: string) => {
  const results = [{ callId: '1', outcome: 'ok', parts: [{ type: 'text', text }] }] as const;
  return [{ seen: [{ kind: 'results', results }] }] as const;
};
const heard = (text: string) => {
  const items = [{ kind: 'assistant', text, calls: [] }] as const;
  const said = [{ type: 'text', text: 'one two' }];
  const broken = rules.brokenIn({ turn: 1, events: [], report: undefined, ran: [], items, said });
  return broken.filter((what) => what.startsWith('the service said'));
};
const RAN = [{ kind: 'results', results: [{ callId: '1', outcome: 'ok', parts: [] }] }] as const;
const request = (transcript: Transcript): ModelRequest => ({
  ...{ ...EMPTY_REQUEST, transcript, strategy: 'bm25' },
  tools: [{ id: 'a/echo', server: 'a', name: 'a_echo', description: '', inputSchema: {} }],
});
const hiding = { settings: { hiddenTools: { '*': ['echo'] } } } as unknown as Plan;
const left = [{ kind: 'user', text: '', note: true, left: ['a_echo'] }] as const;
const once = { prompt: 'A [[fault:529*1]]', cancel: undefined };
const askedOf = (model: string, status: number) =>
  rules.wrongAsked(once, [{ ...SENT, status, body: { model } }], ['gpt']);
const PAID = { ...SENT, body: { model: 'gpt-4.1' }, usage: { input_tokens: 1_000 } } as const;
const costing = (usd: number) =>
  [{ type: 'roundEnded', tokens: { cost: { usd: { sent: usd } } } }] as unknown as LedgerEvent[];
const ended = (outcome: CallOutcome) => [{ type: 'called', tool: 'a/hang', outcome }] as unknown as LedgerEvent[];

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

const NEWS = { kind: 'user', text: '(Tools have come since: 3 of "a".)', note: true } as const;

/** What each rule says of a session that breaks it, and of one that doesn't. */
const RULES: { readonly [title: string]: readonly [broken: readonly string[], held: readonly string[]] } = {
  'steps change places': [rules.outOfOrder(steps(1, 3)), rules.outOfOrder(steps(1, 2, 3, 1, 2))],
  'a reply changes on its way': [heard('two one'), heard('one two')],
  'a request has the question of another chat': [asked('[[turn 1]] [[turn 3]]'), asked('[[turn 2]] [[turn 3]]')],
  'two agents get different answers': [
    rules.differing(told('one'), told('other')),
    rules.differing(told('one'), told('one')),
  ],
  'a request lacks a call of its chat': [rules.otherCalls([request([])], RAN), rules.otherCalls([request(RAN)], RAN)],
  'a request has a call twice': [rules.otherCalls([request(RAN)], []), rules.otherCalls([request(RAN)], RAN)],
  'a request has two agents’ chats': [
    rules.mixed([{ body: 'This is agent 0. This is agent 1.' }]),
    rules.mixed([{ body: 'This is agent 1.' }]),
  ],
  'a hidden tool is sent': [
    rules.wrongRequests([request([])], hiding, []),
    rules.wrongRequests([request(left)], hiding, []),
  ],
  'a note tells of a new server again': [
    rules.wrongRequests([request([...left, NEWS, NEWS])], hiding, []),
    rules.wrongRequests([request([...left, NEWS])], hiding, []),
  ],
  'another model is asked': [askedOf('claude', 200), askedOf('gpt', 200)],
  'a request isn’t repeated after a failure': [askedOf('gpt', 529), askedOf('gpt', 200)],
  'a stopped call isn’t over': [rules.notStopped(ended('ok')), rules.notStopped(ended('cancelled'))],
  'a request costs other dollars': [mispriced([PAID], costing(0.02)), mispriced([PAID], costing(0.002))],
  'a setting has no effect': [
    unlike({ sends: 'A tool.' }, request([])),
    unlike({ sends: 'A tool.', course: 'before' }, request([])),
  ],
  'tokens of another turn are counted': [rules.miscounted([SENT], []), rules.miscounted([], [])],
};
it.each(Object.entries(RULES))('the soak finds that %s', (_, [broken, held]) => {
  expect([broken.length > 0, held]).toEqual([true, []]);
});

it('the soak finds bytes that each turn leaves', () => {
  const samples = Array.from({ length: 40 }, (_, turn) => ({
    turn,
    bytes: turn * 20_000 + (turn % 5) * 10_000 + (turn > 5 && turn < 15 ? 5_000_000 : 0),
  }));
  expect(Math.abs(rules.bytesPerTurn(samples) - 20_000)).toBeLessThan(4_000);
});
