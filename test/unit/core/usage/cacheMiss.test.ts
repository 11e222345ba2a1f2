import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import type { Transcript, TranscriptItem } from '../../../../src/core/conversation/transcript';
import { modelPrices } from '../../../../src/core/models/modelFacts';
import { type DeliveryName, EMPTY_REQUEST, type ModelRequest } from '../../../../src/core/ports';
import { comparePrefix, LastRequests, shapeOf } from '../../../../src/core/usage/cacheMiss';
import { cacheMissRecord, cacheOf } from '../../../../src/core/usage/cacheMissRecord';
import { definitionOf } from '../../../../src/core/usage/tokens';
import { estimated, measured } from '../../../data/entries';
import { said, searchOf, user } from '../../../data/items';
import { makeTool } from '../turn/world';

const a = makeTool('s', 'a');
const otherA = makeTool('s', 'a', 'new words');
const b = makeTool('s', 'b');
const own = makeTool('', 'search_tools');

interface Given {
  readonly tools?: readonly Tool[];
  readonly all?: readonly Tool[];
  readonly discovered?: readonly Tool[];
  readonly system?: string;
  readonly model?: string;
  readonly delivery?: DeliveryName;
  readonly cached?: number;
}

function shape(transcript: Transcript, given: Given = {}) {
  const { tools = [a], all = [a, b], discovered = [], system = 'hint', model = 'v/m', delivery = 'local' } = given;
  const definitions = tools.map((tool) => definitionOf(tool).definition);
  const request: ModelRequest = { ...EMPTY_REQUEST, system, transcript, tools: definitions, delivery };
  return shapeOf(request, { model, all, discovered });
}

describe('a request beside the one before it', () => {
  const first = shape([user('one')]);
  const later = [user('one'), said('yes')];

  it('loses nothing of the cache if it only adds to the conversation', () => {
    const change = comparePrefix(first, shape(later));
    expect(change).toEqual({ same: first.segments.reduce((sum, { chars }) => sum + chars, 0), lost: 0 });
  });

  it.each<[string, Given, Given, { cause: string; tool?: string }]>([
    ['a tool that was found', {}, { tools: [a, b], discovered: [b] }, { cause: 'discovered', tool: 's/b' }],
    ['a tool that a server listed', { all: [a] }, { tools: [a, b] }, { cause: 'listed', tool: 's/b' }],
    ['a tool that a setting made eager', {}, { tools: [a, b] }, { cause: 'madeEager', tool: 's/b' }],
    ['a tool that its server lists no more', {}, { tools: [], all: [b] }, { cause: 'delisted', tool: 's/a' }],
    ['a tool that a setting made deferred', {}, { tools: [] }, { cause: 'madeDeferred', tool: 's/a' }],
    ['a tool that reads differently', {}, { tools: [otherA] }, { cause: 'changed', tool: 's/a' }],
    ['other instructions', {}, { system: 'other' }, { cause: 'system' }],
    ['instructions that are gone', {}, { system: '' }, { cause: 'system' }],
    ['another delivery', {}, { tools: [], delivery: 'bridge' }, { cause: 'delivery' }],
    ['an end of deferring', { tools: [own], delivery: 'bridge' }, { tools: [a, b] }, { cause: 'deferral' }],
    ['another model', {}, { model: 'v/other' }, { cause: 'model' }],
  ])('names %s as what broke it', (_, before, now, broke) => {
    expect(comparePrefix(shape([user('one')], before), shape(later, now)).broke).toEqual(broke);
  });

  it('names the conversation if an earlier entry of it is another now', () => {
    const before = shape([user('one'), said('yes'), user('two')]);
    expect(comparePrefix(before, shape([user('two'), said('well')])).broke).toEqual({ cause: 'history' });
    expect(comparePrefix(before, first).broke).toEqual({ cause: 'history' });
  });

  it('names a found tool whose definition changed in the conversation', () => {
    const before = [user('one'), said('yes', [], { searches: [searchOf('s/b')] })];
    const deferring = (tool: Tool, transcript: Transcript) =>
      shapeOf(
        { ...EMPTY_REQUEST, delivery: 'server', transcript, deferred: [definitionOf(tool).definition] },
        { model: 'v/m', all: [tool], discovered: [tool] },
      );
    const now = deferring(makeTool('s', 'b', 'new words'), [...before, user('two')]);
    expect(comparePrefix(deferring(b, before), now).broke).toEqual({ cause: 'changed', tool: 's/b' });
    const eager = shape(before, { tools: [b], system: '', delivery: 'server' });
    expect(comparePrefix(eager, deferring(b, before)).broke).toEqual({ cause: 'madeDeferred', tool: 's/b' });
  });

  it('loses all behind the first difference, and keeps what comes before', () => {
    const { same, lost } = comparePrefix(first, shape(later, { system: 'other' }));
    expect(same).toBe(first.segments[0]?.chars);
    expect(same + lost).toBe(first.segments.reduce((sum, { chars }) => sum + chars, 0));
  });
});

