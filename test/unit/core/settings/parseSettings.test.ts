import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseSettings } from '../../../../src/core/settings/parseSettings';
import { DEFAULT_SETTINGS, fieldOf, SETTING_KEYS } from '../../../../src/core/settings/settings';
import { holds } from '../../property';

const context = { strategies: ['bm25', 'regex', 'keywords', 'exact', 'mine'] };
const parse = (raw: { [key: string]: unknown }) => parseSettings(raw, context);

it('gives the defaults if nothing is set', () => {
  const { settings, diagnostics } = parse({});
  expect({ settings, diagnostics }).toEqual({ settings: DEFAULT_SETTINGS, diagnostics: [] });
});

it('takes good values', () => {
  const good = {
    mode: 'on',
    strategy: 'mine',
    eagerTools: { github: ['search_*'] },
    examples: { tools: { 'github/get_issue': [{ args: { number: 1 }, description: 'one', tags: ['a'] }] } },
  };
  const { settings, diagnostics } = parse({ ...good, 'auto.contextPercent': 2.5 });
  expect(diagnostics).toEqual([]);
  expect(settings).toMatchObject({ ...good, autoContextPercent: 2.5 });
});

it('names a bad value’s key, says what is expected, uses the default', () => {
  const { settings, diagnostics } = parse({ mode: 'sometimes', 'auto.maxTools': '30', guidance: 'servers' });
  expect(settings.mode).toBe('auto');
  expect(settings.autoMaxTools).toBe(30);
  const error = (source: string, rest: string) => ({ severity: 'error', source, message: `${source} ${rest}` });
  expect(diagnostics).toEqual([
    error('toolsearch.mode', 'must be one of auto, on, off, but is "sometimes". Using "auto".'),
    error('toolsearch.auto.maxTools', 'must be a whole number from 0 to 10000, but is "30". Using 30.'),
  ]);
});

it.each([
  ['retries', 20, 20.5, 'a whole number from 0 to 20'],
  ['toolTimeouts', 3600, 3601, 'a number of seconds from 1 to 3600'],
])('leaves a bad entry out of limits.%s', (key, good, bad, expected) => {
  const { settings, diagnostics } = parse({ [`limits.${key}`]: { good, bad } });
  expect(Object.values(settings)).toContainEqual({ good });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    `“bad” in toolsearch.limits.${key} must be ${expected}, but is ${bad}. It is ignored.`,
  ]);
});

it('takes a number at either bound, and none beyond', () => {
  const read = (value: number) => parse({ 'auto.maxTools': value }).settings.autoMaxTools;
  expect([-1, 0, 10_000, 10_001].map(read)).toEqual([30, 0, 10_000, 30]);
});

it('names the strategies that there are if one is unknown', () => {
  const { diagnostics, missingStrategy } = parse({ strategy: 'embeddings' });
  expect(diagnostics[0]?.message).toContain('auto, bm25, regex, keywords, exact, mine');
  expect(missingStrategy()).toEqual({ name: 'embeddings', setting: 'toolsearch.strategy' });
  expect(parse({ strategy: 'mine' }).missingStrategy()).toBeUndefined();
});

it('says which rule for models names a strategy that doesn’t exist', () => {
  const models = { 'a/*': { strategy: 'vectors' }, 'b/*': { strategy: 'mine' }, 'c/*': { mode: 'on' } };
  const { missingStrategy } = parse({ strategy: 'embeddings', models });
  expect(missingStrategy('a/*')).toEqual({ name: 'vectors', setting: '“a/*” of toolsearch.models' });
  expect(missingStrategy('b/*')).toBeUndefined();
  expect(missingStrategy('c/*')?.name).toBe('embeddings');
});

it('leaves out only the bad entry of a table', () => {
  const { settings, diagnostics } = parse({ eagerTools: { github: ['get_*', 7], slack: 'all', files: ['read'] } });
  expect(settings.eagerTools).toEqual({ github: ['get_*'], files: ['read'] });
  expect(diagnostics.map((each) => each.source)).toEqual(['toolsearch.eagerTools', 'toolsearch.eagerTools']);
});

it('leaves out only the bad example of a tool', () => {
  const tools = { 'a/b': [{ args: {} }, { args: 'no' }], 'c/d': {} };
  const { settings, diagnostics } = parse({ examples: { tools, perTool: 50, tags: ['x'], other: 1 } });
  expect(settings.examples).toEqual({ ...DEFAULT_SETTINGS.examples, tools: { 'a/b': [{ args: {} }] }, tags: ['x'] });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    expect.stringContaining('“other” in toolsearch.examples is ignored.'),
    expect.stringContaining('Example 2 of “a/b”'),
    expect.stringContaining('“c/d”'),
    expect.stringContaining('“perTool” in toolsearch.examples must be a whole number from 0 to 20, but is 50.'),
  ]);
  expect(parse({ examples: 'none' })).toMatchObject({ settings: DEFAULT_SETTINGS, diagnostics: [{}] });
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
