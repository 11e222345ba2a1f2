import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallOutcome, Transcript, TranscriptItem } from '../../../../src/core/transcript/transcript';
import { onceAsked, withoutPending } from '../../../../src/core/transcript/unanswered';

const asked = (text: string, unanswered?: 'failed' | 'cancelled'): TranscriptItem => ({
  kind: 'user',
  text,
  ...(unanswered && { unanswered }),
});
const said = (text: string): TranscriptItem => ({ kind: 'assistant', text, calls: [] });
const ran = (callId: string, outcome: CallOutcome = 'ok'): readonly TranscriptItem[] => [
  { kind: 'assistant', text: '', calls: [{ callId, name: 'pay', input: {} }] },
  { kind: 'results', results: [{ callId, outcome, parts: [{ type: 'text', text: 'paid' }] }] },
];
const read = (transcript: Transcript) =>
  withoutPending(transcript).map((item) => (item.kind === 'user' ? `${item.note ? 'note' : 'user'}: ${item.text}` : item.kind));

describe('a question that got no answer', () => {
  it('stands once where it is asked again and nothing had run', () => {
    expect(read([asked('pay', 'failed'), said(''), asked('pay', 'failed'), asked('pay')])).toEqual(['user: pay']);
    expect(read([asked('pay', 'failed'), ...ran('c1', 'cancelled'), asked('pay')])).toEqual(['user: pay']);
  });

  it('stands once where it is asked again, with what had run for it', () => {
    expect(read([asked('pay', 'failed'), ...ran('c1'), asked('pay')])).toEqual([
      'user: pay',
      'assistant',
      'results',
      expect.stringMatching(/^note: \(Here it failed, and is asked again now\. What ran for it has run/),
    ]);
    expect(read([asked('pay', 'failed'), ...ran('c1'), asked('pay', 'failed'), said(''), asked('pay')])).toHaveLength(4);
  });

  it('isn’t pending where something else is asked, but can be taken up', () => {
    expect(read([asked('pay', 'failed'), ...ran('c1'), asked('thanks')])).toEqual([
      'user: pay',
      'assistant',
      'results',
      expect.stringMatching(/^note: \(This question failed before it was answered\. It isn’t pending: .*asks for it again/),
      'user: thanks',
    ]);
    expect(read([asked('pay', 'cancelled'), asked('thanks')])[1]).toMatch(/The user stopped this question/);
  });

  it('changes nothing of any other', () => {
    const item = fc.oneof(
      fc.string().map((text) => asked(text)),
      fc.string().map(said),
    );
    fc.assert(
      fc.property(fc.array(item), (items) => {
        expect(withoutPending([asked('x'), ...items])).toEqual([asked('x'), ...items]);
      }),
    );
  });

  it('never hides what ran, and always ends with what is asked now', () => {
    const status = fc.constantFrom(undefined, 'failed' as const, 'cancelled' as const);
    const turn = fc.tuple(fc.constantFrom('a', 'b'), status, fc.boolean());
    fc.assert(
      fc.property(fc.array(turn), fc.constantFrom('a', 'b'), (turns, now) => {
        const items = turns.flatMap(([text, unanswered, runs], index) => [
          asked(text, unanswered),
          ...(runs ? ran(`c${index}`) : [said('x')]),
        ]);
        const result = withoutPending([...items, asked(now)]);
        expect(result.filter((item) => item.kind === 'results')).toHaveLength(turns.filter(([, , runs]) => runs).length);
        expect(result.at(-1)?.kind).toBe('user');
        for (const [index, item] of result.entries()) {
          const next = result[index + 1];
          if (item.kind === 'user' && next?.kind === 'user') expect(item.text).not.toBe(next.text);
        }
      }),
    );
  });
});

describe('a question that a caller repeats', () => {
  it('stands once where nothing came between', () => {
    expect(onceAsked([asked('a'), asked('a'), asked('b')])).toEqual([asked('a'), asked('b')]);
    expect(onceAsked([asked('a'), said('x'), asked('a')])).toHaveLength(3);
  });
});
