import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeConfiguration, writeSettings } from '../../../../src/core/planning/configuration';
import { parseSettings } from '../../../../src/core/settings/parseSettings';
import { DEFAULT_SETTINGS, SETTING_KEYS, type SettingKey } from '../../../../src/core/settings/settings';
import { holds } from '../../property';

const parse = (raw: { readonly [key: string]: unknown }) =>
  parseSettings(raw, { strategies: ['bm25', 'regex', 'mine'] });

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
    {
      requiredKeys: [],
    },
  )
  .map((raw): { readonly [key: string]: unknown } => JSON.parse(JSON.stringify(raw)));

describe('settings that travel', () => {
  it('are the same after they were read, written and read again', () => {
    holds(
      fc.property(raws, (raw) => {
        const { settings } = parse(raw);
        const written = JSON.parse(JSON.stringify(writeSettings(settings)));
        expect(parse(written).settings).toEqual(settings);
        expect(writeSettings(parse(written).settings)).toEqual(written);
      }),
    );
  });

  it('cover every key', () => {
    expect(Object.keys(writeSettings(DEFAULT_SETTINGS))).toEqual([...SETTING_KEYS]);
  });
});

describe('the configuration as text', () => {
  const text = describeConfiguration({
    settings: { ...DEFAULT_SETTINGS, mode: 'on', eagerTools: { github: ['*'] } },
    origins: (key) => (key === 'mode' ? ['user'] : key === 'eagerTools' ? ['workspace', 'user'] : ['default']),
    pins: { tools: { 'a/b': 'eager' }, servers: {} },
    overview: {
      strategy: { name: 'bm25', why: 'auto' },
      delivery: { name: 'local', why: 'works' },
      modeWhy: 'on: set',
      counts: { eager: 1, discovered: 0, deferred: 2 },
    },
    problems: [{ severity: 'warning', source: 'toolsearch.eagerTools', message: 'No such server.' }],
  });

  it('says what is in effect, from where, and what is wrong', () => {
    expect(JSON.parse(text)).toMatchObject({
      settings: { 'toolsearch.mode': 'on', 'toolsearch.maxResults': 5 },
      from: {
        'toolsearch.mode': 'user',
        'toolsearch.eagerTools': 'workspace, user',
        'everything else': 'default',
      },
      now: { mode: 'on: set', strategy: 'bm25: auto', tools: { deferred: 2 } },
      pins: { tools: { 'a/b': 'eager' } },
      problems: ['warning, toolsearch.eagerTools: No such server.'],
    });
  });

  it('can be read back', () => {
    const { settings } = JSON.parse(text);
    const raw = Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [key.replace('toolsearch.', ''), value]),
    );
    const parsed = parse(raw);
    expect(parsed.settings).toEqual({ ...DEFAULT_SETTINGS, mode: 'on', eagerTools: { github: ['*'] } });
    expect(parsed.diagnostics).toEqual([]);
  });
});
