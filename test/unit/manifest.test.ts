import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import descriptions from '../../package.nls.json';
import { parseSettings } from '../../src/core/settings/parseSettings';
import { DEFAULT_SETTINGS, SETTING_KEYS, SETTINGS, type SettingKey } from '../../src/core/settings/settings';

interface Property {
  readonly type: unknown;
  readonly default: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly scope: string;
  readonly markdownDescription: string;
}

const properties = manifest.contributes.configuration.properties as unknown as { readonly [key: string]: Property };
const context = { strategies: ['bm25'] };

describe('package.json', () => {
  it('lets a model have its own value of what the table says, as for all models', () => {
    const { additionalProperties } = properties['toolsearch.models'] as unknown as {
      additionalProperties: { properties: object };
    };
    for (const [key, own] of Object.entries(additionalProperties.properties)) {
      expect(properties[`toolsearch.${key}`]).toMatchObject(own);
      expect(
        parseSettings({ models: { 'a/*': { [key]: SETTINGS[key as SettingKey].fallback } } }, context).diagnostics,
      ).toEqual([]);
    }
  });

  it('contributes every setting of the table, in its order, and no other', () => {
    expect(Object.keys(properties)).toEqual(SETTING_KEYS.map((key) => `toolsearch.${key}`));
  });

  it.each(SETTING_KEYS)('says of %s what its row says', (key) => {
    const { reader, fallback, scope, description } = SETTINGS[key];
    const {
      type,
      enum: choices,
      minimum,
      maximum,
      markdownDescription,
      ...said
    } = properties[`toolsearch.${key}`] as Property;
    expect({ type, enum: choices, minimum, maximum }).toEqual({
      enum: undefined,
      minimum: undefined,
      maximum: undefined,
      ...reader.schema,
    });
    expect(said).toMatchObject({ default: fallback, scope });
    expect(markdownDescription).toBe(`%setting.${key}%`);
    expect((descriptions as { readonly [key: string]: string })[`setting.${key}`]).toBe(description);
  });

  it('has defaults that the code takes', () => {
    const raw = Object.fromEntries(SETTING_KEYS.map((key) => [key, properties[`toolsearch.${key}`]?.default]));
    const { settings, diagnostics } = parseSettings(raw, context);
    expect({ settings, diagnostics }).toEqual({ settings: DEFAULT_SETTINGS, diagnostics: [] });
  });

  it('has a text for every placeholder, and no text too many', () => {
    const used = [...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]);
    expect([...new Set(used)].sort()).toEqual(Object.keys(descriptions).sort());
  });
});