describe('the last request of a conversation', () => {
  function conversation() {
    const last = new LastRequests();
    return (transcript: Transcript, at = 0, given: Given = {}) => {
      const followed = last.follow(shape(transcript, given), at);
      const cached = given.cached === undefined ? {} : { cached: measured(given.cached) };
      followed.read()({ sent: measured(transcript.length * 10), ...cached });
      return followed;
    };
  }

  it('is remembered for the next round and question, also after a cut', () => {
    const ask = conversation();
    expect(ask([user('one')], 1_000).change).toBeUndefined();
    const second = ask([user('one'), said('searching')], 3_500);
    expect(second.change).toMatchObject({ lost: 0, sinceMs: 2_500 });
    expect(second.before()).toEqual({ sent: { value: 10, certainty: 'measured' } });
    expect(ask([user('one'), said('searching'), user('two')]).change).toMatchObject({ lost: 0 });
    expect(ask([user('two'), said('ok'), user('three')]).change).toMatchObject({ broke: { cause: 'history' } });
  });

  it('is one to the same model, if the model comes back', () => {
    const ask = conversation();
    ask([user('one')]);
    ask([user('one'), said('yes'), user('two')], 0, { model: 'v/other' });
    const back = ask([user('one'), said('yes'), user('two'), said('no'), user('three')]);
    expect(back.before()).toMatchObject({ sent: { value: 10 } });
    expect(back.change).toMatchObject({ lost: 0 });
    const longer = [user('one'), said('yes'), user('two'), said('no'), user('three'), said('well')];
    ask(longer, 0, { model: 'v/other' });
    longer.push(user('four'));
    expect(ask(longer, 0, { tools: [b], system: 'other' }).change?.broke).toMatchObject({ cause: 'madeEager' });
  });

  it('isn’t an earlier one that was too short to be cached', () => {
    for (const [cached, cause] of [
      [0, 'madeEager'],
      [9, undefined],
    ] as const) {
      const ask = conversation();
      ask([user('one')], 0, { cached });
      ask([user('one'), said('yes'), user('two')], 0, { tools: [b], cached: 20 });
      expect(ask([user('one'), said('yes'), user('two'), said('no'), user('three')]).change?.broke?.cause).toBe(cause);
    }
  });

  it('is the newest one that it only adds to, however short', () => {
    const ask = conversation();
    ask([user('one')], 0, { tools: [a, b], cached: 20 });
    ask([user('one'), said('yes'), user('two')], 0, { cached: 0 });
    expect(ask([user('one'), said('yes'), user('two'), said('no')]).change?.broke).toBeUndefined();
  });

  it('is found without a note of ours, which is compared', () => {
    const ask = conversation();
    const note = user('(Tools have come)', { note: true });
    ask([user('one'), note]);
    expect(ask([user('one'), note, said('yes'), user('two')]).change).toMatchObject({ lost: 0 });
    const other = { ...note, text: '(Others have come)' } as TranscriptItem;
    expect(ask([user('one'), other, said('yes'), user('two'), said('no')]).change?.broke).toEqual({ cause: 'history' });
    const without = [user('one'), said('yes'), user('two'), said('no'), user('three')];
    expect(ask(without).change?.broke).toEqual({ cause: 'history' });
  });

  it('is not one that the provider never read', () => {
    const last = new LastRequests();
    last.follow(shape([user('one')]), 0);
    expect(last.follow(shape([user('one'), said('yes')]), 1).change).toBeUndefined();
  });

  it('is not that of another chat with the same question', () => {
    const ask = conversation();
    ask([user('one'), said('searching')]);
    expect(ask([user('one')]).change).toBeUndefined();
    expect(ask([user('other')]).change).toBeUndefined();
    ask([user('other'), said('A'), user('go on')]);
    expect(ask([user('third'), said('B'), user('go on'), said('C')]).change).toBeUndefined();
  });

  it('stays apart if two chats go on side by side', () => {
    const ask = conversation();
    ask([user('one'), said('A')]);
    ask([user('one'), said('B')]);
    expect(ask([user('one'), said('A'), user('two')]).change).toMatchObject({ lost: 0 });
    expect(ask([user('one'), said('B'), user('two')]).change).toMatchObject({ lost: 0 });
  });

  it('is not a longer one of another chat that asked the same', () => {
    const ask = conversation();
    for (const _ of ['this chat', 'the other']) ask([user('one')], 0, { cached: 0 });
    ask([user('one'), said('A'), said('B')], 0, { cached: 20 });
    expect(ask([user('one'), said('C'), user('two')]).change).toMatchObject({ lost: 0 });
  });

  it('is one that was stopped before its question is asked again', () => {
    const ask = conversation();
    const asked = [user('one'), said('yes'), user('two')];
    ask(asked);
    expect(ask(asked, 0, { system: 'other' }).change?.broke).toEqual({ cause: 'system' });
  });

  it('is the same if a question only learnt how it ended', () => {
    const ask = conversation();
    ask([user('one')]);
    const failed = user('one', { unanswered: 'failed' });
    expect(ask([failed, said('…'), user('two')]).change).toMatchObject({ lost: 0 });
  });
});

