import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseSettings } from '../../../../src/core/settings/parseSettings';
import { DEFAULT_SETTINGS, fieldOf, SETTING_KEYS } from '../../../../src/core/settings/settings';
import { holds } from '../../property';

const context = { strategies: ['bm25', 'regex', 'keywords', 'exact', 'mine'] };
const parse = (raw: { [key: string]: unknown }) => parseSettings(raw, context);

const TWO = { 'a/*': { strategy: 'vectors' }, 'b/*': { strategy: 'mine' }, 'c/*': { mode: 'on' } };
const GATEWAYS = { 'anthropic.baseUrl': 'http://gateway.example.com', 'openai.baseUrl': 'http://localhost:4000' };
const ONE = { args: { number: 1 }, description: 'one', tags: ['a'] };
/** Settings by what is in them. `-u` writes the file of what they are read as again: read what changed. */
const RAW: { readonly [what: string]: { readonly [key: string]: unknown } } = {
  nothing: {},
  'good values': { mode: 'on', strategy: 'mine', eagerTools: { github: ['search_*'] }, 'auto.contextPercent': 2.5 },
  'good examples': { examples: { tools: { 'github/get_issue': [ONE] } } },
  'bad values': { mode: 'sometimes', 'auto.maxTools': '30', guidance: 'servers' },
  'a bad number of retries': { 'limits.retries': { good: 20, bad: 20.5 } },
  'a bad number of seconds': { 'limits.toolTimeouts': { good: 3600, bad: 3601 } },
  'a number below its bounds': { 'auto.maxTools': -1 },
  'a number at its lower bound': { 'auto.maxTools': 0 },
  'a number at its upper bound': { 'auto.maxTools': 10_000 },
  'a number above its bounds': { 'auto.maxTools': 10_001 },
  'an unknown strategy': { strategy: 'embeddings' },
  'an unknown strategy, and one for a model': { strategy: 'embeddings', models: TWO },
  'bad entries of a table': { eagerTools: { github: ['get_*', 7], slack: 'all', files: ['read'] } },
  'bad examples': {
    examples: { tools: { 'a/b': [{ args: {} }, { args: 'no' }], 'c/d': {} }, perTool: 50, tags: ['x'], other: 1 },
  },
  'examples that are none': { examples: 'none' },
  'a server named __proto__': { eagerTools: JSON.parse('{"__proto__": ["a"]}') },
  'settings of a model': { models: { '*': { maxResults: 30, coreTools: ['readFile'] } } },
  'bad settings of a model': { models: { 'a/*': { mode: 'sometimes', scope: 'all', maxResults: 3 }, 'b/*': 'on' } },
  'an address without encryption': GATEWAYS,
  'an address without encryption that is allowed': { ...GATEWAYS, allowInsecureBaseUrl: true },
  'addresses that are none, which have no fallback': { 'anthropic.baseUrl': 'nonsense', 'openai.baseUrl': 7 },
  ...Object.fromEntries(
    [
      'sk-ant-planted-key',
      'https://planted-key@gateway.example.com',
      'https://me:planted-key@gateway.example.com/v1',
      'https://gateway.example.com/?key=planted-key',
      'https://gateway.example.com/#planted-key',
      'data:planted-key',
    ].map((url) => [`an address with a key: ${url.replace('planted-key', '(key)')}`, { 'anthropic.baseUrl': url }]),
  ),
};

it('settings are read as their file says', async () => {
  const told = Object.entries(RAW).map(([what, raw]) => {
    const { settings, diagnostics, missingStrategy } = parse(raw);
    const others = Object.entries(settings).filter(([key, value]) => {
      const usual = (DEFAULT_SETTINGS as { readonly [key: string]: unknown })[key];
      return JSON.stringify(value) !== JSON.stringify(usual);
    });
    const missing = [undefined, ...Object.keys(settings.models)].map((rule) => [rule ?? 'all', missingStrategy(rule)]);
    return [
      `— ${what}`,
      ...others.map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
      ...missing.filter(([, it]) => it).map((it) => `has no strategy: ${JSON.stringify(it)}`),
      ...diagnostics.map(({ severity, source, message }) => `${severity} of ${source}: ${message}`),
      '',
    ].join('\n');
  });
  expect(told.join()).not.toContain('planted-key');
  await expect(told.join('\n')).toMatchFileSnapshot('settings.txt');
});

