import { expect, it } from 'vitest';
import type { JsonSchema } from '../../../../../src/core/catalog/tool';
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

it('a tool without texts has no examples', () => {
  expect(searchedFields(makeTool('a', 'b')).examples).toEqual([]);
});
