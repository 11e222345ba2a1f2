import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transcript, TranscriptItem } from '../../../../src/core/conversation/transcript';
import { discoveredIds, sentDefinitions, withDefinitions } from '../../../../src/core/planning/discovery';
import { guidanceNames } from '../../../../src/core/planning/guidanceNames';
import { definitionOf } from '../../../../src/core/usage/tokens';
import { holds } from '../../property';
import { filler, makeCatalog, makeTool } from '../turn/world';

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

const tools = fc.uniqueArray(
  fc.tuple(fc.constantFrom('a', 'b', 'the "c"\nserver', 'x'.repeat(60)), fc.string({ minLength: 1, maxLength: 70 })),
  { selector: (pair) => pair.join('/'), maxLength: 120 },
);

describe('names in sight', () => {
  it('are all there if they fit, by server', () => {
    expect(
      guidanceNames([makeTool('forge', 'get_issue'), makeTool('forge', 'list'), makeTool('web', 'fetch_webpage')], 600),
    ).toBe('\n- "forge": get_issue, list\n- "web": fetch_webpage');
  });

  it('are cut fairly: a large server leaves the small ones theirs', () => {
    const text = guidanceNames([...filler('huge', 900), ...filler('small', 3), ...filler('tiny', 1)], 100);
    expect(text).toMatch(/"huge": zz0, .* and \d+ more\n/);
    expect(text).toContain('"small": zz0, zz1, zz2\n');
    expect(text).toContain('"tiny": zz0');
  });

  it('stay within their tokens, and are data, whatever the names', () => {
    holds(
      fc.property(tools, fc.integer({ min: 50, max: 700 }), (pairs, max) => {
        const text = guidanceNames(
          pairs.map(([server, name]) => makeTool(server, name)),
          max,
        );
        expect(text.length).toBeLessThanOrEqual(max * 3);
        for (const line of text.split('\n').slice(1))
          expect(line).toMatch(/^- ".*": [A-Za-z0-9_.-]+(, [A-Za-z0-9_.-]+)*( and \d+ more)?$/);
      }),
    );
  });
});
