import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../../src/core/catalog/tool';
import { createArgumentCheck } from '../../../../src/tools/arguments/validateArguments';
import { countBreaths } from '../../breaths';
import { makeTool } from '../../core/turn/world';
import { holdsAsync } from '../../property';

const tool = (inputSchema: JsonSchema) => makeTool('a', 'sum', '', { inputSchema });
const sum = tool({
  type: 'object',
  properties: {
    a: { type: 'number' },
    b: { type: 'number' },
    mode: { enum: ['fast', 'exact'] },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['a', 'b'],
  additionalProperties: false,
});
/** A tool with one argument, `a`. */
const one = (schema: unknown, more: JsonSchema = {}) => tool({ type: 'object', properties: { a: schema }, ...more });
/** Two branches that are alike. */
const BRANCHES = { anyOf: Array(2).fill({ type: 'array', items: { $ref: '#/$defs/x' } }) };

let logged: string[];
let mistakesIn: ReturnType<typeof createArgumentCheck>;
beforeEach(() => {
  logged = [];
  mistakesIn = createArgumentCheck((message) => logged.push(message));
});
/** Returns all mistakes as a text; undefined if there are none. */
const check: (...asked: Parameters<typeof mistakesIn>) => Promise<string | undefined> = async (...asked) =>
  (await mistakesIn(...asked)).join('\n') || undefined;

describe('arguments', () => {
  it('that fit are let through', async () => {
    expect(await check(sum, { a: 1, b: 2, mode: 'fast', tags: ['x'] })).toBeUndefined();
  });

  it('that are wrong are named, with what was given and expected', async () => {
    expect(await check(sum, { a: '2', b: 40 })).toBe('a: must be number. (given: "2")');
  });

  it('may have the names that every object inherits', async () => {
    const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];
    const properties = JSON.parse(`{${names.map((name) => `"${name}":{"type":"string"}`).join()}}`);
    const optional = tool({ type: 'object', properties, additionalProperties: false });
    expect(await check(optional, {})).toBeUndefined();
    expect(await check(optional, { constructor: 'x', toString: 'y' })).toBeUndefined();
    expect(await check(optional, { constructor: 7 })).toContain('constructor: must be string. (given: 7)');
    expect(await check(tool({ ...optional.inputSchema, required: names }), {})).toContain('toString: is required');
  });

  it('that are missing, unknown or nested are named', async () => {
    expect(await check(sum, { a: 1 })).toContain('b: is required, but missing.');
    expect(await check(sum, { a: 1, b: 2, c: 3 })).toContain('c: there is no such argument.');
    expect(await check(sum, { a: 1, b: 2, tags: ['x', 7] })).toContain('tags.1: must be string. (given: 7)');
  });

  it.each([
    [{ enum: ['fast', 'exact'] }, 'slow', 'must be one of "fast", "exact". (given: "slow")'],
    [{ const: 1 }, 2, 'must be 1.'],
    [{ type: 'string', format: 'date-time' }, 'tomorrow', 'must be a date-time, as in "2026-01-31T12:00:00Z"'],
    [{ type: 'string', pattern: '^[a-z]+$' }, 'A1', 'must match the pattern ^[a-z]+$'],
    [{ type: 'integer', minimum: 1 }, 0, 'must be >= 1'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 7, 'a: must be string or null. (given: 7)'],
    [{ anyOf: [{ type: 'string' }, { type: 'object', required: ['id'] }] }, {}, 'a.id: is required, but missing.'],
    [{ type: ['string', 'null'] }, 7, 'must be string or null'],
  ])('of %j given %j are told what is wrong', async (schema, value, words) => {
    expect(await check(one(schema), { a: value })).toContain(words);
  });
});

describe('a mistake is reported once', () => {
  const file = { type: 'object', properties: { kind: { const: 'file' } }, required: ['kind', 'id'] };
  const page = { type: 'object', properties: { kind: { const: 'page' } }, required: ['kind', 'url'] };
  it.each([
    ['the nearest branch', [{ type: 'string' }, file], { kind: 'file' }, 'a.id: is required, but missing.'],
    ['the whole choice', [{ type: 'string' }, file], 7, 'a: must be string or object. (given: 7)'],
    ['the branch with its mark', [file, page, { type: 'null' }], { kind: 'page' }, 'a.url: is required, but missing.'],
    ['one beside null', [{ type: 'string', minLength: 3 }, { type: 'null' }], 'x', /^a: must NOT have fewer than 3/],
    ['a reference or null', [{ $ref: '#/$defs/it' }, { type: 'null' }], 7, 'a: must be object or null. (given: 7)'],
    ['what a reference needs', [{ $ref: '#/$defs/it' }, { type: 'null' }], {}, 'a.x: is required, but missing.'],
    [
      'two branches that are as near',
      [{ required: ['x'] }, { required: ['y'] }],
      {},
      'a.x: is required, but missing. Or a.y: is required, but missing.',
    ],
  ])('by %s', async (_, anyOf, a, words) => {
    const $defs = { it: { type: 'object', required: ['x'] } };
    expect(await mistakesIn(one({ anyOf }, { $defs }), { a })).toEqual([
      typeof words === 'string' ? words : expect.stringMatching(words),
    ]);
  });

  it('without all arguments if it is about them as a whole', async () => {
    expect(await mistakesIn(one({}, { minProperties: 1 }), {})).toEqual([
      'the object: must NOT have fewer than 1 properties.',
    ]);
  });
});

