import { expect, it } from 'vitest';
import { questionOf, RelayTurns, recordResults } from '../../../../src/core/agents/relayTurns';
import { Ledger } from '../../../../src/core/ledger/ledger';
import { callOf, makeTool, SETTINGS } from '../turn/world';

it('a question that is asked again is a turn of its own', () => {
  const turns = new RelayTurns(new Ledger(), { now: () => 0, timer: () => () => {} });
  const asked = { kind: 'user', text: 'hi' } as const;
  const first = turns.enter('chat', [asked], SETTINGS);
  turns.wait(first);
  expect(turns.enter('chat', [asked, { kind: 'results', results: [] }], SETTINGS)).toBe(first);
  turns.wait(first);
  expect(turns.enter('chat', [asked], SETTINGS)).not.toBe(first);
});

it('agents that ask the same thing at once have their own turns', () => {
  const ledger = new Ledger();
  const turns = new RelayTurns(ledger, { now: () => 0, timer: () => () => {} });
  const asked = { kind: 'user', text: 'hi' } as const;
  const [one, two] = ['one', 'two'].map((id) => {
    const turn = turns.enter('chat', [asked], SETTINGS);
    turn.handed.set(id, { ...callOf(makeTool('a', 'b')), since: 0 });
    return turn;
  });
  for (const turn of [one, two]) if (turn) turns.wait(turn);
  const back = (callId: string) =>
    turns.enter('chat', [asked, { kind: 'results', results: [{ callId, outcome: 'ok', parts: [] }] }], SETTINGS);
  expect([back('one'), back('two')]).toEqual([one, two]);
  expect(one).not.toBe(two);
  expect(ledger.events).toEqual([]);
});

it('a turn whose agent never returns is cancelled after 15 minutes', () => {
  const ledger = new Ledger();
  const limits: { readonly run: () => void; readonly ms: number }[] = [];
  const timer = (run: () => void, ms: number) => {
    limits.push({ run, ms });
    return () => {};
  };
  const turns = new RelayTurns(ledger, { now: () => 0, timer });
  const asked = { kind: 'user', text: 'hi' } as const;
  const first = turns.enter('chat', [asked], SETTINGS);
  expect(limits).toEqual([]);
  turns.wait(first);
  expect(limits).toMatchObject([{ ms: 15 * 60_000 }]);
  limits[0]?.run();
  expect(ledger.events).toMatchObject([{ type: 'turnEnded', status: 'cancelled' }]);
  expect(turns.enter('chat', [asked, { kind: 'results', results: [] }], SETTINGS)).not.toBe(first);
});

it('the end of one chat’s turn leaves the other’s open', () => {
  const turns = new RelayTurns(new Ledger(), { now: () => 0, timer: () => () => {} });
  const asked = { kind: 'user', text: 'hi' } as const;
  const [one, two] = ['one', 'two'].map((chat) => turns.enter(chat, [asked], SETTINGS));
  if (two) turns.end(two, 'answered');
  const again = (chat: string) => turns.enter(chat, [asked, { kind: 'results', results: [] }], SETTINGS);
  expect(again('one')).toBe(one);
  expect(again('two')).not.toBe(two);
});

it('the ends of the newest 500 questions without an answer are known', () => {
  const turns = new RelayTurns(new Ledger(), { now: () => 0, timer: () => () => {} });
  const asked = (n: number) => [{ kind: 'user', text: `question ${n}` }] as const;
  for (let n = 0; n <= 500; n++) turns.end(turns.enter(`${n}`, asked(n), SETTINGS), 'failed');
  expect([0, 1, 500].map((n) => turns.endOf(asked(n)))).toEqual([undefined, 'failed', 'failed']);
});

it('a call of the agent takes until its result came', () => {
  const ledger = new Ledger();
  const asked = { kind: 'user', text: 'hi' } as const;
  const turn = new RelayTurns(ledger, { now: () => 0, timer: () => () => {} }).enter('chat', [asked], SETTINGS);
  turn.handed.set('c1', { ...callOf(makeTool('a', 'b')), since: 1_000 });
  const result = { callId: 'c1', outcome: 'ok', parts: [{ type: 'text', text: 'done' }] } as const;
  recordResults(turn, [asked, { kind: 'results', results: [result] }], 1_250);
  expect(ledger.events).toMatchObject([{ type: 'called', tool: 'a/b', ms: 250 }]);
});

it('a question is the user’s last text, without our notes', () => {
  expect(
    questionOf([
      { kind: 'user', text: 'first' },
      { kind: 'user', text: 'second' },
      { kind: 'user', text: '\nthird ' },
      { kind: 'user', text: 'a note', note: true },
      { kind: 'results', results: [] },
    ]),
  ).toBe('third');
  expect(questionOf([])).toBe('');
});