it('takes 500 entries and 10,000 characters of a setting, and says so', () => {
  const many = (count: number, text = '') => Array.from({ length: count }, (_, i) => `a*${i}${text}`);
  const { settings, diagnostics } = parse({
    sequentialTools: many(501),
    hiddenTools: { one: many(300), two: many(300), three: ['a'] },
    eagerTools: { one: many(3, 'x'.repeat(4_900)) },
    'limits.toolTimeouts': Object.fromEntries(many(501).map((glob) => [glob, 1])),
    deferredTools: { one: Array.from({ length: 20_000 }, () => 7) },
    coreTools: many(500),
    examples: { tools: { 'a/b': Array.from({ length: 20_000 }, () => 7) } },
    allowedCallers: many(20_000),
  });
  expect(settings.sequentialTools).toEqual(many(500));
  expect(settings.hiddenTools).toEqual({ one: many(300), two: many(198) });
  expect(settings.eagerTools).toEqual({ one: many(2, 'x'.repeat(4_900)) });
  expect(Object.keys(settings.toolTimeouts)).toEqual(many(500));
  expect(settings.coreTools).toHaveLength(500);
  const limits = diagnostics.filter(({ message }) => message.includes('has more than'));
  expect(limits.map(({ source }) => source)).toEqual([
    'toolsearch.eagerTools',
    'toolsearch.deferredTools',
    'toolsearch.hiddenTools',
    'toolsearch.limits.toolTimeouts',
    'toolsearch.sequentialTools',
  ]);
  expect(limits[0]?.message).toBe(
    'toolsearch.eagerTools has more than 500 entries or 10,000 characters. Only the first ones, up to that limit, are used.',
  );
  expect(diagnostics.length).toBeLessThan(1_510);
});

it.each([
  ['numbers, which come first', Object.fromEntries(Array.from({ length: 600 }, (_, i) => [String(i), 1]))],
  ['long names', { '1': 1, ['x'.repeat(9_999)]: 1, [`y${'x'.repeat(9_999)}`]: 1 }],
  ['another value for one', { ...Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`${i}`, 1])), 'a/*': 9 }],
])('keeps the user’s entries if a workspace adds %s', (_, workspace) => {
  const user = { 'a/*': 2, 'b/*': 3 };
  const raw = { 'limits.toolTimeouts': { ...user, ...workspace } };
  const { settings } = parseSettings(raw, context, (key) => (key === 'limits.toolTimeouts' ? user : undefined));
  expect(settings.toolTimeouts).toMatchObject({ 'b/*': 3, 'a/*': raw['limits.toolTimeouts']['a/*'] });
  expect(Object.keys(settings.toolTimeouts).length).toBeLessThanOrEqual(502);
  expect(Object.keys(settings.toolTimeouts)).toContain('1');
});

it.each([
  ['eagerTools', ['b'], ['a']],
  ['deferredTools', ['b'], ['a']],
  ['hiddenTools', ['b'], ['a']],
  ['sets', ['b'], ['a']],
  ['models', { mode: 'on' }, { mode: 'off' }],
  ['allowedCallers', 'code', 'both'],
  ['limits.toolTimeouts', 9, 8],
  ['limits.retries', 3, 4],
] as const)('keeps the user’s entry of %s first', (setting, own, other) => {
  const user = { 'b/*': own };
  const raw = { ...Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`a${i}`, other])), ...user };
  const { settings } = parseSettings({ [setting]: raw }, context, (key) => (key === setting ? user : undefined));
  const table = settings[fieldOf(setting)] as object;
  expect(Object.entries(table)[0]).toEqual(['b/*', own]);
  expect(Object.keys(table)).toContain('a0');
});

it('keeps the user’s examples if a workspace adds many', () => {
  const one = [{ args: { a: 1 } }];
  const tools = { ...Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`a/${i}`, one])), 'z/z': one };
  const { settings } = parseSettings({ examples: { tools } }, context, (key) =>
    key === 'examples' ? { tools: { 'z/z': one } } : undefined,
  );
  expect(Object.keys(settings.examples.tools)[0]).toBe('z/z');
  expect(Object.keys(settings.examples.tools)).toHaveLength(501);
});

it('counts a workspace’s value under the user’s name after the user’s', () => {
  const user = { one: ['a'], two: ['b'] };
  const eagerTools = { one: ['x'.repeat(9_995)], two: ['b'] };
  const { settings } = parseSettings({ eagerTools }, context, (key) => (key === 'eagerTools' ? user : undefined));
  expect(settings.eagerTools).toEqual({ two: ['b'], one: [] });
});

it('takes any server name, __proto__ too', () => {
  const { settings } = parse({ eagerTools: JSON.parse('{"__proto__": ["a"]}') });
  expect(Object.keys(settings.eagerTools)).toEqual(['__proto__']);
});

it('never throws, and every diagnostic names a setting', () => {
  holds([fc.dictionary(fc.constantFrom(...SETTING_KEYS), fc.jsonValue())], (raw) => {
    const { settings, diagnostics } = parse(raw);
    expect(Object.keys(settings).sort()).toEqual(Object.keys(DEFAULT_SETTINGS).sort());
    for (const each of diagnostics) expect(SETTING_KEYS.map((key) => `toolsearch.${key}`)).toContain(each.source);
  });
});
