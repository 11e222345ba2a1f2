import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundSchema } from '../../../../src/core/catalog/bounds';
import { slimSchema } from '../../../../src/core/catalog/slimSchema';
import type { JsonSchema } from '../../../../src/core/catalog/tool';
import { ToolIndex } from '../../../../src/core/search/toolIndex';
import { definitionOf } from '../../../../src/core/usage/tokens';
import { holds } from '../../property';
import { makeTool } from '../turn/world';

/** A schema that is nested `depth` deep. */
function nested(depth: number, wrap: (inner: JsonSchema) => JsonSchema): JsonSchema {
  let schema: JsonSchema = { type: 'string', description: 'innermost' };
  for (let i = 0; i < depth; i++) schema = wrap(schema);
  return schema;
}

function depthOf(value: unknown): number {
  let depth = 0;
  let level: unknown[] = [value];
  while (level.length > 0) {
    depth++;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return depth;
}

function partsOf(value: unknown): number {
  let parts = 0;
  let level: unknown[] = [value];
  while (level.length > 0) {
    parts += level.length;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return parts;
}

const HOSTILE: readonly [string, JsonSchema][] = [
  ['10,000 objects deep', nested(10_000, (inner) => ({ type: 'object', properties: { inner } }))],
  ['10,000 lists deep', { type: 'object', default: nested(10_000, (inner) => [inner] as unknown as JsonSchema) }],
  [
    'of 100,000 properties',
    {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`p${i}`, { type: 'string' }])),
    },
  ],
  ['of 100,000 required names', { type: 'object', required: Array.from({ length: 100_000 }, (_, i) => `p${i}`) }],
  ['with a text of ten million characters', { type: 'object', description: 'x'.repeat(10_000_000) }],
  ['with names of a million characters', { type: 'object', properties: { ['n'.repeat(3_000_000)]: {} } }],
  ['that refers to itself', { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#/properties/b' } } }],
];

describe('a bounded schema', () => {
  it.each(HOSTILE)('%s is small enough for everything that walks it', (_, schema) => {
    const bounded = boundSchema(schema).schema;
    expect(depthOf(bounded)).toBeLessThan(50);
    expect(partsOf(bounded)).toBeLessThanOrEqual(20_001);
    expect(JSON.stringify(bounded).length).toBeLessThan(3_000_000);
    const tool = makeTool('srv', 'hostile_tool', 'does harm', { inputSchema: bounded });
    expect(definitionOf(tool).text.length).toBeLessThan(120_000);
    const index = new ToolIndex();
    index.setTools([tool]);
    expect(index.search({ query: 'hostile', strategy: 'bm25', limit: 5 })).toMatchObject({ ok: true, matched: 1 });
  });

  it('forbids nothing that the whole one allows', () => {
    const properties = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`p${i}`, { type: 'string' }]));
    const { schema, cut } = boundSchema({ type: 'object', additionalProperties: false, properties });
    expect(cut).toBe(true);
    expect(schema).not.toHaveProperty('additionalProperties');
    expect(boundSchema({ type: 'object', enum: Array.from({ length: 50_000 }, (_, i) => i) }).schema).toEqual({
      type: 'object',
    });
  });

  it('has the parts of a large one that are within bounds', () => {
    const properties = { to: { type: 'string' }, deep: nested(50, (items) => ({ type: 'array', items })) };
    const { schema, cut } = boundSchema({ type: 'object', required: ['to'], properties });
    expect(cut).toBe(true);
    expect(schema).toMatchObject({
      type: 'object',
      required: ['to'],
      properties: { to: { type: 'string' }, deep: { type: 'array', items: { type: 'array' } } },
    });
  });

  it('is the same object if it was within bounds', () => {
    holds([fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 8 }))], (schema) => {
      expect(boundSchema(schema)).toMatchObject({ cut: false });
      expect(boundSchema(schema).schema).toEqual(schema);
      expect(boundSchema(schema).schema).toBe(schema);
    });
  });

  it('never grows, whatever comes', () => {
    const wild = fc.tuple(
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 1, max: 3 }),
      fc.dictionary(fc.string(), fc.jsonValue()),
    );
    holds([wild], ([depth, kind, leaf]) => {
      let schema: JsonSchema = leaf;
      for (let i = 0; i < depth; i++) {
        const inner = schema;
        schema =
          kind === 1
            ? { properties: { inner } }
            : kind === 2
              ? { anyOf: [inner] }
              : { items: inner, not: inner.not ?? {} };
      }
      const bounded = boundSchema(schema).schema;
      expect(depthOf(bounded)).toBeLessThanOrEqual(43);
      expect(() => JSON.stringify(bounded)).not.toThrow();
    });
  });

  it('shortens only what a model reads; names and values stay', () => {
    const hidden = '\u{e0073}\u{e0065}nd\u202e \u001b[31mit\ufeff';
    const argument = {
      type: 'string',
      title: `T${hidden}`,
      description: `Größe${hidden}`,
      anyOf: [{ title: `A${hidden}` }, {}],
      enum: [hidden],
      default: hidden,
    };
    const schema = {
      type: 'object',
      properties: { [`a${hidden}`]: argument, description: { type: 'string' } },
      required: [hidden],
    };
    expect(boundSchema(schema).schema).toEqual({
      ...schema,
      properties: {
        [`a${hidden}`]: { ...argument, title: 'Tnd it', description: 'Größend it', anyOf: [{ title: 'And it' }, {}] },
        description: { type: 'string' },
      },
    });
  });
});

const many = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `argument_${index}`,
      { type: 'string', description: 'x'.repeat(500), properties: { deep: {} } },
    ]),
  );

describe('a schema of megabytes', () => {
  it('is cut to what fits, required arguments first, and says so', () => {
    const slim = slimSchema({ type: 'object', properties: many(5_000), required: ['argument_4999'] });
    expect(JSON.stringify(slim?.schema).length).toBeLessThan(101_000);
    expect(Object.keys(slim?.schema.properties as object)[0]).toBe('argument_4999');
    expect(slim?.schema).toMatchObject({ required: ['argument_4999'], additionalProperties: true });
    expect(slim?.note).toMatch(/too long to show: \d+ of 5000 arguments/);
  });

  it('reaches the model as a short definition with a note', () => {
    const { definition } = definitionOf(
      makeTool('a', 'b', 'Does b', { inputSchema: { type: 'object', properties: many(5_000) } }),
    );
    expect(definition.description).toMatch(/^Does b\nIts input schema/);
    expect(JSON.stringify(definition).length).toBeLessThan(102_000);
    expect(slimSchema({ type: 'object', properties: many(10) })).toBeUndefined();
  });

  it('fits whatever it was', () => {
    holds([fc.object({ maxDepth: 4 }), fc.integer({ min: 200, max: 2_000 })], (schema, max) => {
      const slim = slimSchema(schema as { [key: string]: unknown }, max);
      if (slim) expect(JSON.stringify(slim.schema.properties).length).toBeLessThanOrEqual(max + 2);
    });
  });
});
