import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../../src/core/catalog/tool';
import { parseQuery } from '../../../../../src/core/search/query/parseQuery';
import { ALL, Bm25Index } from '../../../../../src/core/search/rank/bm25Index';
import { VARIANT } from '../../../../../src/core/search/weights';
import { holds } from '../../../property';
import { makeTool } from '../makeTool';
import { Reference } from './reference';

/** Words without synonyms and of different roots, so that each matches only itself. */
const WORDS = Array.from('bdfgjlmnprtv').flatMap((first) =>
  Array.from('aeiou').flatMap((second) => Array.from('aeiou', (third) => `${first}${second}m${third}k`)),
);
/** Few words for most texts, so that tools share them. */
const word = fc.constantFrom(...WORDS.slice(0, 8));
const text = (most: number) => fc.array(word, { maxLength: most }).map((words) => words.join(' '));
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('_'));
const mixed = fc.tuple(word, word).map(([one, two]) => `${one}${two.charAt(0).toUpperCase()}${two.slice(1)}`);
const stuffed = fc
  .tuple(fc.nat({ max: 60 }), fc.integer({ min: 20, max: 240 }))
  .map(([from, length]) => WORDS.slice(from, from + length).join(' '));
const description = fc.oneof(
  { weight: 3, arbitrary: text(8) },
  fc
    .tuple(text(20), fc.constantFrom('. ', '! ', '\n', '.\n', '. DEPRECATED: '), text(8))
    .map((parts) => parts.join('')),
  text(5).map((rest) => `\n${rest}`),
  fc.tuple(mixed, text(4)).map((parts) => parts.join(' ')),
  stuffed,
);
const tool = fc
  .record({
    server: fc.constantFrom('bamak', 'bamek-bomak', 'bimok'),
    name: fc.oneof({ weight: 4, arbitrary: name }, mixed),
    description,
    title: fc.oneof(text(0), text(10)),
    args: fc.dictionary(name, fc.oneof(text(6), stuffed), { maxKeys: 3 }),
    values: fc.array(word, { maxLength: 40 }),
    examples: fc.array(text(40), { maxLength: 2 }),
  })
  .map(({ server, name, description, title, args, values, examples }): Tool => {
    const made = makeTool(server, name, description, args);
    const properties = { ...(made.inputSchema.properties as object), [WORDS[9] as string]: { enum: values } };
    const inputSchema = values.length > 0 ? { ...made.inputSchema, properties } : made.inputSchema;
    return { ...made, title, inputSchema, examples: examples.map((text) => ({ description: text, args: {} })) };
  });
const catalog = (most: number) => fc.uniqueArray(tool, { selector: ({ id }) => id, minLength: 1, maxLength: most });
const searchWords = fc.array(fc.uniqueArray(fc.constantFrom(...WORDS.slice(4, 12)), { maxLength: 4 }), {
  maxLength: 5,
});
const asked = fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 1, maxLength: 5 });

function rank(tools: readonly Tool[], words: readonly (readonly string[])[], query: string) {
  const index = new Bm25Index();
  const slots = tools.map((one, i) => index.add(one, words[i]));
  for (const _ of index.findStuffed());
  const options = { size: 50, named: new Set<number>(), explain: true };
  const { ranked, matched } = index.rank(index.read(parseQuery(query).words), ALL, options);
  return { ranked: ranked.map(({ slot, ...rest }) => ({ place: slots.indexOf(slot), ...rest })), matched };
}

/** The same value for `toEqual`, in which the rounding of numbers doesn't count. */
function near(value: unknown): unknown {
  if (typeof value === 'number') return expect.closeTo(value, 5);
  if (Array.isArray(value)) return value.map(near);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, near(one)]));
}

function compare(
  tools: readonly Tool[],
  words: readonly (readonly string[])[],
  picks: readonly (readonly [number, boolean])[],
): void {
  const reference = new Reference(tools, words);
  const known = reference.words();
  const parts = picks.map(([pick, isValue]) => ({ word: known[pick % known.length] as string, isValue }));
  const isAll = parts.every(({ isValue }) => isValue);
  const weighted = parts.map(({ word, isValue }) => ({ word, weight: isValue && !isAll ? VARIANT.value : 1 }));
  const query = parts.map(({ word, isValue }) => (isValue ? `"${word}"` : word)).join(' ');
  const { ranked, matched } = rank(tools, words, query);
  const expected = reference.rank(weighted);
  const byPlace = ranked.toSorted((a, b) => a.place - b.place);
  expect(matched).toBe(expected.size);
  expect(byPlace.map(({ place, score, parts }) => [place, { score, parts }])).toEqual(
    Array.from(expected, ([place, { score, parts }]) => [place, near({ score, parts })]),
  );
  const best = Math.max(...ranked.map(({ score }) => score));
  const most = Math.max(...ranked.map(({ covered }) => covered));
  for (const { score, covered, weak } of ranked) {
    const share = most > 0 ? covered / most : 1;
    const isNear = [score / best, share].some((one) => Math.abs(one - 0.5) < 1e-5);
    if (!isNear) expect(!!weak).toBe(score < best / 2 && share < 0.5);
    if (weak) expect(weak).toEqual(near({ score: score / best, covered: share }));
  }
  const order = ranked.map(({ score, weak }) => score - (weak ? 100 : 0));
  expect(order).toEqual(order.toSorted((a, b) => b - a));
}

describe('the ranking scores tools as its documentation says', () => {
  it('in a small catalog', () => holds([catalog(12), searchWords, asked], { numRuns: 300 }, compare));

  it('in a catalog with words that a third of the tools share', () => {
    const large = fc.uniqueArray(tool, { selector: ({ id }) => id, minLength: 19, maxLength: 30 });
    holds([large, searchWords, asked], { numRuns: 60 }, compare);
  });
});

it('ranks by tools’ own servers, whatever was removed', () => {
  const [one, two, three] = ['bamak one', 'bamak two', 'bimok three'].map((both) => {
    const [server = '', name = ''] = both.split(' ');
    return makeTool(server, name, '');
  }) as [Tool, Tool, Tool];
  const index = new Bm25Index();
  const [first = 0, second] = [one, two].map((each) => index.add(each));
  index.remove(first);
  const slots = [second, index.add(three)];
  const options = { size: 50, named: new Set<number>(), explain: true };
  const { ranked } = index.rank(index.read(parseQuery('bamak three').words), ALL, options);
  const places = ranked.map(({ slot, ...rest }) => ({ place: slots.indexOf(slot), ...rest }));
  expect(places).toEqual(near(rank([two, three], [], 'bamak three').ranked));
});
