import { describe, expect, it } from 'vitest';
import { modelPrices } from '../../../../src/core/models/modelFacts';
import type { ModelPrices } from '../../../../src/core/models/types';
import { PromptCaches } from '../../../../src/core/usage/promptCache';
import type { Segment } from '../../../../src/core/usage/requestShape';

const CLAUDE = modelPrices({ vendor: 'anthropic', id: 'claude-opus-5-5' }) as ModelPrices;
const GPT = modelPrices({ vendor: 'openai', id: 'gpt-5.4' }) as ModelPrices;
const MINUTE = 60_000;

/** A segment whose tokens are its characters. */
const segment = (kind: Segment['kind'], hash: string, chars: number, more: Partial<Segment> = {}): Segment => ({
  ...{ kind, hash, chars, blocks: 1 },
  ...more,
});
const HEAD = [segment('tool', 'a', 2_000, { id: 'a' }), segment('system', 's', 1_000)];
const asked = (text: string) => segment('history', text, 1_000);
const replied = (text: string, blocks = 1) => segment('history', text, 1_000, { reply: true, blocks });

const ASKED = [...HEAD, asked('one')];

/** A simulated cache, and the function that sends it a request. */
function cacheOf(rules: ModelPrices) {
  const caches = new PromptCaches();
  return (segments: readonly Segment[], at: number, model = 'v/m') => {
    const sum = (all: readonly Segment[]) => all.reduce((total, { chars }) => total + chars, 0);
    const tokens = { tools: sum(segments.filter(({ kind }) => kind === 'tool')), total: sum(segments) };
    return caches.use({ model, segments, tokens, at }, rules);
  };
}

describe('a simulated prompt cache', () => {
  it.each([
    ['Claude', CLAUDE, 4_000],
    ['GPT', GPT, 3_968],
  ] as const)('of %s holds a request until its lifetime ends', (_, rules, held) => {
    const send = cacheOf(rules);
    const longer = [...ASKED, replied('yes'), asked('two')];
    expect(send(ASKED, 0)).toEqual({ read: 0, write: held });
    expect(send(longer, 5 * MINUTE).read).toBe(held);
    expect(send([...longer, replied('no')], 10 * MINUTE + 1).read).toBe(0);
  });

  it.each<[string, string | undefined, readonly Segment[], number]>([
    ['belongs to one model', 'v/other', [], 0],
    ['is found within 20 blocks', undefined, [segment('history', 'many', 1_000, { blocks: 19 })], 4_000],
    // Without the mark at the end of the last request, only the end of this one is near.
    ['isn’t found beyond them', undefined, [segment('history', 'many', 1_000, { blocks: 20 })], 3_000],
    ['is found before a long reply', undefined, [replied('calls', 30), asked('results')], 4_000],
  ])('of Claude %s', (_, model, more, read) => {
    const send = cacheOf(CLAUDE);
    send(ASKED, 0);
    expect(send([...ASKED, ...more], 1, model).read).toBe(read);
  });

  it.each<[string, ModelPrices, readonly Segment[], number, number, number]>([
    ['Claude is renewed only as far as another chat reads it', CLAUDE, [...HEAD, asked('other')], 3_000, 6, 3_000],
    ['Claude is renewed without a mark at its end', CLAUDE, [...ASKED, asked('other')], 4_000, 8, 4_000],
    ['GPT isn’t renewed by another chat', GPT, [...HEAD, asked('other')], 2_944, 6, 2_944],
  ])('of %s', (_, rules, other, read, minutes, later) => {
    const send = cacheOf(rules);
    send(ASKED, 0);
    expect(send(other, 4 * MINUTE).read).toBe(read);
    expect(send([...ASKED, replied('yes'), asked('two')], minutes * MINUTE).read).toBe(later);
  });
});
