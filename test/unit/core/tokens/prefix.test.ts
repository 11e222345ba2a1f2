import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../../../../src/core/catalog/tool';
import type { ModelRequest } from '../../../../src/core/ports';
import { comparePrefix, LastRequests, shapeOf } from '../../../../src/core/tokens/prefix';
import type { Transcript, TranscriptItem } from '../../../../src/core/transcript/transcript';

const tool = (name: string, description = name): ToolDefinition => ({
  id: `s/${name}`,
  server: 's',
  name,
  description,
  inputSchema: { type: 'object' },
});
const user = (text: string): TranscriptItem => ({ kind: 'user', text });
const said = (text: string): TranscriptItem => ({ kind: 'assistant', text, calls: [] });

function shape(transcript: Transcript, { tools = [tool('a')], system = 'hint', deferred = [] as ToolDefinition[], model = 'v/m' } = {}) {
  const request: ModelRequest = { system, transcript, tools, delivery: 'local', strategy: 'bm25', deferred, required: [] };
  return shapeOf(request, model);
}

describe('a request beside the one before it', () => {
  const first = shape([user('one')]);

  it('loses nothing of the cache where it only adds to the conversation', () => {
    expect(comparePrefix(first, shape([user('one'), said('yes')]))).toMatchObject({ lost: 0 });
    expect(comparePrefix(first, shape([user('one'), said('yes')])).broke).toBeUndefined();
  });

  it.each([
    ['a tool more, by its name', { tools: [tool('a'), tool('b')] }, { cause: 'toolAdded', tool: 'b' }],
    ['a tool less', { tools: [] }, { cause: 'toolGone', tool: 'a' }],
    ['a tool that reads differently', { tools: [tool('a', 'new words')] }, { cause: 'toolChanged', tool: 'a' }],
    ['other instructions', { system: 'other' }, { cause: 'system' }],
    ['instructions that are gone', { system: '' }, { cause: 'system' }],
    ['another model', { model: 'v/other' }, { cause: 'model' }],
  ])('names %s as what broke it', (_, changed, broke) => {
    expect(comparePrefix(first, shape([user('one'), said('yes')], changed)).broke).toEqual(broke);
  });

  it('loses all behind the first difference, and keeps what stands before it', () => {
    const { same, lost } = comparePrefix(first, shape([user('one'), said('yes')], { system: 'other' }));
    const all = first.segments.reduce((sum, { chars }) => sum + chars, 0);
    expect(same).toBe(first.segments[0]?.chars);
    expect(same + lost).toBe(all);
  });

  it('names the conversation where an earlier entry of it is another now', () => {
    expect(comparePrefix(shape([user('one'), said('yes'), user('two')]), shape([user('two'), said('well')])).broke).toEqual({
      cause: 'history',
    });
  });

  it('is not broken by tools that the provider holds deferred', () => {
    expect(comparePrefix(first, shape([user('one'), said('yes')], { deferred: [tool('c')] })).lost).toBe(0);
  });
});

describe('the last request of a conversation', () => {
  it('is there for the next round, the next question and after old turns were left out', () => {
    const last = new LastRequests();
    expect(last.follow(shape([user('one')]), 1_000)).toBeUndefined();
    expect(last.follow(shape([user('one'), said('searching')]), 3_500)).toMatchObject({ lost: 0, sinceMs: 2_500 });
    expect(last.follow(shape([user('one'), said('searching'), user('two')]), 4_000)).toMatchObject({ lost: 0 });
    expect(last.follow(shape([user('two'), said('ok'), user('three')]), 5_000)).toMatchObject({ broke: { cause: 'history' } });
  });

  it('is not that of another chat, whose first question may be the same', () => {
    const last = new LastRequests();
    last.follow(shape([user('one'), said('searching')]), 0);
    expect(last.follow(shape([user('one')]), 1)).toBeUndefined();
    expect(last.follow(shape([user('other')]), 2)).toBeUndefined();
  });

  it('is told apart where two chats go on side by side', () => {
    const last = new LastRequests();
    last.follow(shape([user('one'), said('A')]), 0);
    last.follow(shape([user('one'), said('B')]), 0);
    expect(last.follow(shape([user('one'), said('A'), user('two')]), 1)).toMatchObject({ lost: 0 });
    expect(last.follow(shape([user('one'), said('B'), user('two')]), 1)).toMatchObject({ lost: 0 });
  });
});
