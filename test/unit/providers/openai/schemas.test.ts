import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../../src/core/catalog/tool';
import { isStrict } from '../../../../src/providers/openai/strictSchema';
import { wireSchema } from '../../../../src/providers/openai/wireSchema';
import { refuse } from '../../../standin/openaiRules.mjs';
import { holds } from '../../property';

const object = (
  properties: { [name: string]: JsonSchema },
  required = Object.keys(properties),
  rest = {},
): JsonSchema => ({ type: 'object', properties, required, additionalProperties: false, ...rest });

const deep = (wrap: (inner: JsonSchema) => JsonSchema) =>
  Array.from({ length: 12 }).reduce<JsonSchema>(wrap, { type: 'string' });

it.each<[string, JsonSchema, boolean]>([
  ['closed, all required', object({ a: { type: 'string' }, b: { type: 'array', items: { type: 'number' } } }), true],
  ['nested', object({ a: object({ b: { anyOf: [{ type: 'string' }, { type: 'null' }] } }) }), true],
  ['without arguments', object({}), true],
  ['open', { type: 'object', properties: {} }, false],
  ['with an optional argument', object({ a: { type: 'string' } }, []), false],
  ['open inside', object({ a: { type: 'object', properties: {} } }), false],
  ['with a keyword that strict mode lacks', object({ a: { type: 'string', pattern: '^x' } }), false],
  ['with alternatives at the top', { anyOf: [object({})] }, false],
  ['of any value', object({ a: {} }), false],
  ['of arrays of anything', object({ a: { type: 'array' } }), false],
  ['of any array or nothing', object({ a: { type: ['array', 'null'] } }), false],
  ['of any object or nothing', object({ a: { type: ['object', 'null'] } }), false],
  ['too deep', deep((inner) => object({ a: inner })), false],
  ['too deep in lists', object({ a: deep((items) => ({ type: 'array', items })) }), false],
  ['too deep in alternatives', object({ a: deep((inner) => ({ anyOf: [inner] })) }), false],
])('A strict schema %s', (_, schema, strict) => expect(isStrict(schema)).toBe(strict));

const anySchema: fc.Arbitrary<JsonSchema> = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonSchema>(
      {},
      { type: 'string' },
      { type: 'array' },
      { enum: [1] },
      { type: ['object', 'null'] },
      { properties: 3, required: 'a' },
      { $ref: '#/$defs/x' },
    ),
    fc.record(
      {
        type: fc.constantFrom('object', 'string'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')),
        required: fc.array(fc.constantFrom('a', 'b', 'z')),
        additionalProperties: fc.boolean(),
        items: tie('schema'),
        anyOf: fc.array(tie('schema'), { maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { maxLength: 2 }),
        allOf: fc.array(tie('schema'), { maxLength: 2 }),
        description: fc.string(),
        default: fc.string(),
      },
      { requiredKeys: [] },
    ),
  ),
})).schema;

describe('A schema on the wire', () => {
  it('is one that the service takes, strict or not, from any server', () => {
    holds([anySchema], (schema) => {
      const parameters = wireSchema(schema);
      const tool = { type: 'function', name: 'x', description: '', parameters, strict: isStrict(parameters) };
      expect(refuse({ model: 'gpt-5.4', input: 'x', tools: [tool] })).toBeUndefined();
    });
  });

  it('lists all alternatives’ properties, and requires those that all require', () => {
    const option = (name: string) => ({
      properties: { kind: { const: name }, [name]: { type: 'string' } },
      required: ['kind', name],
    });
    const oneOf = [option('a'), option('b')];
    expect(wireSchema({ type: 'object', properties: { id: { type: 'string' } }, required: ['id'], oneOf })).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, kind: { const: 'a' }, a: { type: 'string' }, b: { type: 'string' } },
      required: ['id', 'kind'],
    });
  });
});
