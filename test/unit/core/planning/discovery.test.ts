import { expect, it } from 'vitest';
import { discoveredIds, sentDefinitions, withDefinitions } from '../../../../src/core/planning/discovery';
import { definitionOf } from '../../../../src/core/usage/tokens';
import { result, results, said, searchOf } from '../../../data/items';
import { filler, makeCatalog } from '../turn/world';

const TOOLS = filler('a', 4);
const definitions = TOOLS.map((tool) => definitionOf(tool).definition);
const [ONE, TWO, THREE, FOUR] = TOOLS.map(({ id }) => id) as [string, string, string, string];

it('keeps each tool’s definition with the search that found it first', () => {
  const before = [said('', [], { searches: [{ ...searchOf(ONE), definitions: definitions.slice(0, 1) }] })];
  const answers = [result('b', { search: searchOf(ONE, TWO) }), result('c', { search: searchOf(TWO) })];
  const item = results(result('a'), ...answers);
  const kept = withDefinitions(item, before, definitions);
  expect(kept).toMatchObject({ results: [{}, { search: { definitions: [definitions[1]] } }, {}] });
  expect([...sentDefinitions([...before, kept]).keys()]).toEqual([ONE, TWO]);
  const later = { ...searchOf(ONE), definitions: [{ ...definitions[0], description: 'Later' }] } as never;
  const twice = [...before, said('', [], { searches: [later] })];
  expect(sentDefinitions(twice).get(ONE)).toBe(definitions[0]);
  const plain = results(result('a'));
  expect(withDefinitions(plain, before, definitions)).toBe(plain);
});

it('lists discovered tools in their order, without those that are gone', () => {
  const transcript = [
    said('', [], { searches: [searchOf(THREE, 'a/gone')] }),
    results(result('a', { search: searchOf(ONE, 'a/gone') }), result('b', { loaded: FOUR })),
    results(result('c', { loaded: 'a/gone' })),
  ];
  expect([...discoveredIds(transcript, makeCatalog(TOOLS))]).toEqual([THREE, ONE, FOUR]);
});