describe('a cache miss', () => {
  const ZERO = measured(0);
  const parts = { promptAndHistory: ZERO, eager: ZERO, discovered: ZERO, searchOverhead: ZERO, baseline: ZERO };
  const used = (sent: number, cacheRead: number, cacheWrite?: number) => ({
    ...parts,
    sent: measured(sent),
    cacheRead,
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  });
  const claude = modelPrices({ vendor: 'anthropic', id: 'claude-sonnet-4-5' });
  const gpt = modelPrices({ vendor: 'openai', id: 'gpt-5.4' });
  const options = { estimate: (chars: number) => measured(chars / 4), lifeMs: 300_000 };
  /** A second request with a change, after one of which `cached` tokens were cached. */
  const changed = (cached: number | undefined, sent: number, cause: 'deferral' | 'model' = 'deferral') => ({
    change: { same: 1_000, lost: 3_000, broke: { cause }, sinceMs: 1 },
    before: () => ({ sent: measured(sent), ...(cached === undefined ? {} : { cached: measured(cached) }) }),
    read: () => () => {},
  });

  it('loses no more than the request before had in the cache', () => {
    const cache = cacheOf(used(5_000, 0, 5_000), { searches: 0 }, claude);
    expect(cacheMissRecord(changed(118, 4_000), cache, options)).toMatchObject({ lost: measured(118) });
    expect(cacheMissRecord(changed(9_000, 9_000, 'model'), cache, options)).toMatchObject({ lost: estimated(5_000) });
  });

  it('is none if nothing had been cached or missed', () => {
    const step = cacheOf(used(1_317, 1_280), { searches: 0 }, gpt);
    expect(cacheMissRecord(changed(2_000, 4_000, 'model'), step, options)?.broke).toBeUndefined();
    for (const cached of [0, 118]) {
      const cache = cacheOf(used(5_000, cached, 0), { searches: 0 }, claude);
      expect(cacheMissRecord(changed(cached, 4_000), cache, options)).toEqual({ same: measured(cached), lost: ZERO });
    }
  });

  it('ignores tokens beyond the last whole step of the cache', () => {
    // 3,000 tokens are cached to 2,944.
    expect(cacheOf(used(3_000, 1_024), { searches: 0 }, gpt)?.cached).toEqual(measured(2_944));
  });

  it('counts one reading of a provider that searched by itself', () => {
    // 1,000 read and 200 written at first; after the search all 1,200 were read again.
    expect(cacheOf(used(5_000, 2_200, 200), { searches: 1 }, claude)).toMatchObject({
      read: { value: 1_000, certainty: 'estimated' },
      cached: { value: 1_200, certainty: 'estimated' },
    });
  });

  it('takes only the first reading of a cut reply as cached', () => {
    const first = { inputTokens: 1_200, outputTokens: 1, cacheReadTokens: 1_000, cacheWriteTokens: 200 };
    const whole = used(2_900, 2_200, 700);
    const cut = { ...whole, sent: estimated(2_900) };
    expect(cacheOf(whole, { searches: 1, first }, claude)?.cached.value).toBe(1_700);
    expect(cacheOf(cut, { searches: 1, first }, claude)?.cached.value).toBe(1_200);
    expect(cacheOf(cut, { searches: 0, first }, claude)?.cached.value).toBe(2_900);
  });

  it('finds a cache of GPT expired before several readings of one request', () => {
    // Of three readings of 2,000 tokens, the first found nothing and the others the whole beginning.
    const cache = cacheOf(used(6_000, 2 * 1_920), { searches: 2 }, gpt);
    expect(cache).toMatchObject({ read: { value: 0, certainty: 'estimated' }, cached: { value: 1_920 } });
    const follows = { ...changed(1_900, 2_000), change: { same: 4_000, lost: 0, sinceMs: options.lifeMs + 1 } };
    expect(cacheMissRecord(follows, cache, options)).toMatchObject({
      lost: estimated(1_900),
      broke: { cause: 'expired' },
    });
  });

  it('is estimated within the request’s size, above the provider’s minimum', () => {
    expect(cacheMissRecord(changed(undefined, 4_000), undefined, options)).toMatchObject({
      same: { value: 1_000, certainty: 'estimated' },
      lost: { value: 3_000, certainty: 'estimated' },
    });
    expect(cacheMissRecord(changed(undefined, 900), undefined, options)?.broke).toBeUndefined();
  });
});