describe('dialects', () => {
  it.each([
    ['http://json-schema.org/draft-07/schema#', 'items', 'a.1'],
    ['https://json-schema.org/draft/2020-12/schema', 'prefixItems', 'a.1'],
    ['https://json-schema.org/draft/2019-09/schema', 'prefixItems', ''],
    [undefined, 'items', 'a.1'],
    [undefined, 'prefixItems', 'a.1'],
  ])('%s reads tuples in its way, none in either: %s', async ($schema, key, mistake) => {
    const tuple = one({ type: 'array', [key]: [{ type: 'string' }, { type: 'number' }] }, $schema ? { $schema } : {});
    expect((await check(tuple, { a: ['x', 'y'] }))?.split(':')[0] ?? '').toBe(mistake);
  });

  it('drafts 4 and 6 and OpenAPI are understood in their wording', async () => {
    const above = one(
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { $schema: 'http://json-schema.org/draft-04/schema#' },
    );
    expect(await check(above, { a: 1 })).toContain('must be > 1');
    expect(await check(above, { a: 2 })).toBeUndefined();
    expect(await check(one({ type: 'string', nullable: true }), { a: null })).toBeUndefined();
    expect(await check(one({ nullable: true }), { a: 1 })).toBeUndefined();
    expect(await check(one({ type: 'string', required: true }), { a: 1 })).toContain('must be string');
    expect(logged).toEqual([]);
  });

  it('formats that nobody knows let everything through', async () => {
    expect(await check(one({ type: 'string', format: 'moon-phase' }), { a: 'x' })).toBeUndefined();
  });

  it('references are followed, to itself too', async () => {
    const tree = tool({
      type: 'object',
      properties: { child: { $ref: '#' }, n: { $ref: '#/$defs/n' } },
      $defs: { n: { type: 'number' } },
    });
    expect(await check(tree, { child: { child: { n: 'x' } } })).toContain('child.child.n: must be number');
  });
});

describe('a schema that cannot be used', () => {
  it.each([
    { properties: { a: { $ref: '#/$defs/missing' } } },
    { properties: { a: { $ref: 'https://example.com/other.json' } } },
    { properties: 'no', required: 'a' },
    { $ref: '#/$defs/x', $defs: { x: { $ref: '#/$defs/y' }, y: { $ref: '#/$defs/x' } } },
  ])('lets everything through, and the log names the tool once: %j', async (schema) => {
    const broken = tool({ type: 'object', ...schema } as JsonSchema);
    expect(await check(broken, { a: 'x' })).toBeUndefined();
    expect(await check(broken, { a: 'y' })).toBeUndefined();
    expect(await check({ ...broken }, { a: 'z' })).toBeUndefined();
    expect(logged).toEqual([expect.stringContaining('The arguments of a/sum are left to its server to check')]);
  });

  it.each<[string, JsonSchema, () => object]>([
    [
      'two branches that each have two, and so on',
      { $defs: { x: BRANCHES }, properties: { a: { $ref: '#/$defs/x' } } },
      () => ({ a: Array.from({ length: 25 }).reduce((inner) => [inner], 1) }),
    ],
    [
      'objects none of which may be twice',
      { properties: { a: { type: 'array', uniqueItems: true } } },
      () => ({ a: Array.from({ length: 50_000 }, (_, i) => ({ i })) }),
    ],
  ])('whose check would take years is given up, once: %s', async (_, schema, input) => {
    const hostile = tool({ type: 'object', ...schema });
    expect(await check(hostile, { ...input() })).toBeUndefined();
    expect(logged).toEqual([expect.stringContaining('timed out')]);
    expect(await check(hostile, { a: 7 })).toBeUndefined();
  });

  it('compiles a shared part once, and reports its many mistakes', async () => {
    const names = (of: string) => Array.from({ length: 140 }, (_, i) => `${of}${i}`);
    const each = (of: string, schema: object) => Object.fromEntries(names(of).map((name) => [name, schema]));
    const part = { type: 'object', properties: each('p', { type: 'string' }) };
    const schema = { $defs: { part }, properties: each('q', { $ref: '#/$defs/part' }) };
    expect(await check(tool({ type: 'object', ...schema }), { q7: { p3: 1 } })).toContain('q7.p3: must be string');
    const items = one({ type: 'array', items: { type: 'string' } });
    expect(await mistakesIn(items, { a: Array(2_000).fill(1) })).toHaveLength(500);
    const nested = { $defs: { x: BRANCHES }, properties: { a: { $ref: '#/$defs/x' } } };
    expect(await check(tool({ type: 'object', ...nested }), { a: [[[[[[[[1]]]]]]]] })).toContain('must be array');
    expect(logged).toEqual([]);
  });

  it('with a pattern that RE2 does not take is checked without it', async () => {
    expect(await check(one({ type: 'string', pattern: '(' }), { a: 'x' })).toBeUndefined();
    expect(await check(one({ type: 'string', pattern: '^(?=x)' }), { a: 1 })).toContain('must be string');
    const named = tool({
      type: 'object',
      patternProperties: { '(?<!x)y': { type: 'number' } },
      additionalProperties: false,
    });
    expect(await check(named, { anything: 'x' })).toBeUndefined();
  });

  it('is checked by the pattern of each argument', async () => {
    const both = tool({ properties: { id: { pattern: '^\\d+$' }, day: { pattern: '^[a-z]+$' } } });
    expect(await check(both, { id: '12', day: 'monday' })).toBeUndefined();
    expect(await check(both, { id: '12', day: '12' })).toMatch(/^day: must match/);
    const names = tool({ patternProperties: { '^a': { type: 'number' }, '^b': { type: 'string' } } });
    expect(await check(names, { a1: 1, b1: 'x' })).toBeUndefined();
    expect(await check(names, { a1: 1, b1: 2 })).toMatch(/^b1: must be string/);
  });

  it('with a pattern of thousands of characters is checked without it', async () => {
    const pattern = `^${'ab'.repeat(3_000)}$`;
    expect(await check(one({ type: 'string', pattern }), { a: 'x' })).toBeUndefined();
    expect(await check(one({ type: 'string', pattern }), { a: 7 })).toContain('a: must be string.');
  });

  it('leaves an argument called pattern alone, and values that look like schemas', async () => {
    expect(await check(one({ const: { pattern: '(' } }), { a: { pattern: '(' } })).toBeUndefined();
    const pattern = tool({ type: 'object', properties: { pattern: { type: 'string' } } });
    expect(await check(pattern, { pattern: 1 })).toContain('pattern: ');
  });
});

