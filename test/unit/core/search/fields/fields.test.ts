import { expect, it } from 'vitest';
import type { JsonSchema, ToolExample } from '../../../../../src/core/catalog/tool';
import { searchedFields } from '../../../../../src/core/search/fields/fields';
import { makeTool } from '../makeTool';

const namesIn = (inputSchema: JsonSchema) =>
  searchedFields({ ...makeTool('a', 'b'), inputSchema }).argumentNames.length;

it('arguments are read eight levels deep, and only so many of them', () => {
  let deep: JsonSchema = {};
  for (let level = 0; level < 20_000; level++) deep = { properties: { [`level${level}`]: deep } };
  expect(namesIn(deep)).toBe(9);
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`a${index}`, { title: 'x' }]));
  const { argumentTexts } = searchedFields({ ...makeTool('a', 'b'), inputSchema: { properties: wide } });
  expect(argumentTexts).toHaveLength(1_999);
  expect(namesIn({ properties: { a: null, b: { type: 'string' } } as never })).toBe(2);
});

it('a description is searched up to 8,000 characters', () => {
  expect(searchedFields(makeTool('a', 'b', 'x'.repeat(9_000))).description).toHaveLength(8_000);
});

it('a tool without texts has no examples', () => expect(searchedFields(makeTool('a', 'b')).examples).toEqual([]));

it('every text of a schema is read in its field', () => {
  const inputSchema = {
    title: 'own title',
    description: 'input',
    type: 'object',
    properties: {
      a: { title: 'A', description: 'first', enum: ['x', 3, 'y', ''], items: { const: 'c', description: 'item' } },
      b: { anyOf: [{ description: 'any' }, null], oneOf: 'no', allOf: [{ title: 'all' }] },
      c: {
        additionalProperties: { properties: { d: { not: { description: 'not' } } } },
        prefixItems: [{ const: 'p' }],
      },
    },
    $defs: { e: { description: 'defined' } },
    definitions: { f: { properties: { g: true } } },
    examples: ['unread'],
  } as JsonSchema;
  const { argumentNames, argumentTexts, values } = searchedFields({ ...makeTool('a', 'b'), inputSchema });
  expect(argumentNames).toEqual(['a', 'b', 'c', 'd', 'g']);
  expect(argumentTexts).toEqual(['input', 'A', 'first', 'item', 'any', 'all', 'not', 'defined']);
  expect(values).toEqual(['x', 'y', 'c', 'p']);
});

const same = (inner: object): unknown => inner;
it.each<[string, typeof same]>([
  ['items', same],
  ['additionalProperties', same],
  ['not', same],
  ['anyOf', (inner) => [inner]],
  ['$defs', (inner) => ({ inner })],
])('schemas inside %s are read eight levels deep', (key, within) => {
  let deep: JsonSchema = {};
  for (let level = 20; level > 0; level--) deep = { [key]: within({ ...deep, description: `level ${level}` }) };
  const texts = searchedFields({ ...makeTool('a', 'b'), inputSchema: deep }).argumentTexts;
  expect([texts.length, texts.includes('level 8'), texts.includes('level 9')]).toEqual([8, true, false]);
});

it('texts of a schema are cut at 8,000 characters, all at 50,000', () => {
  const properties = Object.fromEntries('abcdefgh'.split('').map((name) => [name, { const: 'x'.repeat(9_000) }]));
  const { argumentNames, values } = searchedFields({ ...makeTool('a', 'b'), inputSchema: { properties } });
  expect(argumentNames).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  expect(values.map(({ length }) => length)).toEqual([...Array(6).fill(8_000), 1_993]);
});

it('two hundred fixed values of an argument are read', () => {
  const values = Array.from({ length: 201 }, (_, i) => `v${i}`);
  const tool = { ...makeTool('a', 'b'), inputSchema: { properties: { x: { enum: values } } } };
  expect(searchedFields(tool).values).toEqual(values.slice(0, 200));
});

it('examples are read by description, tags and text arguments, cut', () => {
  const long = 'x'.repeat(9_000);
  const examples: ToolExample[] = [
    { description: long, tags: ['tag'], args: { a: long, b: 7, c: 'text' } },
    { args: {} },
  ];
  const read = searchedFields({ ...makeTool('a', 'b', 'y'.repeat(8_000)), title: 'T', examples });
  expect(read.examples).toEqual([long.slice(0, 8_000), 'tag', long.slice(0, 8_000), 'text']);
  expect(read).toMatchObject({ name: 'b', server: 'a', title: 'T', description: 'y'.repeat(8_000) });
});
