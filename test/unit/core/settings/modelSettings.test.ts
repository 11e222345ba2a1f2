import { describe, expect, it } from 'vitest';
import { settingsFor } from '../../../../src/core/settings/modelSettings';
import { parseSettings } from '../../../../src/core/settings/parseSettings';

const parse = (models: unknown, more: object = {}) =>
  parseSettings({ models, ...more }, { strategies: ['bm25', 'regex'] });
const GPT = { vendor: 'copilot', id: 'gpt-4.1' };

describe('settings for a model', () => {
  it('are those of the first matching pattern, otherwise those for all', () => {
    const { settings, diagnostics } = parse({
      'copilot/gpt-4*': { mode: 'on', 'auto.maxTools': 7 },
      'copilot/*': { mode: 'off', guidance: 'off' },
    });
    expect(diagnostics).toEqual([]);
    expect(settingsFor(settings, GPT)).toMatchObject({
      rule: 'copilot/gpt-4*',
      settings: { mode: 'on', autoMaxTools: 7, guidance: settings.guidance },
    });
    expect(settingsFor(settings, { vendor: 'copilot', id: 'o5' })).toMatchObject({
      rule: 'copilot/*',
      settings: { mode: 'off', autoMaxTools: 30 },
    });
    expect(settingsFor(settings, { vendor: 'other', id: 'gpt-4.1' })).toEqual({ settings });
    expect(settingsFor(settings, undefined)).toEqual({ settings });
  });

  it('match a pattern without a vendor for every vendor', () => {
    const { settings } = parse({ 'claude-*': { mode: 'on' }, '*': { mode: 'off' } });
    for (const vendor of ['toolsearch-anthropic', 'copilot', 'openrouter/anthropic'])
      expect(settingsFor(settings, { vendor, id: 'claude-sonnet-5' }).rule).toBe('claude-*');
    expect(settingsFor(settings, { vendor: 'claude-x', id: 'gpt' }).rule).toBe('*');
  });

  it('are the same object each time', () => {
    const { settings } = parse({ '*': { strategy: 'regex' } });
    expect(settingsFor(settings, GPT).settings).toBe(settingsFor(settings, GPT).settings);
  });
});