describe('hostile schemas', () => {
  it("can't hang VS Code with a regular expression", async () => {
    const slow = one(
      { type: 'string', pattern: '^(x+)+$' },
      { patternProperties: { '^(y+)+$': {} }, additionalProperties: false },
    );
    expect(await check(slow, { a: `${'x'.repeat(5_000)}!`, [`${'y'.repeat(5_000)}!`]: 1 })).toContain(
      'must match the pattern',
    );
  });

  it('of thousands of arguments are checked in the used part', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [`property_${i}`, { type: 'string', description: 'x'.repeat(80) }]),
    );
    const big = tool({ type: 'object', properties, required: ['property_7'], additionalProperties: false });
    const problem = await check(big, { property_1: 1, nothing: 2 });
    expect(problem).toContain('property_7: is required');
    expect(problem).toContain('property_1: must be string');
    expect(problem).toContain('nothing: there is no such argument');
    expect(problem).not.toContain('property_2: ');
    expect(logged).toEqual([]);
  });

  it('nested 10,000 deep, and of 100,000 definitions, let everything through', async () => {
    let deep: JsonSchema = { type: 'string' };
    for (let i = 0; i < 10_000; i++) deep = { type: 'object', properties: { n: deep }, allOf: [deep] };
    expect(await check(one(deep), { a: { n: 1 } })).toBeUndefined();
    const $defs = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }]),
    );
    expect(await check(one({ $ref: '#/$defs/d0' }, { $defs }), { a: 1 })).toBeUndefined();
  });

  const keywords = 'type properties items required $ref anyOf enum pattern format minimum $id not'.split(' ');
  const schemas = fc.dictionary(
    fc.constantFrom(...keywords),
    fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>('object', 'string', '#', ['a'], { a: { type: 'number' } })),
  );
  it.each([
    ['whatever they hold', fc.jsonValue()],
    ['with real keywords and any values', schemas],
  ])('never throw, and are reported in 1,000 characters: %s', async (_, any) => {
    await holdsAsync([any, fc.jsonValue()], async (schema, input) => {
      const problem = await check(one(schema, { required: ['a'] }), { a: input });
      expect((problem ?? '').length).toBeLessThanOrEqual(1000);
    });
  });

  it('that are too many pass; the next call’s are still checked', async () => {
    const large = (parts: number) => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: parts }, (_, i) => [`p${i}`, {}])),
    });
    const weighty = tool({ type: 'object', properties: { huge: large(400), a: { type: 'number' } } });
    expect(await check(weighty, { huge: {}, a: 'no number' })).toBeUndefined();
    expect(logged).toHaveLength(1);
    expect(await check(weighty, { a: 'no number' })).toContain('a: must be number.');
  });

  it('of simultaneous calls compile their schema once, and end in order', async () => {
    await check(tool({ type: 'object' }), {});
    const breaths = countBreaths();
    const wrong: number[] = [];
    const calls: Promise<unknown>[] = [];
    for (let i = 0; i < 12; i++) {
      calls.push(check(sum, { a: 1 }).then(() => wrong.push(i)));
      await new Promise((resolve) => process.nextTick(resolve));
    }
    await Promise.all(calls);
    expect(breaths()).toBe(1);
    expect(wrong).toEqual(calls.map((_, i) => i));
  });
});
