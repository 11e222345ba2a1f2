import { expect, it, vi } from 'vitest';
import { questionOf, RelayTurns, recordResults } from '../../../../src/core/agents/relayTurns';
import { Ledger } from '../../../../src/core/ledger/ledger';
import { callOf, makeTool, SETTINGS } from '../turn/world';

const asked = { kind: 'user', text: 'hi' } as const;
/** The agent's request with the results of its calls. */
const back = [asked, { kind: 'results', results: [] }] as const;
const create = (ledger = new Ledger()) => new RelayTurns(ledger, { now: () => 0, timer: () => () => {} });

it('a question that is asked again is a turn of its own', () => {
  const turns = create();
  const first = turns.enter('chat', [asked], SETTINGS);
  turns.wait(first);
  expect(turns.enter('chat', back, SETTINGS)).toBe(first);
  turns.wait(first);
  expect(turns.enter('chat', [asked], SETTINGS)).not.toBe(first);
});

it('agents that ask the same thing at once have their own turns', () => {
  const ledger = new Ledger();
  const turns = create(ledger);
  const [one, two] = ['one', 'two'].map((id) => {
    const turn = turns.enter('chat', [asked], SETTINGS);
    turn.handed.set(id, { ...callOf(makeTool('a', 'b')), since: 0 });
    return turn;
  });
  for (const turn of [one, two]) if (turn) turns.wait(turn);
  const answered = (callId: string) =>
    turns.enter('chat', [asked, { kind: 'results', results: [{ callId, outcome: 'ok', parts: [] }] }], SETTINGS);
  expect(['one', 'two', 'lost'].map(answered)).toEqual([one, two, two]);
  expect(one).not.toBe(two);
  expect(ledger.events).toEqual([]);
});

it('a turn whose agent never returns is cancelled after 15 minutes', () => {
  const ledger = new Ledger();
  const stop = vi.fn();
  const timer = vi.fn((_run: () => void, _ms: number) => stop);
  const turns = new RelayTurns(ledger, { now: () => 0, timer });
  const first = turns.enter('chat', [asked], SETTINGS);
  expect(timer).not.toHaveBeenCalled();
  turns.wait(first);
  turns.enter('chat', back, SETTINGS);
  expect(stop).toHaveBeenCalledTimes(1);
  turns.wait(first);
  expect(timer.mock.calls).toEqual(Array(2).fill([expect.any(Function), 15 * 60_000]));
  timer.mock.calls[1]?.[0]();
  expect(ledger.events).toMatchObject([{ type: 'turnEnded', status: 'cancelled' }]);
  expect(turns.endOf([asked])).toBeUndefined();
  expect(turns.enter('chat', back, SETTINGS)).not.toBe(first);
});

it('the end of one chat’s turn leaves the other’s open', () => {
  const turns = create();
  const [one, two] = ['one', 'two'].map((chat) => turns.enter(chat, [asked], SETTINGS));
  if (two) turns.end(two, 'answered');
  const again = (chat: string) => turns.enter(chat, back, SETTINGS);
  expect(again('one')).toBe(one);
  expect(again('two')).not.toBe(two);
});

it('the ends of the newest 500 questions without an answer are known', () => {
  const turns = create();
  // All end with the same words.
  const numbered = (n: number) => [{ kind: 'user', text: `question ${n}` } as const, asked];
  for (let n = 0; n <= 501; n++)
    turns.end(turns.enter(`${n}`, numbered(n), SETTINGS), n === 501 ? 'answered' : 'failed');
  expect([0, 1, 500, 501].map((n) => turns.endOf(numbered(n)))).toEqual([undefined, 'failed', 'failed', undefined]);
});

it('a call of the agent takes until its result came', () => {
  const ledger = new Ledger();
  const turn = create(ledger).enter('chat', [asked], SETTINGS);
  turn.handed.set('c1', { ...callOf(makeTool('a', 'b')), since: 1_000 });
  const result = { callId: 'c1', outcome: 'ok', parts: [{ type: 'text', text: 'done' }] } as const;
  for (const now of [1_250, 1_300]) recordResults(turn, [asked, { kind: 'results', results: [result] }], now);
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
