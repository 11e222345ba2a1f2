import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonSchema, Tool } from '../../../../src/core/catalog/tool';
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

const NAMES = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];
/** A tool whose arguments have the names that every object inherits. */
const inherited = (more: JsonSchema = {}) =>
  tool({
    type: 'object',
    properties: JSON.parse(`{${NAMES.map((name) => `"${name}":{"type":"string"}`).join()}}`),
    additionalProperties: false,
    ...more,
  });
const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const NULL = { type: 'null' };
/** A tool with a choice; `it` is one of its definitions. */
const choice = (...anyOf: readonly object[]) => one({ anyOf }, { $defs: { it: { type: 'object', required: ['x'] } } });
const IT = { $ref: '#/$defs/it' };
const FILE = { type: 'object', properties: { kind: { const: 'file' } }, required: ['kind', 'id'] };
const PAGE = { type: 'object', properties: { kind: { const: 'page' } }, required: ['kind', 'url'] };
const DRAFT4 = { $schema: 'http://json-schema.org/draft-04/schema#' };
const TREE = tool({
  type: 'object',
  properties: { child: { $ref: '#' }, n: { $ref: '#/$defs/n' } },
  $defs: { n: NUMBER },
});
const CLOSED = tool({ type: 'object', patternProperties: { '(?<!x)y': NUMBER }, additionalProperties: false });
const DAYS = tool({ properties: { id: { pattern: '^\\d+$' }, day: { pattern: '^[a-z]+$' } } });
const BEGUN = tool({ patternProperties: { '^a': NUMBER, '^b': TEXT } });
const LONG = `^${'ab'.repeat(3_000)}$`;

/** Calls by what is said of their arguments. `-u` writes the file of it again: read what changed. */
const CALLS: { readonly [what: string]: readonly [Tool, object] } = {
  'that fit': [sum, { a: 1, b: 2, mode: 'fast', tags: ['x'] }],
  'what is wrong, given and expected': [sum, { a: '2', b: 40 }],
  'what is missing': [sum, { a: 1 }],
  'what there is not': [sum, { a: 1, b: 2, c: 3 }],
  'what is wrong in a list': [sum, { a: 1, b: 2, tags: ['x', 7] }],
  'no names that every object inherits': [inherited(), {}],
  'that such names may be given': [inherited(), { constructor: 'x', toString: 'y' }],
  'such a name of a wrong type': [inherited(), { constructor: 7 }],
  'such names that are missing': [inherited({ required: NAMES }), {}],
  'the values of an enum': [one({ enum: ['fast', 'exact'] }), { a: 'slow' }],
  'a const': [one({ const: 1 }), { a: 2 }],
  'a form, by an example': [one({ type: 'string', format: 'date-time' }), { a: 'tomorrow' }],
  'a pattern': [one({ type: 'string', pattern: '^[a-z]+$' }), { a: 'A1' }],
  'a bound': [one({ type: 'integer', minimum: 1 }), { a: 0 }],
  'types of a choice': [choice(TEXT, NULL), { a: 7 }],
  'what an object of a choice needs': [choice(TEXT, { type: 'object', required: ['id'] }), { a: {} }],
  'several types': [one({ type: ['string', 'null'] }), { a: 7 }],
  'the nearest branch': [choice(TEXT, FILE), { a: { kind: 'file' } }],
  'the whole choice': [choice(TEXT, FILE), { a: 7 }],
  'the branch with its mark': [choice(FILE, PAGE, NULL), { a: { kind: 'page' } }],
  'a branch beside null': [choice({ type: 'string', minLength: 3 }, NULL), { a: 'x' }],
  'a reference or null': [choice(IT, NULL), { a: 7 }],
  'what a reference needs': [choice(IT, NULL), { a: {} }],
  'two branches that are as near': [choice({ required: ['x'] }, { required: ['y'] }), { a: {} }],
  'arguments as a whole': [one({}, { minProperties: 1 }), {}],
  'a bound as draft 4 writes it': [one({ type: 'number', minimum: 1, exclusiveMinimum: true }, DRAFT4), { a: 1 }],
  'no more than such a bound': [one({ type: 'number', minimum: 1, exclusiveMinimum: true }, DRAFT4), { a: 2 }],
  'a bound that draft 4 includes': [one({ type: 'number', minimum: 1, exclusiveMinimum: false }, DRAFT4), { a: 1 }],
  'that OpenAPI allows null': [one({ type: 'string', nullable: true }), { a: null }],
  'that OpenAPI allows null without a type': [one({ nullable: true }), { a: 1 }],
  'that draft 3 requires': [one({ type: 'string', required: true }), { a: 1 }],
  'no form that nobody knows': [one({ type: 'string', format: 'moon-phase' }), { a: 'x' }],
  'what a reference to itself holds': [TREE, { child: { child: { n: 'x' } } }],
  'no pattern that is none': [one({ type: 'string', pattern: '(' }), { a: 'x' }],
  'the type beside a pattern that RE2 does not take': [one({ type: 'string', pattern: '^(?=x)' }), { a: 1 }],
  'no names by such a pattern': [CLOSED, { anything: 'x' }],
  'no pattern of thousands of characters': [one({ type: 'string', pattern: LONG }), { a: 'x' }],
  'the type beside a pattern of thousands': [one({ type: 'string', pattern: LONG }), { a: 7 }],
  'that each argument fits its pattern': [DAYS, { id: '12', day: 'monday' }],
  'which argument does not fit its pattern': [DAYS, { id: '12', day: '12' }],
  'that names fit their patterns': [BEGUN, { a1: 1, b1: 'x' }],
  'which name does not fit its pattern': [BEGUN, { a1: 1, b1: 2 }],
  'no value that looks like a schema': [one({ const: { pattern: '(' } }), { a: { pattern: '(' } }],
  'an argument called pattern': [tool({ type: 'object', properties: { pattern: TEXT } }), { pattern: 1 }],
};

it('arguments are checked as their file says', async () => {
  const told: string[] = [];
  for (const [what, [called, input]] of Object.entries(CALLS)) {
    const mistakes = await mistakesIn(called, { ...input });
    told.push(`— ${what}: ${JSON.stringify(input)}\n${mistakes.join('\n') || 'fits'}\n`);
  }
  expect(logged).toEqual([]);
  await expect(told.join('\n')).toMatchFileSnapshot('mistakes.txt');
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
