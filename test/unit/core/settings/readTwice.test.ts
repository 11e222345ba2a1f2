import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseSettings } from '../../../../src/core/settings/parseSettings';
import { fieldOf, SETTING_KEYS, type SettingKey, type Settings } from '../../../../src/core/settings/settings';
import { holds } from '../../property';

const parse = (raw: { readonly [key: string]: unknown }) =>
  parseSettings(raw, { strategies: ['bm25', 'regex', 'mine'] });

/** Settings as settings.json has them. A refused address is null, since its absence would mean the default address. */
const write = (settings: Settings) =>
  Object.fromEntries(SETTING_KEYS.map((key) => [key, settings[fieldOf(key)] ?? null]));

/** A value for a key, which is often valid. */
const values: { readonly [key in SettingKey]?: fc.Arbitrary<unknown> } = {
  mode: fc.constantFrom('auto', 'on', 'off'),
  strategy: fc.constantFrom('auto', 'bm25', 'mine', 'gone'),
  eagerTools: fc.dictionary(fc.string(), fc.array(fc.string())),
  examples: fc.dictionary(
    fc.string(),
    fc.array(fc.record({ args: fc.dictionary(fc.string(), fc.jsonValue()), tags: fc.array(fc.string()) })),
  ),
  models: fc.dictionary(
    fc.string(),
    fc.oneof(
      fc.record({ mode: fc.constantFrom('on', 'never'), 'auto.maxTools': fc.integer({ min: -1, max: 9 }) }),
      fc.jsonValue(),
    ),
  ),
  'limits.toolTimeouts': fc.dictionary(fc.string(), fc.integer({ min: -5, max: 4000 })),
  'anthropic.baseUrl': fc.constantFrom('https://gateway.example/x', 'http://user:secret@gateway.example', 'nonsense'),
};
/** Settings as settings.json can hold them: JSON has no minus zero. */
const raws = fc
  .record(
    Object.fromEntries(
      SETTING_KEYS.map((key) => [key, fc.oneof(values[key] ?? fc.integer({ min: 0, max: 200 }), fc.jsonValue())]),
    ),
    { requiredKeys: [] },
  )
  .map((raw): { readonly [key: string]: unknown } => JSON.parse(JSON.stringify(raw)));

it('settings are the same after they were read, written and read again', () => {
  holds([raws], (raw) => {
    const { settings } = parse(raw);
    const written = JSON.parse(JSON.stringify(write(settings)));
    expect(parse(written).settings).toEqual(settings);
    expect(write(parse(written).settings)).toEqual(written);
  });
});
