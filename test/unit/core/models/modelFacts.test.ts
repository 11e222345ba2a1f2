import { describe, expect, it } from 'vitest';
import { modelFacts, modelPrices, offeredModels } from '../../../../src/core/models/modelFacts';
import { MODELS } from '../../../../src/core/models/modelTable';

const searches = (provider: 'anthropic' | 'openai', model: string) =>
  modelFacts(provider, model).features.strategies.length > 0;
const windowOf = (provider: 'anthropic' | 'openai', model: string) =>
  modelFacts(provider, model).features.maxInputTokens;
const claude = (id: string) => modelPrices({ vendor: 'toolsearch-anthropic', id });
const gpt = (id: string) => modelPrices({ vendor: 'toolsearch-openai', id });

describe('the features of a model', () => {
  it.each([
    ['anthropic', true, 'claude-sonnet-4-5 claude-sonnet-4-5-20250929 claude-haiku-4-5-20251001 claude-opus-4-6'],
    ['anthropic', true, 'claude-sonnet-5 anthropic/claude-sonnet-4.5 my-gateway-model'],
    ['anthropic', false, 'claude-opus-4-1-20250805 claude-opus-4-20250514 claude-sonnet-4-0'],
    ['anthropic', false, 'claude-3-7-sonnet-20250219 claude-3-haiku-20240307'],
    ['openai', true, 'gpt-5.4 gpt-5.4-mini gpt-6'],
    ['openai', false, 'gpt-5.1 gpt-5 gpt-4.1 gpt-4o o3'],
  ] as const)('know which models of %s search tools: %s for %s', (provider, expected, models) => {
    for (const model of models.split(' ')) expect(searches(provider, model), model).toBe(expected);
  });

  it('are those of the newest row that isn’t newer than it', () => {
    expect(modelFacts('openai', 'gpt-5.10').features).toBe(modelFacts('openai', 'gpt-5.6').features);
    expect(windowOf('anthropic', 'claude-opus-4-10')).toBe(1_000_000);
    expect(modelFacts('anthropic', 'claude-opus-4-10').features.addsTools).toBe('definition');
    expect(modelFacts('anthropic', 'claude-haiku-5-6').features).toMatchObject({ addsTools: false, code: false });
    expect(windowOf('anthropic', 'claude-opus-10')).toBe(1_000_000);
    expect(windowOf('openai', 'gpt-10')).toBe(922_000);
    expect(windowOf('openai', 'gpt-5.5-mini')).toBe(272_000);
  });

  it('tell reasoning models from chat models by the words of their names', () => {
    const reasons = (id: string) => modelFacts('openai', id).features.encryptsReasoning;
    expect(['gpt-5', 'gpt-10', 'o3', 'o4-mini'].map(reasons)).toEqual([true, true, true, true]);
    expect(['gpt-5-chat-latest', 'gpt-4o', 'chatgpt-4o-latest', 'qwen3-8b'].map(reasons)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it.each(['claude-opus-4-6', 'claude-opus-4-7', 'claude-sonnet-4-6'])('of %s include a window of 1M', (model) => {
    expect(modelFacts('anthropic', model).features).toMatchObject({
      maxInputTokens: 1_000_000,
      maxOutputTokens: 128_000,
    });
  });

  it.each(['gpt-5.4', 'gpt-5.5'])('of %s include an input of 922,000 tokens', (model) => {
    expect(windowOf('openai', model)).toBe(922_000);
  });

  it('name the date on which that model alone is switched off', () => {
    expect(modelFacts('anthropic', 'claude-sonnet-4-5-20250929').features.retires).toBe('2026-11-30');
    expect(modelFacts('anthropic', 'claude-sonnet-4-6').features.retires).toBeUndefined();
    expect(modelFacts('anthropic', 'claude-sonnet-latest').features.retires).toBeUndefined();
  });
});

describe('the prices of a model', () => {
  it('are not those of another version or variant', () => {
    expect(claude('claude-opus-4-10')).toMatchObject({ read: 0.1, minimum: 1_024 });
    expect(claude('claude-opus-4-10')).not.toHaveProperty('usd');
    expect(gpt('gpt-5.10')).not.toHaveProperty('usd');
    expect(gpt('gpt-5.4-codex')).not.toHaveProperty('usd');
    expect(gpt('gpt-6.3-sol')).not.toHaveProperty('long');
  });

  it.each([
    ['claude-opus-5', 512],
    ['claude-fable-5', 512],
    ['claude-fable-5-1', 512],
    ['claude-mythos-5', 512],
    ['claude-opus-4-7', 4_096],
    ['claude-sonnet-4-6', 2_048],
    ['claude-opus-5-5', 1_024],
  ])('of %s say that nothing shorter than %i tokens is cached', (id, minimum) => {
    expect(claude(id)).toMatchObject({ minimum });
  });

  it.each([
    ['gpt-6.1-terra', 1],
    ['gpt-5.4', 2.5],
    ['gpt-5.6-terra', 2],
    ['gpt-5.6', 4],
  ])('of %s are %f dollars, and double for long requests', (id, usd) => {
    expect(gpt(id)).toMatchObject({ usd, long: { above: 272_000, usd: 2 * usd } });
  });

  it('are unknown for models of other providers', () => {
    expect(gpt('qwen3-80b')).toBeUndefined();
    expect(claude('glm-4.6')).toBeUndefined();
  });
});

it.each(['anthropic', 'openai'] as const)('each row of %s applies to its own model', (service) => {
  for (const { model, features, prices } of MODELS[service])
    expect(modelFacts(service, model), model).toMatchObject({ features, prices });
  expect(offeredModels(service).every((id) => searches(service, id))).toBe(true);
});
