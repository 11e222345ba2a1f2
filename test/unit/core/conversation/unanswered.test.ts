import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallOutcome, ToolResult, Transcript } from '../../../../src/core/conversation/transcript';
import { notesFirst, onceAsked, withoutPending } from '../../../../src/core/conversation/unanswered';
import { result, results, said, user } from '../../../data/items';
import { holds } from '../../property';

const asked = (text: string, unanswered?: 'failed' | 'cancelled') => user(text, unanswered && { unanswered });
const ran = (callId: string, outcome: CallOutcome = 'ok', rest: Partial<ToolResult> = {}) => [
  said('', [{ callId, name: 'pay', input: {} }]),
  results(result(callId, 'paid', { outcome, ...rest })),
];
const read = (transcript: Transcript) =>
  withoutPending(transcript).map((item) =>
    item.kind === 'user'
      ? `user: ${item.text}`
      : item.kind === 'assistant' && item.text
        ? `model: ${item.text}`
        : item.kind,
  );

describe('a question that got no answer', () => {
  const once = ['user: pay', 'assistant', 'results'];
  const failed = asked('pay', 'failed');
  const [calls = said('')] = ran('c1');
  const one = results(result('c1', 'paid'), result('c2', '', { outcome: 'cancelled', notRun: true }));
  it.each<[string, Transcript, readonly string[]]>([
    ['nothing had run', [failed, said(''), failed, asked('pay')], ['user: pay']],
    ['a call never ran', [failed, ...ran('c1', 'cancelled', { notRun: true }), asked('pay')], ['user: pay']],
    ['it is the same but for white space', [asked('pay ', 'failed'), asked(' pay\n')], ['user:  pay\n']],
    ['a call ran', [failed, ...ran('c1'), asked('pay ')], once],
    ['a call was stopped midway, and may have run', [failed, ...ran('c1', 'cancelled'), asked('pay')], once],
    ['one of two calls ran', [failed, calls, one, asked('pay')], once],
    ['the answer had begun', [failed, ...ran('c1'), said('It is'), asked('pay')], once],
    ['then answered', [failed, ...ran('c1'), asked('pay'), said('Paid.')], [...once, 'model: Paid.']],
    ['it is asked a third time', [failed, ...ran('c1'), failed, said(''), asked('pay')], once],
  ])('appears once if it is asked again and %s', (_, transcript, shown) => expect(read(transcript)).toEqual(shown));

  it('drops our notes with a reply that mentions them', () => {
    const note = user('(new tools)', { note: true });
    const conversationPlan = { inputHashes: { settings: '', pins: '', model: '', servers: '' }, announced: { a: 1 } };
    const begun = said('It', [], { conversationPlan });
    expect(read([asked('pay', 'failed'), note, begun, asked('pay')])).toEqual(['user: pay', 'user: (new tools)']);
    expect(read([asked('pay', 'failed'), note, asked('pay')])).toEqual(['user: pay']);
  });

  it('says so in one reply, with the answer’s text so far', () => {
    const begun = said('It is', [], { opaque: [{ wire: 'openai', value: [] }] });
    const items = withoutPending([asked('pay', 'failed'), begun, asked('thanks')]);
    expect(items.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'user']);
    expect(items[1]).toEqual(said(expect.stringMatching(/^It is\n\n\(This question failed/)));
  });

  it('isn’t pending if something else is asked, but can be taken up', () => {
    expect(read([asked('pay', 'failed'), ...ran('c1'), asked('thanks')])).toEqual([
      'user: pay',
      'assistant',
      'results',
      expect.stringMatching(
        /^model: \(This question failed before it was answered\. It isn’t pending: .*asks for it again/,
      ),
      'user: thanks',
    ]);
    expect(read([asked('pay', 'cancelled'), asked('thanks')])[1]).toMatch(/The user stopped this question/);
  });

  it('leaves any other conversation as it is', () => {
    const item = fc.oneof(
      fc.string().map((text) => asked(text)),
      fc.string().map((text) => said(text)),
    );
    holds([fc.array(item)], (items) => {
      expect(withoutPending(items)).toEqual(items);
    });
  });

  it('never hides what ran, and ends with what is asked now', () => {
    const status = fc.constantFrom(undefined, 'failed' as const, 'cancelled' as const);
    const turn = fc.tuple(fc.constantFrom('a', 'b'), status, fc.boolean());
    holds([fc.array(turn), fc.constantFrom('a', 'b')], (turns, now) => {
      const items = turns.flatMap(([text, unanswered, runs], index) => [
        asked(text, unanswered),
        ...(runs ? ran(`c${index}`) : [said('x')]),
      ]);
      const result = withoutPending([...items, asked(now)]);
      expect(result.filter((item) => item.kind === 'results')).toHaveLength(turns.filter(([, , runs]) => runs).length);
      // Otherwise the conversation continues from results.
      const last = result.findLast((item) => item.kind === 'user');
      expect([last?.kind === 'user' && last.text, ['user', 'results'].includes(result.at(-1)?.kind ?? '')]).toEqual([
        now,
        true,
      ]);
      for (const [index, item] of result.entries()) {
        const next = result[index + 1];
        if (item.kind === 'user' && next?.kind === 'user') expect(item.text).not.toBe(next.text);
      }
    });
  });
});

it('a question that a caller repeats appears once if nothing came between', () => {
  expect(onceAsked([asked('a'), asked('a'), asked('b')])).toEqual([asked('a'), asked('b')]);
  expect(onceAsked([asked('a'), said('x'), asked('a')])).toHaveLength(3);
  expect(onceAsked([asked('a'), said(''), asked('a '), said('x')])).toEqual([asked('a '), said('x')]);
});

it('a note of ours comes before its question, each time', () => {
  const note = user('(new tools)', { note: true });
  const kept = [asked('a'), said('x'), asked('b'), note, said('y'), asked('c')];
  expect(notesFirst(kept)).toEqual([asked('a'), said('x'), note, asked('b'), said('y'), asked('c')]);
  expect(notesFirst(notesFirst(kept))).toEqual(notesFirst(kept));
});
