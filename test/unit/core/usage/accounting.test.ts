import { describe, expect, it } from 'vitest';
import { EMPTY_REQUEST, type ModelPort } from '../../../../src/core/ports';
import { countRequest, countSent } from '../../../../src/core/usage/accounting';
import { roundTokens, type TokenCounts } from '../../../../src/core/usage/roundTokens';
import { TokenCounter } from '../../../../src/core/usage/tokenCounter';
import { definitionOf } from '../../../../src/core/usage/tokens';
import { estimated, measured } from '../../../data/entries';
import { said } from '../../../data/items';
import { makeTool, TestModel } from '../turn/world';

const COUNTS: TokenCounts = {
  all: measured(20_000),
  eager: measured(900),
  discovered: measured(300),
  ours: measured(200),
  searches: measured(100),
  history: measured(4_000),
};

const KNOWN = { eager: measured(900), discovered: measured(300), searchOverhead: measured(300) };

describe('what a round cost', () => {
  it('is the sum of its parts if the provider reports nothing', () => {
    expect(roundTokens(COUNTS, {})).toEqual({
      ...KNOWN,
      promptAndHistory: measured(4_000),
      sent: measured(5_500),
      baseline: measured(24_000),
    });
  });

  it('is what the provider reports; the unexplained rest is history', () => {
    const usage = { inputTokens: 5_700, outputTokens: 5, cacheReadTokens: 4_800, cacheWriteTokens: 60 };
    expect(roundTokens(COUNTS, { usage })).toEqual({
      ...KNOWN,
      promptAndHistory: measured(4_200),
      sent: measured(5_700),
      // 4,200 + 20,000
      baseline: measured(24_200),
      cacheRead: 4_800,
      cacheWrite: 60,
    });
  });

  it('of a searching provider has the second reading as overhead', () => {
    // The twin's prompt and history is 4,100. Two readings with the search tool and 450 tokens of found definitions are
    // 12,050 together.
    const round = roundTokens(
      { ...COUNTS, twinPrompt: measured(4_100) },
      { usage: { inputTokens: 12_050, outputTokens: 80 }, searches: 1 },
      measured(750),
    );
    expect(round).toEqual({
      promptAndHistory: measured(4_100),
      eager: measured(900),
      discovered: measured(750),
      searchOverhead: measured(6_300),
      sent: measured(12_050),
      baseline: measured(24_100),
    });
    expect(round.promptAndHistory.value + round.eager.value + round.discovered.value + round.searchOverhead.value).toBe(
      round.sent.value,
    );
  });

  it('that only searched is overhead; its twin had no such request', () => {
    const round = roundTokens(
      { ...COUNTS, twinPrompt: measured(4_000) },
      { usage: { inputTokens: 5_600, outputTokens: 9 }, untwinned: true },
    );
    expect(round).toMatchObject({
      searchOverhead: measured(5_600),
      sent: measured(5_600),
      baseline: measured(0),
      // The input (5,600) − the twin’s prompt (4,000) − eager (900) − discovered (300).
      usualOverhead: measured(400),
    });
  });

  it('leaves what a wire wraps deferred tools in out of the baseline', () => {
    // 830 tokens more than the counted parts, added because tools are deferred.
    const usage = { inputTokens: 5_500 + 830, outputTokens: 5 };
    expect(roundTokens({ ...COUNTS, twinPrompt: measured(4_000) }, { usage })).toMatchObject({
      promptAndHistory: measured(4_000),
      searchOverhead: measured(1_130),
      baseline: measured(24_000),
    });
  });

  it('is estimated as soon as one part is, except what was sent', () => {
    const round = roundTokens(
      { ...COUNTS, all: { value: 20_000, certainty: 'estimated' } },
      { usage: { inputTokens: 5_700, outputTokens: 5 } },
    );
    expect(round.sent.certainty).toBe('measured');
    expect(round.baseline.certainty).toBe('estimated');
  });
});

