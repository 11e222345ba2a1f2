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
    const first = [...HEAD, asked('one')];
    const longer = [...first, replied('yes'), asked('two')];
    expect(send(first, 0)).toEqual({ read: 0, write: held });
    expect(send(longer, 5 * MINUTE).read).toBe(held);
    expect(send([...longer, replied('no')], 10 * MINUTE + 1).read).toBe(0);
  });

  it('belongs to one model', () => {
    const send = cacheOf(CLAUDE);
    send(HEAD, 0);
    expect(send(HEAD, 1, 'v/other').read).toBe(0);
  });

  it.each([
    [19, 4_000],
    [20, 3_000],
  ])('of Claude is found within 20 blocks (%i)', (blocks, read) => {
    const send = cacheOf(CLAUDE);
    send([...HEAD, asked('one')], 0);
    // Without the mark at the end of the last request, only the end of this one is near.
    const send2 = [...HEAD, asked('one'), segment('history', 'many', 1_000, { blocks })];
    expect(send(send2, 1).read).toBe(read);
  });

  it('of Claude is found before a long reply', () => {
    const send = cacheOf(CLAUDE);
    send([...HEAD, asked('one')], 0);
    expect(send([...HEAD, asked('one'), replied('calls', 30), asked('results')], 1).read).toBe(4_000);
  });

  it('of Claude renews only what a request reads', () => {
    const send = cacheOf(CLAUDE);
    const long = [...HEAD, asked('one')];
    send(long, 0);
    // Another chat reads the same beginning, four minutes later.
    expect(send([...HEAD, asked('other')], 4 * MINUTE).read).toBe(3_000);
    expect(send([...long, replied('yes'), asked('two')], 6 * MINUTE).read).toBe(3_000);
  });

  it('of Claude renews what a request reads without a mark there', () => {
    const send = cacheOf(CLAUDE);
    const long = [...HEAD, asked('one')];
    send(long, 0);
    expect(send([...long, asked('two')], 4 * MINUTE).read).toBe(4_000);
    expect(send([...long, asked('other')], 8 * MINUTE).read).toBe(4_000);
  });

  it('of GPT isn’t renewed by a request that shares its beginning', () => {
    const send = cacheOf(GPT);
    const long = [...HEAD, asked('one')];
    send(long, 0);
    send([...HEAD, asked('other')], 4 * MINUTE);
    expect(send([...long, replied('yes')], 6 * MINUTE).read).toBe(2_944);
  });
});
