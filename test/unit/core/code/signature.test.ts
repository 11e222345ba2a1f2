import { existsSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../../src/core/catalog/tool';
import { scriptName } from '../../../../src/core/code/scriptName';
import { boundShape } from '../../../../src/core/code/shapes';
import { returnType, signatureOf } from '../../../../src/core/code/signature';
import { anyText } from '../../anyText';
import { holds } from '../../property';
import { typeErrors } from './typeErrors';

const of = (inputSchema: JsonSchema, style: 'brief' | 'full' = 'brief') =>
  signatureOf({ name: 'tool', inputSchema }, style);
const object = (properties: object, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };

/** An object of texts. */
const texts = (names: readonly string[], required: readonly string[] = []) =>
  object(Object.fromEntries(names.map((name) => [name, TEXT])), required);
const numbered = (name: string, count: number, end = '') =>
  Array.from({ length: count }, (_, i) => `${name}${i}${end}`);

/** An object as an argument, of as many properties as this, each with the same properties. */
const bodyOf = (count: number, names = ['street_and_number', 'city_or_village', 'postal_code']) =>
  object(Object.fromEntries(numbered('property_', count).map((name) => [name, texts(names)])));
const body = (...asked: Parameters<typeof bodyOf>) => object({ body: bodyOf(...asked) }, ['body']);
const described = (name: string, description: string, required = [name]) =>
  object({ [name]: { type: 'string', description } }, required);
const optional = (description: string, rest = {}) => object({ a: { type: 'string', description, ...rest } });
const LIMITED = object({ a: { type: 'integer', minimum: 1, default: 5 } }, ['a']);
const ROWS = object(
  {
    rows: { type: 'array', items: described('name', 'How the row is called') },
    note: { type: 'string', description: 'x '.repeat(400) },
  },
  ['rows'],
);
const UPDATE = texts([...numbered('other_', 40), 'status', 'issue'], ['issue']);
const STATUS = { query: 'update issue status', name: 'update_issue' };
const nullable = { type: ['string', 'null'] };
const SENDING = object({
  to: { type: 'array', items: object({ emailAddress: object({ address: nullable, name: nullable }) }) },
  id: { type: 'string', readOnly: true },
  size: { type: 'number', description: 'Its size. Read-only.' },
  createdDateTime: nullable,
  readOnly: { type: 'boolean', description: 'Whether it is read-only for others.' },
});
const [word, number] = [{ ...TEXT, description: 'x' }, NUMBER];
const ABOUT = {
  type: 'string',
  description: 'Words that make an object too long to be shown beyond the last level.',
};
const DEEP = [7, 6, 5, 4, 3, 2, 1].reduce(
  (inner: object, level) => object({ [`level${level}`]: inner, [`text${level}`]: ABOUT }),
  ABOUT,
);

type Shown = readonly [JsonSchema, ('brief' | 'short' | 'full')?, { name?: string; query?: string; returns?: string }?];
/** Schemas by what their signatures show. `-u` writes the file of signatures again: read what changed. */
const SIGNATURES: { readonly [what: string]: Shown } = {
  'no arguments': [{ type: 'object' }],
  'required ones first, with their words': [
    object({ a: TEXT, b: { type: 'integer', description: 'How many' } }, ['b']),
  ],
  'only optional ones': [object({ a: { type: 'boolean' } })],
  'references, and where they go round': [
    { ...object({ a: { $ref: '#/$defs/node' } }, ['a']), $defs: { node: object({ next: { $ref: '#/$defs/node' } }) } },
  ],
  'other names': [object({ 'a-b': TEXT, '*/': { type: 'string', description: 'ends */ here\u202e' } }, ['a-b', '*/'])],
  '24 values and how many more': [object({ a: { enum: numbered('v', 36) } }, ['a'])],
  '8 values of an optional one': [object({ a: { enum: numbered('v', 36) } })],
  'required ones before many optional ones': [texts([...numbered('optional_argument_', 120), 'needed'], ['needed'])],
  'the telling ones of many optional ones': [
    texts([...numbered('optional_argument_', 120), 'per_page', 'name_filter', 'cursor']),
  ],
  'every word in full': [
    object({ a: { type: 'integer', description: 'x'.repeat(200), minimum: 1, default: 5 } }),
    'full',
  ],
  'limits and defaults in full, also without words': [LIMITED, 'full'],
  'no limits and defaults in brief': [LIMITED],
  'all levels of alternatives in full': [{ type: 'object', anyOf: [DEEP, object({ other: ABOUT })] }, 'full'],
  'a required object whole': [body(1)],
  'a large required object without types': [body(12)],
  'a larger one without its inner properties': [body(30)],
  'a larger one with its few inner properties': [body(30, ['x', 'y'])],
  'too large an object': [body(80)],
  'a huge object in full': [body(200), 'full'],
  'a required object in short': [body(20), 'short'],
  'an id and its text before a large required object': [
    object({ body: bodyOf(30, ['x', 'y']), id: { type: 'string', description: 'Returned by add_list' } }, [
      'body',
      'id',
    ]),
  ],
  'required arguments whole, and the result without words': [ROWS, 'brief', { returns: returnType(ROWS) }],
  'no title of an issue': [described('title', 'The title of the new issue'), 'brief', { name: 'create_issue' }],
  'no words on an abbreviation': [described('repo', 'Repository name')],
  'where a value comes from': [described('id', 'The id. It is returned by connect.')],
  'the first clauses': [
    described('q', 'Words to look for in all texts, in any of the languages that it has or may have'),
  ],
  'a list in parentheses': [
    described('kind', 'What it shall be (e.g. pods, deployments, services, replica sets, jobs, cron jobs)'),
  ],
  'how a value is written': [
    described(
      'columns',
      'The part of the query that comes after the keyword that selects what you want. Must not have the keyword.',
    ),
  ],
  'a sentence that is hardly too long': [
    described('uid', 'The one of an element on the page, from the snapshot of the page'),
  ],
  'a quoted default': [optional("The status of tickets. Defaults to 'open'")],
  'a default in parentheses': [optional('Public (default: True)')],
  'a default in words': [optional('Which. Default is your own account.')],
  'a unit': [optional('The amount to refund in cents.')],
  'a default of the schema': [optional('', { default: 'desc' })],
  ...Object.fromEntries(
    ['Defaults to 30', 'Default: ${LIMIT}', 'Default: false', 'Default none', `Defaults to ${'x'.repeat(60)}`].map(
      (words) => [`no default of “${words}”`, [optional(words)]],
    ),
  ),
  'optional arguments that a query names first': [UPDATE, 'brief', STATUS],
  'optional arguments that a query names first, in short': [UPDATE, 'short', STATUS],
  'small objects whole, and no property that only servers set': [SENDING],
  'a required property that only servers set': [{ ...SENDING, required: ['id'] }],
  'properties that only servers set in a result': [{}, 'brief', { returns: returnType(SENDING) }],
  'in short all types but string': [
    object({ a: word, b: number, c: word }, ['a', 'b']),
    'short',
    { returns: 'string' },
  ],
  'in short some optional ones': [object({ a: word, b: number, c: word, d: word, e: word }, ['a']), 'short'],
  'in short optional ones alone': [object({ a: word, b: number }), 'short'],
  'in short objects of a list': [
    object({ a: { type: 'array', items: object({ b: word, c: word }, ['b']) } }, ['a']),
    'short',
  ],
};

it('signatures are as their file says', async () => {
  const told = Object.entries(SIGNATURES).map(
    ([what, [inputSchema, style = 'brief', { name = 'tool', ...more } = {}]]) =>
      `— ${what}\n${signatureOf({ name, inputSchema }, style, more)}\n`,
  );
  await expect(told.join('\n')).toMatchFileSnapshot('signatures.txt');
});

describe('a signature', () => {
  it.each<[string, JsonSchema, string]>([
    ['an enum', { enum: ['x', 1, null] }, '"x" | 1 | null'],
    ['a const', { const: true }, 'true'],
    ['a list', { type: 'array', items: { enum: ['x', 'y'] } }, '("x" | "y")[]'],
    ['a list of anything', { type: 'array' }, 'any[]'],
    ['a list of fixed length', { type: 'array', prefixItems: [TEXT, NUMBER] }, '[string, number]'],
    ['a list of no fixed length', { type: 'array', prefixItems: [] }, 'any[]'],
    ['several types', { type: ['string', 'null'] }, 'string | null'],
    ['any of several', { anyOf: [NUMBER, TEXT] }, 'number | string'],
    ['all of several', { allOf: [object({ x: TEXT }), object({ y: TEXT })] }, '{ x?: string } & { y?: string }'],
    ['what may be null', { type: 'string', nullable: true }, 'string | null'],
    ['additional properties', { type: 'object', additionalProperties: NUMBER }, 'Record<string, number>'],
  ])('an argument that is %s', (_, schema, type) => {
    expect(of(object({ a: schema, b: TEXT }, ['a', 'b']))).toBe(`tool({ a: ${type}; b: string })`);
  });

  it('allows anything if a reference leads nowhere', () => {
    for (const $ref of ['#/default/x', '#/title/length', '#/none', 'https://a.example/b'])
      expect(of({ ...object({ a: { $ref } }), default: null, title: 'T' })).toBe('tool({ a?: any })');
  });

  it('takes no longer for an argument whose name is a book', () => {
    const properties = {
      [`tokens: "${'x '.repeat(900_000)}`]: { type: 'string' },
      path: { type: 'string', description: '/* '.repeat(600_000) },
    };
    const given = { name: 'read', inputSchema: { type: 'object', properties, required: Object.keys(properties) } };
    for (const style of ['brief', 'full'] as const) expect(signatureOf(given, style)).toMatch(/^read\(\{ path: string/);
  });

  it('names a tool as an identifier', () => {
    const names = ['everything_get-sum', '2fa_on', 'delete'];
    expect(names.map(scriptName)).toEqual(['everything_get_sum', '_2fa_on', '_delete']);
  });

  const anySchema = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom<unknown>(
        true,
        false,
        {},
        null,
        3,
        { type: 'string' },
        { type: 'integer' },
        { type: 'nonsense' },
        { $ref: '#' },
        { $ref: '#/properties/a' },
      ),
      fc.record({ enum: fc.array(fc.oneof(anyText(), fc.jsonValue())) }),
      fc.record({ const: fc.jsonValue() }),
      fc.record(
        {
          type: fc.constantFrom<unknown>('object', ['object', 'null'], undefined),
          properties: fc.dictionary(
            fc.oneof(anyText(), fc.constantFrom('a', '__proto__', '*/', '${x}')),
            tie('schema'),
            { maxKeys: 5 },
          ),
          required: fc.array(fc.constantFrom('a', '*/')),
          additionalProperties: tie('schema'),
          description: anyText(),
          nullable: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        { type: fc.constant('array'), items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 3 })) },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        { anyOf: fc.array(tie('schema'), { maxLength: 3 }), allOf: fc.array(tie('schema'), { maxLength: 3 }) },
        { requiredKeys: [] },
      ),
    ),
  })).schema;

  it('is valid TypeScript and bounded, whatever the schema', async () => {
    const schemas = fc.sample(anySchema, { numRuns: 400, seed: 14 });
    const lines = schemas.flatMap((schema, i) =>
      (['brief', 'full'] as const).map((style) =>
        signatureOf({ name: `tool${i}_${style}`, inputSchema: schema as JsonSchema }, style),
      ),
    );
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(line.includes('_brief(') ? 1_500 : 12_100);
    for (const line of lines) expect(line).not.toContain('\n');
    expect(await typeErrors(lines)).toEqual([]);
  });

  it('has the return type as deep as there is room for', async () => {
    const rows = (fields: number) =>
      object({ rows: { type: 'array', items: texts(numbered('field', fields)) } }, ['rows']);
    expect(returnType(rows(2))).toBe('{ rows: { field0?: string; field1?: string }[] }');
    expect(returnType(rows(60))).toBe('{ rows: object[] }');
    for (const nothing of [{}, { type: 'object' }, { type: 'nonsense' }]) expect(returnType(nothing)).toBeUndefined();
    const types = fc
      .sample(anySchema, { numRuns: 300, seed: 9 })
      .map((schema) => returnType(schema as JsonSchema) ?? 'any');
    for (const type of types) expect(type.length).toBeLessThanOrEqual(500);
    const line = (returns: string, i: number) =>
      signatureOf({ name: `tool${i}`, inputSchema: {} }, 'brief', { returns });
    expect(await typeErrors(types.map(line))).toEqual([]);
  });

  it('never hides a required argument', () => {
    holds([fc.nat({ max: 40 }), fc.nat({ max: 80 }), fc.nat({ max: 60 })], (required, optional, length) => {
      const end = `_${'x'.repeat(length)}`;
      const [needed, extra] = [numbered('needed', required, end), numbered('extra', optional, end)];
      const line = of(texts([...extra, ...needed], needed));
      expect(needed.filter((name) => !line.includes(name))).toEqual([]);
      if (needed.join().length > 400) expect(line).not.toContain('extra');
      expect(line.length).toBeLessThanOrEqual(4_100);
    });
  });

  // Definitions of real servers, which exist beside the project on some machines.
  const catalogs = '../shared/catalogs/real-servers.json';
  it.skipIf(!existsSync(catalogs))('is valid TypeScript for the tools of real servers', async () => {
    const read = JSON.parse(readFileSync(catalogs, 'utf8')) as unknown;
    const tools: { name: string; inputSchema: JsonSchema }[] = [];
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('inputSchema' in value && 'name' in value) tools.push(value as never);
      else for (const inner of Object.values(value)) collect(inner);
    };
    collect(read);
    expect(tools.length).toBeGreaterThan(500);
    const lines = tools.flatMap(({ name, inputSchema }, i) =>
      (['brief', 'full'] as const).map((style) => signatureOf({ name: `${name}_${i}_${style}`, inputSchema }, style)),
    );
    expect(await typeErrors(lines)).toEqual([]);
  });
});

it('the shape of what was returned is valid TypeScript and bounded', async () => {
  const lines = fc.sample(fc.jsonValue({ maxDepth: 6 }), { numRuns: 200, seed: 5 }).map((value, i) => {
    return signatureOf({ name: `tool${i}`, inputSchema: {} }, 'brief', { returns: boundShape(value) });
  });
  for (const line of lines) expect(line.length).toBeLessThan(600);
  expect(await typeErrors(lines)).toEqual([]);
});
