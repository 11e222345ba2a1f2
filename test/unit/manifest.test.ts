import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import texts from '../../package.nls.json';
import { parseSettings } from '../../src/core/settings/parseSettings';
import { DEFAULT_SETTINGS, SETTING_KEYS } from '../../src/core/settings/settings';

const properties = manifest.contributes.configuration.properties as Record<string, { default: unknown; enum?: string[] }>;
const context = { strategies: ['bm25'] };

describe('package.json', () => {
  it('contributes every setting that is read, and no other', () => {
    expect(Object.keys(properties).sort()).toEqual(SETTING_KEYS.map((key) => `toolsearch.${key}`).sort());
  });

  it('has the defaults of the code', () => {
    const raw = Object.fromEntries(SETTING_KEYS.map((key) => [key, properties[`toolsearch.${key}`]?.default]));
    expect(parseSettings(raw, context)).toEqual({ settings: DEFAULT_SETTINGS, diagnostics: [] });
  });

  it('offers only values that the code takes', () => {
    for (const key of SETTING_KEYS) {
      for (const value of properties[`toolsearch.${key}`]?.enum ?? [])
        expect(parseSettings({ [key]: value }, context).diagnostics).toEqual([]);
    }
  });

  it('has a text for every placeholder, and no text too many', () => {
    const used = [...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]);
    expect([...new Set(used)].sort()).toEqual(Object.keys(texts).sort());
  });
});
