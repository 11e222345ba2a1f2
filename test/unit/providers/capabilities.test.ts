import { describe, expect, it } from 'vitest';
import {
  Capabilities,
  degradedSentence,
  nativeSearch,
  tableCapability,
  WITHOUT_SEARCH,
} from '../../../src/providers/capabilities';

const searches = (provider: 'anthropic' | 'openai', model: string) =>
  tableCapability(provider, model).strategies.length > 0;

describe('the capability table', () => {
  it.each([
    ['claude-sonnet-4-5', true],
    ['claude-sonnet-4-5-20250929', true],
    ['claude-haiku-4-5-20251001', true],
    ['claude-opus-4-6', true],
    ['claude-sonnet-5', true],
    ['anthropic/claude-sonnet-4.5', true],
    ['claude-opus-4-1-20250805', false],
    ['claude-opus-4-20250514', false],
    ['claude-sonnet-4-0', false],
    ['claude-3-7-sonnet-20250219', false],
    ['claude-3-haiku-20240307', false],
    ['my-gateway-model', true],
  ])('knows whether %s searches tools: %s', (model, expected) => {
    expect(searches('anthropic', model)).toBe(expected);
  });

  it.each([
    ['gpt-5.4', true],
    ['gpt-5.4-mini', true],
    ['gpt-6', true],
    ['gpt-5.1', false],
    ['gpt-5', false],
    ['gpt-4.1', false],
    ['gpt-4o', false],
    ['o3', false],
  ])('knows whether %s searches tools: %s', (model, expected) => {
    expect(searches('openai', model)).toBe(expected);
  });

  it('is corrected by what a service answers, for that model alone', () => {
    const capabilities = new Capabilities();
    capabilities.learn('anthropic', 'claude-sonnet-4-5', WITHOUT_SEARCH);
    capabilities.learn('anthropic', 'claude-sonnet-4-5', { maxInputTokens: 1_000_000 });
    expect(capabilities.of('anthropic', 'claude-sonnet-4-5')).toMatchObject({
      strategies: [],
      references: false,
      maxInputTokens: 1_000_000,
    });
    expect(nativeSearch(capabilities.of('anthropic', 'claude-sonnet-4-5'))).toBeUndefined();
    expect(nativeSearch(capabilities.of('anthropic', 'claude-haiku-4-5'))).toMatchObject({
      strategies: ['bm25', 'regex'],
      maxDeferred: 10_000,
    });
  });

  it('says in a sentence what a model without tool search costs', () => {
    expect(degradedSentence('Claude 3.7', tableCapability('anthropic', 'claude-3-7-sonnet'))).toMatch(
      /^Claude 3.7 has no tool search/,
    );
    expect(degradedSentence('Claude', tableCapability('anthropic', 'claude-sonnet-4-5'))).toBeUndefined();
  });
});
