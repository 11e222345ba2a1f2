import { expect, it } from 'vitest';
import type { Transcript, TranscriptItem } from '../../../../src/core/conversation/transcript';
import { discoveredIds, sentDefinitions, withDefinitions } from '../../../../src/core/planning/discovery';
import { definitionOf } from '../../../../src/core/usage/tokens';
import { filler, makeCatalog } from '../turn/world';

const TOOLS = filler('a', 4);
const definitions = TOOLS.map((tool) => definitionOf(tool).definition);
const [ONE, TWO, THREE, FOUR] = TOOLS.map(({ id }) => id) as [string, string, string, string];
const search = (...found: string[]) => ({ queries: ['x'], strategy: 'bm25', found });
const result = (callId: string, rest = {}) => ({ callId, outcome: 'ok' as const, parts: [], ...rest });

it('keeps each tool’s definition with the search that found it first', () => {
  const before: Transcript = [
    { kind: 'assistant', text: '', calls: [], searches: [{ ...search(ONE), definitions: definitions.slice(0, 1) }] },
  ];
  const item: TranscriptItem = {
    kind: 'results',
    results: [result('a'), result('b', { search: search(ONE, TWO) }), result('c', { search: search(TWO) })],
  };
  const kept = withDefinitions(item, before, definitions);
  expect(kept).toMatchObject({ results: [{}, { search: { definitions: [definitions[1]] } }, {}] });
  expect([...sentDefinitions([...before, kept]).keys()]).toEqual([ONE, TWO]);
  const later = { ...search(ONE), definitions: [{ ...definitions[0], description: 'Later' }] } as never;
  const twice: Transcript = [...before, { kind: 'assistant', text: '', calls: [], searches: [later] }];
  expect(sentDefinitions(twice).get(ONE)).toBe(definitions[0]);
  const plain: TranscriptItem = { kind: 'results', results: [result('a')] };
  expect(withDefinitions(plain, before, definitions)).toBe(plain);
});

it('lists discovered tools in their order, without those that are gone', () => {
  const transcript: Transcript = [
    { kind: 'assistant', text: '', calls: [], searches: [search(THREE, 'a/gone')] },
    { kind: 'results', results: [result('a', { search: search(ONE, 'a/gone') }), result('b', { loaded: FOUR })] },
    { kind: 'results', results: [result('c', { loaded: 'a/gone' })] },
  ];
  expect([...discoveredIds(transcript, makeCatalog(TOOLS))]).toEqual([THREE, ONE, FOUR]);
});
