import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resultText } from '../../../../src/core/conversation/resultText';
import { referable, transcriptFor, withoutCalls } from '../../../../src/core/conversation/wireTranscript';
import { result, results, said, searchOf, user } from '../../../data/items';
import { holds } from '../../property';
import { anyTranscript, TODAY } from './anyTranscript';

const HI = user('hi');
const ANTHROPIC = [{ wire: 'anthropic' as const, value: [] }];
const anyOpaque = fc.constantFrom([], ANTHROPIC, [{ wire: 'openai' as const, value: [] }]);

describe('a transcript for a wire', () => {
  it('has one result after each call, unique ids, no foreign blocks', () => {
    holds(
      [anyTranscript(anyOpaque), fc.constantFrom('anthropic' as const, 'openai' as const, undefined)],
      (transcript, wire) => {
        const items = transcriptFor(wire, transcript);
        expect(items[0]?.kind ?? 'user').toBe('user');
        const ids = items.flatMap((item) => (item.kind === 'assistant' ? item.calls.map((call) => call.callId) : []));
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        items.forEach((item, index) => {
          const before = items[index - 1];
          const after = items[index + 1];
          if (item.kind === 'results')
            expect(before?.kind === 'assistant' && before.calls.map((call) => call.callId)).toEqual(
              item.results.map((result) => result.callId),
            );
          if (item.kind === 'assistant' && item.calls.length > 0) expect(after?.kind).toBe('results');
          if (item.kind === 'assistant') for (const block of item.opaque ?? []) expect(block.wire).toBe(wire);
        });
      },
    );
  });

  it('is left alone if nothing is wrong with it', () => {
    const call = { callId: 'a', name: 'math_sum', input: {} };
    const transcript = [HI, said('one moment', [call]), results(result('a', '3')), said('three')];
    expect(transcriptFor('openai', transcript)).toEqual(transcript);
    const found = [HI, said('found it', [], { searches: [searchOf('math/sum')], opaque: ANTHROPIC })];
    expect(transcriptFor('anthropic', found)).toEqual(found);
  });

  it('turns another provider’s search into an exchange of search_tools', () => {
    const search = searchOf('math/sum');
    const items = transcriptFor('openai', [HI, said('found it', [], { searches: [search], opaque: ANTHROPIC })]);
    expect(items.slice(1)).toMatchObject([
      { kind: 'assistant', text: '', calls: [{ name: 'search_tools', input: { queries: ['x'] } }] },
      { kind: 'results', results: [{ search, parts: [{ text: 'Found math/sum.' }] }] },
      said('found it'),
    ]);
  });

  it('lets the text announce a search; OpenAI gets its own id', () => {
    const search = searchOf('math/sum');
    const searches = [{ ...search, callId: 'srvtoolu_1' }];
    const call = { callId: 'toolu_1', name: 'math_sum', input: {} };
    const after = results(result('toolu_1'));
    const transcript = [HI, said('Let me look.', [call], { searches, opaque: [] }), after];
    const told = (callId: string) => [
      said('Let me look.', [{ callId, name: 'search_tools', input: { queries: ['x'] } }]),
      results(result(callId, 'Found math/sum.', { search })),
      said('', [call]),
      after,
    ];
    expect(transcriptFor('openai', transcript).slice(1)).toEqual(told('srvtoolu_1'));
    // Claude refuses a result of ours for the id of its own search.
    expect(transcriptFor('anthropic', transcript).slice(1)).toEqual(told('search_1_0'));
  });

  it('has no call at all if a request has no tools', () => {
    holds([anyTranscript(anyOpaque)], (transcript) => {
      for (const item of withoutCalls(transcriptFor(undefined, transcript))) {
        expect(item.kind).not.toBe('results');
        if (item.kind === 'assistant') expect(item.calls).toEqual([]);
      }
    });
  });

  it('refers to tools of the request alone', () => {
    expect(referable(searchOf('gone/tool', 'math/sum', 'math/sum'), [TODAY.sum, TODAY.echo])).toEqual(['math_sum']);
    expect(referable(undefined, [TODAY.sum])).toEqual([]);
  });
});

it('results belong to calls by id, whatever their order', () => {
  const calls = ['a', 'b', 'c'].map((callId) => ({ callId, name: 'x_y', input: {} }));
  const transcript = [HI, said('', calls), results(result('c', 'answer of c'), result('a', 'answer of a'))];
  for (const wire of ['anthropic', 'openai'] as const) {
    const answers = transcriptFor(wire, transcript).find((item) => item.kind === 'results');
    expect(answers?.results.map((answer) => [answer.callId, resultText(answer)])).toEqual([
      ['a', 'answer of a'],
      ['b', expect.stringContaining('No result was kept')],
      ['c', 'answer of c'],
    ]);
  }
});
