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

describe('a signature', () => {
  it.each<[string, JsonSchema, string]>([
    ['no arguments', { type: 'object' }, 'tool()'],
    [
      'required first, with their words',
      object({ a: TEXT, b: { type: 'integer', description: 'How many' } }, ['b']),
      'tool({ b: number /* How many */; a?: string })',
    ],
    ['only optional ones', object({ a: { type: 'boolean' } }), 'tool({ a?: boolean })'],
    [
      'references, and where they go round',
      {
        ...object({ a: { $ref: '#/$defs/node' } }, ['a']),
        $defs: { node: object({ next: { $ref: '#/$defs/node' } }) },
      },
      'tool({ a: { next?: any /* again */ } })',
    ],
    [
      'other names',
      object({ 'a-b': TEXT, '*/': { type: 'string', description: 'ends */ here\u202e' } }, ['a-b', '*/']),
      'tool({ "a-b": string; "*/": string /* ends * / here */ })',
    ],
  ])('%s', (_, schema, line) => expect(of(schema)).toBe(line));

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

  it('lists 24 values, 8 of an optional one, then how many more', () => {
    const a = { enum: Array.from({ length: 36 }, (_, i) => i) };
    expect(of(object({ a }, ['a']))).toContain('| 23 /* and 12 more */');
    expect(of(object({ a }))).toContain('| 7 /* and 28 more */');
  });

  it('drops optional arguments if it is too long, or names them', () => {
    const line = of(texts([...numbered('optional_argument_', 120), 'needed'], ['needed']));
    expect(line.length).toBeLessThanOrEqual(400);
    expect(line).toMatch(/^tool\(\{ needed: string; .* \/\* \d+ more \*\/ \}\)$/);
    expect(of(texts([...numbered('optional_argument_', 120), 'per_page', 'name_filter', 'cursor']))).toMatch(
      /^tool\(\{ name_filter\?: .* \/\* \d+ more, e\.g\. per_page, cursor \*\/ \}\)$/,
    );
  });

  it('has every word in full', () => {
    const schema = object({ a: { type: 'integer', description: 'x'.repeat(200), minimum: 1, default: 5 } });
    expect(of(schema, 'full')).toContain(`a?: number /* ${'x'.repeat(200)}; default 5; minimum 1 */`);
  });

  it('has limits and defaults in full alone, also without words', () => {
    const schema = object({ a: { type: 'integer', minimum: 1, default: 5 } }, ['a']);
    expect(of(schema, 'full')).toContain('a: number /* default 5; minimum 1 */');
    expect(of(schema)).toBe('tool({ a: number })');
  });

  it('has all levels of alternatives in full', () => {
    const text = {
      type: 'string',
      description: 'Words that make an object too long to be shown beyond the last level.',
    };
    const deep = [7, 6, 5, 4, 3, 2, 1].reduce(
      (inner: object, level) => object({ [`level${level}`]: inner, [`text${level}`]: text }),
      text,
    );
    expect(of({ type: 'object', anyOf: [deep, object({ other: text })] }, 'full')).toContain('level7?: string');
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

  it('shows as much of a large required object as fits', () => {
    const line = (
      count: number,
      style: 'brief' | 'short' | 'full',
      inner = texts(['street_and_number', 'city_or_village', 'postal_code']),
    ) => {
      const body = object(Object.fromEntries(numbered('property_', count).map((name) => [name, inner])));
      return signatureOf({ name: 'tool', inputSchema: object({ body }, ['body']) }, style);
    };
    expect(line(1, 'brief')).toBe(
      'tool({ body: { property_0?: { street_and_number?: string; city_or_village?: string; postal_code?: string } } })',
    );
    expect(line(12, 'brief')).toContain('property_11?: { street_and_number?, city_or_village?, postal_code? } } })');
    expect(line(30, 'brief')).toContain('property_29?: object } })');
    expect(line(30, 'brief', texts(['x', 'y']))).toContain('property_29?: { x?, y? } } })');
    expect(line(80, 'brief')).toBe('tool({ body: object })');
    expect(line(200, 'full')).toContain('property_199?: object /* …body.property_199 */ } } /* … */)');
    expect(line(20, 'short')).toBe('tool({ body: object })');
  });

  it('has an id and its text before a large required object', () => {
    const body = object(Object.fromEntries(numbered('property_', 30).map((name) => [name, texts(['x', 'y'])])));
    const id = { type: 'string', description: 'Returned by add_list' };
    const inputSchema = object({ body, id }, ['body', 'id']);
    expect(signatureOf({ name: 'tool', inputSchema }, 'brief')).toMatch(
      /^tool\(\{ id: string \/\* Returned by add_list \*\/; body: \{ property_0/,
    );
  });

  it('has the required arguments whole, and the result without words', () => {
    const rows = object({ name: { type: 'string', description: 'How the row is called' } }, ['name']);
    const inputSchema = object(
      { rows: { type: 'array', items: rows }, note: { type: 'string', description: 'x '.repeat(400) } },
      ['rows'],
    );
    expect(signatureOf({ name: 'tool', inputSchema }, 'brief', { returns: returnType(inputSchema) })).toBe(
      'tool({ rows: { name: string /* How the row is called */ }[]; note?: string }) => { rows: { name: string }[]; note?: string }',
    );
  });

  it.each([
    ['the title of an issue', 'title', 'The title of the new issue', ''],
    ['an abbreviation', 'repo', 'Repository name', ''],
    ['where a value comes from', 'id', 'The id. It is returned by connect.', 'It is returned by connect.'],
    [
      'the first clauses',
      'q',
      'Words to look for in all texts, in any of the languages that it has or may have',
      'Words to look for in all texts',
    ],
    [
      'a list in parentheses',
      'kind',
      'What it shall be (e.g. pods, deployments, services, replica sets, jobs, cron jobs)',
      'What it shall be (e.g. pods, deployments, services)',
    ],
    [
      'how a value is written',
      'columns',
      'The part of the query that comes after the keyword that selects what you want. Must not have the keyword.',
      'The part of the query that comes after the keyword that… Must not have the keyword.',
    ],
    [
      'a sentence that is hardly too long',
      'uid',
      'The one of an element on the page, from the snapshot of the page',
      'The one of an element on the page, from the snapshot of the page',
    ],
  ])('the words on an argument: %s', (_, name, description, words) => {
    const inputSchema = object({ [name]: { type: 'string', description } }, [name]);
    expect(/\/\* (.*) \*\//.exec(signatureOf({ name: 'create_issue', inputSchema }, 'brief'))?.[1] ?? '').toBe(words);
  });

  it('has an odd default or the unit of an optional argument', () => {
    const of = (description: string, rest = {}) =>
      signatureOf({ name: 'list', inputSchema: object({ a: { type: 'string', description, ...rest } }) }, 'brief');
    const open = "The status of tickets. Defaults to 'open'";
    expect([open, 'Public (default: True)', 'Which. Default is your own account.'].map((it) => of(it))).toEqual(
      ["'open'", 'True', 'your own account'].map((it) => `list({ a?: string /* default ${it} */ })`),
    );
    expect(of('The amount to refund in cents.')).toBe('list({ a?: string /* in cents */ })');
    expect(of('', { default: 'desc' })).toBe('list({ a?: string /* default "desc" */ })');
    const long = `Defaults to ${'x'.repeat(60)}`;
    for (const expected of ['Defaults to 30', 'Default: ${LIMIT}', 'Default: false', 'Default none', long])
      expect(of(expected)).toBe('list({ a?: string })');
  });

  it('has the optional arguments that a query names first', () => {
    const inputSchema = texts([...numbered('other_', 40), 'status', 'issue'], ['issue']);
    const of = (style: 'short' | 'brief') =>
      signatureOf({ name: 'update_issue', inputSchema }, style, { query: 'update issue status' });
    expect(of('brief')).toMatch(
      /^update_issue\(\{ issue: string; status\?: string; other_0\?: string; .* \/\* \d+ more \*\/ \}\)$/,
    );
    expect(of('short')).toBe('update_issue({ issue, status?, other_0?, other_1?, … })');
  });

  it('has small objects whole, and no property that only servers set', () => {
    const text = { type: ['string', 'null'] };
    const mail = object({ emailAddress: object({ address: text, name: text }) });
    const inputSchema = object({
      to: { type: 'array', items: mail },
      id: { type: 'string', readOnly: true },
      size: { type: 'number', description: 'Its size. Read-only.' },
      createdDateTime: text,
      readOnly: { type: 'boolean', description: 'Whether it is read-only for others.' },
    });
    expect(of(inputSchema)).toBe(
      'tool({ to?: { emailAddress?: { address?: string; name?: string } }[]; readOnly?: boolean })',
    );
    expect(of({ ...inputSchema, required: ['id'] })).toContain('{ id: string; to?');
    expect(returnType(inputSchema)).toContain('id?: string; size?: number; createdDateTime?: string | null');
  });

  it('is short: required arguments, and of the types all but string', () => {
    const short = (properties: object, required: string[] = []) =>
      signatureOf({ name: 'tool', inputSchema: object(properties, required) }, 'short', { returns: 'string' });
    const [text, number] = [{ ...TEXT, description: 'x' }, NUMBER];
    expect(short({ a: text, b: number, c: text }, ['a', 'b'])).toBe('tool({ a, b: number, c? })');
    expect(short({ a: text, b: number, c: text, d: text, e: text }, ['a'])).toBe('tool({ a, c?, d?, … })');
    expect(short({ a: text, b: number })).toBe('tool({ a?, b?: number })');
    expect(short({ a: { type: 'array', items: object({ b: text, c: text }, ['b']) } }, ['a'])).toBe(
      'tool({ a: { b, c? }[] })',
    );
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
