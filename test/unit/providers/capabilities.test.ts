import { describe, expect, it } from 'vitest';
import { Capabilities, nativeSearch, WITHOUT_SEARCH } from '../../../src/providers/capabilities';

describe('the abilities of a model', () => {
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
});
