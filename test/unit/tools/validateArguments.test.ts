import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema, Tool } from '../../../src/core/tool';
import { argumentProblem } from '../../../src/tools/validateArguments';

const tool = (inputSchema: JsonSchema): Tool => ({
  id: 'a/sum',
  server: 'a',
  name: 'sum',
  modelName: 'a_sum',
  invokeName: 'sum',
  description: '',
  inputSchema,
  origin: 'mcp',
});
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

describe('argumentProblem', () => {
  it('finds none in arguments that fit', () => {
    expect(argumentProblem(sum, { a: 1, b: 2, mode: 'fast', tags: ['x'] })).toBeUndefined();
  });

  it('names a wrong argument, what was given and what is expected', () => {
    expect(argumentProblem(sum, { a: '2', b: 40 })).toBe(
      [
        "The arguments of a_sum don't fit:",
        '- a: the value type "string" is invalid. Expected "number". (given: "2")',
        'Expected: a (number), required; b (number), required; mode (one of "fast", "exact"); tags (array).',
      ].join('\n'),
    );
  });

  it('names a missing, an unknown and a nested argument', () => {
    expect(argumentProblem(sum, { a: 1 })).toContain('required property "b"');
    expect(argumentProblem(sum, { a: 1, b: 2, c: 3 })).toContain('- c: there is no such argument. (given: 3)');
    expect(argumentProblem(sum, { a: 1, b: 2, tags: ['x', 7] })).toContain('- tags.1: ');
  });

  it.each([[[]], [null], ['{"a": 1'], [7]])('asks for an object instead of %j', (input) => {
    expect(argumentProblem(sum, input)).toContain('must be a JSON object');
  });

  it('says so where a tool takes nothing', () => {
    expect(argumentProblem(tool({ type: 'object', additionalProperties: false }), { a: 1 })).toContain('It takes no arguments.');
  });

  it.each([
    { $ref: '#/$defs/missing' },
    { properties: { a: { pattern: '(' } } },
    { patternProperties: { '^(x+)+$': {} }, additionalProperties: false },
    { properties: { a: { $ref: 'https://example.com/other.json' } } },
    { $schema: 'https://json-schema.org/draft/2020-12/schema', properties: 'no', required: 'a' },
  ])('lets everything through a schema that cannot be checked: %j', (schema) => {
    expect(argumentProblem(tool({ type: 'object', ...schema } as JsonSchema), { a: 'x' })).toBeUndefined();
  });

  it('bears schemas that refer to themselves, and big ones', () => {
    const tree = tool({ type: 'object', properties: { child: { $ref: '#' }, n: { type: 'number' } } });
    expect(argumentProblem(tree, { child: { child: { n: 'x' } } })).toContain('child.child.n');
    const properties = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [`property_${i}`, { type: 'string', description: 'x'.repeat(80) }]),
    );
    const started = performance.now();
    expect(argumentProblem(tool({ type: 'object', properties }), { property_1: 1 })?.length).toBeLessThanOrEqual(1000);
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it("is not hung by a server's regular expression", () => {
    const started = performance.now();
    expect(
      argumentProblem(tool({ type: 'object', properties: { a: { type: 'string', pattern: '^(x+)+$' } } }), { a: `${'x'.repeat(60)}!` }),
    ).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('checks an argument that is called pattern', () => {
    expect(argumentProblem(tool({ type: 'object', properties: { pattern: { type: 'string' } } }), { pattern: 1 })).toContain('- pattern: ');
  });

  it('never throws, and says it in 1,000 characters', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (schema, input) => {
        const problem = argumentProblem(tool({ type: 'object', properties: { a: schema }, required: ['a'] } as JsonSchema), { a: input });
        expect((problem ?? '').length).toBeLessThanOrEqual(1000);
      }),
    );
  });
});
