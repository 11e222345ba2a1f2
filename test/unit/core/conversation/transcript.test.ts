import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/core/catalog/tool';
import { joinedSince } from '../../../../src/core/conversation/joinedTools';
import { withoutMedia } from '../../../../src/core/conversation/keptHistory';
import { readTranscript, type Transcript, type UserItem } from '../../../../src/core/conversation/transcript';
import { definitionOf } from '../../../../src/core/usage/tokens';
import { said, user } from '../../../data/items';
import { holds } from '../../property';
import { makeTool } from '../turn/world';
import { anyTranscript } from './anyTranscript';

const opaque = fc.array(
  fc.record({
    wire: fc.constantFrom('anthropic' as const, 'openai' as const),
    value: fc.jsonValue().map((value): Json => JSON.parse(JSON.stringify(value))),
  }),
);

describe('a transcript that was kept', () => {
  it('is read as it was', () => {
    holds([anyTranscript(opaque)], (transcript) => {
      const kept: Transcript = JSON.parse(JSON.stringify(withoutMedia(transcript)));
      expect(readTranscript(kept)).toEqual(kept);
    });
  });

  it('keeps names in blocks that mean something else in JavaScript', () => {
    const kept = JSON.parse(
      '[{"kind":"assistant","text":"","calls":[],"opaque":[{"wire":"anthropic","value":{"__proto__":[1]}}]}]',
    );
    expect(JSON.stringify(readTranscript(kept))).toBe(JSON.stringify(kept));
  });

  it('keeps whose code made a call, and if that runs', () => {
    const opaque = [{ wire: 'anthropic' as const, value: [], container: 'box_1' }];
    const kept = [said('', [{ callId: 'a', name: 'math_sum', input: {}, caller: 'srv_1' }], { opaque })];
    expect(readTranscript(kept)).toEqual(kept);
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'hello'],
    ['an item of another kind', [{ kind: 'system', text: 'x' }]],
    ['a call without a name', [{ kind: 'assistant', text: '', calls: [{ callId: 'a', input: {} }] }]],
    ['a result of another outcome', [{ kind: 'results', results: [{ callId: 'a', outcome: 'maybe', parts: [] }] }]],
    [
      'a part without its text',
      [{ kind: 'results', results: [{ callId: 'a', outcome: 'ok', parts: [{ type: 'text' }] }] }],
    ],
    ['one good item and a bad one', [{ kind: 'user', text: 'x' }, { kind: 'user' }]],
  ])('is none if it is %s', (_, value) => expect(readTranscript(value)).toBeUndefined());
});

const joined = [definitionOf(makeTool('late', 'whisper')).definition];
const base = (id: string) => ({ id, system: '', tools: [] });
const note = (rest: Partial<UserItem>) => user('', { note: true, ...rest });

it('leaves out what joined or left after another beginning', () => {
  const transcript: Transcript = [
    user('hi'),
    note({ joined, base: 'a' }),
    note({ text: 'New tools.', left: ['x'], base: 'b' }),
  ];
  expect(joinedSince(base('a'), transcript)).toEqual([
    transcript[0],
    transcript[1],
    note({ text: 'New tools.', base: 'b' }),
  ]);
  expect(joinedSince(base('b'), transcript)).toEqual([transcript[0], transcript[2]]);
});