describe('the count of a request', () => {
  const tools = [makeTool('a', 'one', 'x'.repeat(3_000)), makeTool('a', 'two', 'y')];
  const parts = {
    transcript: [{ kind: 'user' as const, text: 'hi' }],
    guidance: 'Search.',
    own: [],
    eager: tools.slice(0, 1),
    discovered: tools.slice(1),
    all: tools,
    isCalledByCode: () => false,
    twin: { request: EMPTY_REQUEST, counted: tools.slice(1) },
  };
  /** A model that counts characters. */
  const COUNTING: ModelPort = {
    info: new TestModel([]).info,
    send: () => expect.fail('not sent'),
    countTokens: async (text) => text.length,
  };
  const optionsOf = (port: ModelPort, counter: TokenCounter) => {
    return { port, counter, timer: () => () => {}, signal: new AbortController().signal };
  };
  const countOver = (port: ModelPort, counted: typeof parts = parts, counter = new TokenCounter(), cut = false) =>
    countRequest(counted, optionsOf(port, counter), cut);

  it('comes from one batched count, asked again only for changes', async () => {
    const asked: string[][] = [];
    const port: ModelPort = {
      ...COUNTING,
      countDefinitions: async (definitions) => {
        asked.push(definitions.map((definition) => definition.name));
        return definitions.length * 100;
      },
    };
    const counter = new TokenCounter();
    const counts = await countOver(port, parts, counter);
    const [one, ours] = [measured(100), measured(7)];
    expect(counts).toMatchObject({ all: measured(200), eager: one, discovered: one, ours });
    await countOver(port, parts, counter);
    expect(asked).toEqual([['a_one', 'a_two'], ['a_one'], ['a_two']]);
    // From here on, estimates use the ratio of the counted texts.
    const chars = definitionOf(tools[0] as (typeof tools)[0]).text.length;
    expect(counter.estimate(chars).value).toBeLessThanOrEqual(101);
  });

  it('is estimated, and says so, if the service refuses to count', async () => {
    const counts = await countOver(new TestModel([]));
    for (const part of [counts.all, counts.eager, counts.history]) expect(part.certainty).toBe('estimated');
    expect(counts.twinPrompt).toBeUndefined();
  });

  it('stays measured after a cut reply if a model counts texts', async () => {
    const counter = new TokenCounter();
    expect(await countSent(EMPTY_REQUEST, optionsOf(COUNTING, counter))).toBeUndefined();
    expect((await countOver(COUNTING, parts, counter)).history.certainty).toBe('measured');
  });

  it('counts folders in the guidance as history, as the twin has them', async () => {
    const twin = { ...parts.twin, request: { ...EMPTY_REQUEST, system: 'Folder: /work' } };
    const counts = await countOver(COUNTING, { ...parts, guidance: 'Search. Folder: /work', twin });
    expect(counts.history).toEqual(measured('Folder: /work\nhi'.length));
    expect(counts.ours).toEqual(measured('Search. '.length));
  });

  it('has the twin’s prompt if the service counts requests', async () => {
    const thought = (model: string, tokens: number) =>
      said('x', [], { opaque: [{ wire: 'anthropic', model, value: [] }], boundThinking: tokens });
    const thinking = { ...EMPTY_REQUEST, transcript: [thought('another', 70), thought(COUNTING.info.id, 50)] };
    const port: ModelPort = {
      ...COUNTING,
      countDefinitions: async (definitions) => definitions.length * 100,
      countRequest: async (request) => (request === EMPTY_REQUEST || request === thinking ? 4_100 : 0),
    };
    const counter = new TokenCounter();
    expect((await countOver(port, parts, counter)).twinPrompt).toEqual(measured(4_000));
    // The service can't count thinking that is bound to another conversation.
    const bound = { ...parts, twin: { ...parts.twin, request: thinking } };
    expect((await countOver(port, bound, counter)).twinPrompt).toEqual(estimated(4_050));
    expect((await countOver(port, parts, counter, true)).twinPrompt).toBeUndefined();
  });
});
