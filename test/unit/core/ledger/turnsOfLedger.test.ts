import { expect, it } from 'vitest';
import { boundedEntry } from '../../../../src/core/ledger/bounds';
import { cutOffTurn, retriedItems } from '../../../../src/core/ledger/cutOffTurns';
import { type LedgerEvent, mayBeSameChat } from '../../../../src/core/ledger/events';
import { called, started } from '../../../data/entries';

const at = (turn: number, seq: number) => ({ turn, seq, at: seq });
const event = (turn: number, seq: number, entry: object) => ({ ...entry, ...at(turn, seq) }) as LedgerEvent;
const begun = (turn: number, seq: number) => event(turn, seq, started({ prompt: 'again?' }));
const ended = (turn: number, seq: number) => event(turn, seq, { type: 'turnEnded', status: 'cancelled', ms: 0 });

it('a turn known otherwise is not taken for the cut one', () => {
  const events = [begun(1, 1), ended(1, 2), begun(2, 3), ended(2, 4)];
  expect(cutOffTurn(events, { prompt: 'again?' })?.turn).toBe(2);
  expect(cutOffTurn(events, { prompt: 'again?', known: new Set([2]) })?.turn).toBe(1);
  expect(cutOffTurn(events, { prompt: 'again?', known: new Set([1, 2]) })).toBeUndefined();
});

const ran = (turn: number, seq: number, tool: string, script?: string) =>
  event(turn, seq, called(tool, { args: '{"a":1}', summary: `${tool} done`, ...(script ? { script } : {}) }));
const callsOf = (items: ReturnType<typeof retriedItems>) =>
  items.flatMap((item) => (item.kind === 'assistant' ? item.calls.map(({ name }) => name) : []));

it('a retry has the calls of all attempts since the last answer', () => {
  const attempt = (turn: number, status: string) => [
    begun(turn, turn * 10),
    ran(turn, turn * 10 + 1, `a/${turn}`),
    { ...ended(turn, turn * 10 + 2), status } as LedgerEvent,
  ];
  const events = [...attempt(1, 'cancelled'), ...attempt(2, 'failed')];
  const prompt = 'again?';
  expect(callsOf(retriedItems(events, { prompt }))).toEqual(['a_1', 'a_2']);
  expect(callsOf(retriedItems(events, { prompt, known: new Set([1]) }))).toEqual(['a_2']);
  const later = [...events, ...attempt(3, 'answered'), ...attempt(4, 'failed')];
  expect(callsOf(retriedItems(later, { prompt }))).toEqual(['a_4']);
});

it('a script that was cut off lists its own calls alone', () => {
  const script = (seq: number, callId: string) =>
    ({ type: 'scriptStarted', callId, code: 'x', title: 't', ...at(1, seq) }) as LedgerEvent;
  const events = [
    begun(1, 1),
    script(2, 's1'),
    ran(1, 3, 'a/one', 's1'),
    script(4, 's2'),
    ran(1, 5, 'a/two', 's2'),
    ran(1, 6, `a/${'long'.repeat(30)}`),
    ended(1, 7),
  ];
  const results = cutOffTurn(events, { prompt: 'again?' })?.items.flatMap((item) =>
    item.kind === 'results' ? item.results : [],
  );
  const texts = results?.map(({ parts }) => JSON.stringify(parts));
  expect(texts?.map((it) => ['a/one', 'a/two'].filter((id) => it.includes(id)))).toEqual([['a/one'], ['a/two'], []]);
  expect(callsOf(cutOffTurn(events, { prompt: 'again?' })?.items ?? []).map(({ length }) => length)).toEqual([
    8, 8, 64,
  ]);
});

it('a question that was cut off before any call is alone', () => {
  const cut = cutOffTurn([begun(1, 1), ended(1, 2)], { prompt: 'again?' });
  expect(cut?.items).toEqual([{ kind: 'user', text: 'again?', unanswered: 'cancelled' }]);
});

it('a script that was cut off tells why its turn ended', () => {
  const script = { type: 'scriptStarted', callId: 's', code: 'x', title: 't', ...at(1, 2) } as LedgerEvent;
  const told = (end: LedgerEvent) => JSON.stringify(cutOffTurn([begun(1, 1), script, end], { prompt: 'again?' }));
  expect(told(ended(1, 3))).toContain('The user cancelled the question.');
  expect(told({ ...ended(1, 3), message: 'Overloaded.' } as LedgerEvent)).toContain('Overloaded.');
});

it('a question that was cut off in another chat is another one', () => {
  const events = [{ ...begun(1, 1), chat: 'a' } as LedgerEvent, ended(1, 2)];
  expect(cutOffTurn(events, { prompt: 'again?', chat: 'a' })?.turn).toBe(1);
  expect(cutOffTurn(events, { prompt: 'again?', chat: 'b' })).toBeUndefined();
});

it('a list in an event has 1,000 items at most', () => {
  expect(boundedEntry({ hits: Array.from({ length: 1_500 }, (_, i) => i) }).hits).toHaveLength(1_000);
});

it('chats are the same unless both names are known and differ', () => {
  expect([mayBeSameChat('a', 'b'), mayBeSameChat('a', 'a')]).toEqual([false, true]);
  expect([mayBeSameChat(undefined, 'b'), mayBeSameChat('a', undefined), mayBeSameChat('', 'b')]).toEqual(
    Array(3).fill(true),
  );
});
