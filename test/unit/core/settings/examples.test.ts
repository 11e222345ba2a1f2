import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPatterns } from '../../../../src/core/planning/patterns';
import { examplesOf, readExamples, takeExamples } from '../../../../src/core/settings/examples';
import { DEFAULT_SETTINGS } from '../../../../src/core/settings/settings';
import { makeCatalog, makeTool } from '../turn/world';

const examples = {
  'a/b': [
    { args: { n: 1 }, description: 'one', tags: ['basic'] },
    { args: { n: 2 }, description: 'two', tags: ['rare'] },
    { args: { n: 3 }, description: 'three' },
  ],
};
const rules = { ...DEFAULT_SETTINGS, examples };
const args = (list: readonly { readonly args: unknown }[]) => list.map((each) => each.args);

const toolOf = (id: string, inputSchema = {}) => ({ id, inputSchema });

it.each([
  ['lacks a required argument', { required: ['n', 'm'] }, 'm'],
  ['has an unknown argument', { properties: {}, additionalProperties: false }, 'n'],
  ['has a value that the list lacks', { properties: { n: { enum: [5] } } }, 'n'],
])('an example that %s isn’t used', (_, inputSchema, misfit) => {
  const given = { examples: { 'a/b': [{ args: { n: 1 } }] } };
  const some = { ...given, examplesPerTool: 3, exampleDescriptions: true, exampleTags: [] };
  expect(examplesOf(toolOf('a/b'), [], some)).toHaveLength(1);
  expect(examplesOf(toolOf('a/b', inputSchema), [], some)).toEqual([]);
  const tool = makeTool('a', 'b', '', { inputSchema });
  expect(checkPatterns({ ...DEFAULT_SETTINGS, ...given }, makeCatalog([tool])).map(({ message }) => message)).toEqual([
    `An example of “a/b” in toolsearch.examples doesn’t fit its argument “${misfit}”. It isn’t used.`,
  ]);
});

describe('the examples of a tool', () => {
  it('are the first so many, the user’s before its own, each once', () => {
    expect(args(examplesOf(toolOf('a/b'), [{ args: { n: 9 } }], { ...rules, examplesPerTool: 2 }))).toEqual([
      { n: 1 },
      { n: 2 },
    ]);
    expect(
      args(examplesOf(toolOf('a/b'), [{ args: { n: 2 } }, { args: { n: 9 } }], { ...rules, examplesPerTool: 20 })),
    ).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 9 }]);
    expect(args(examplesOf(toolOf('a/c'), [{ args: { n: 9 } }], rules))).toEqual([{ n: 9 }]);
    expect(examplesOf(toolOf('constructor'), [], rules)).toEqual([]);
  });

  it('are those with a wanted tag', () => {
    expect(
      args(
        examplesOf(toolOf('a/b'), [{ args: { n: 9 }, tags: ['rare'] }], { ...rules, exampleTags: ['rare', 'other'] }),
      ),
    ).toEqual([{ n: 2 }, { n: 9 }]);
    expect(examplesOf(toolOf('a/b'), [], { ...rules, exampleTags: ['none'] })).toEqual([]);
  });

  it('have no descriptions where they are not wanted', () => {
    expect(examplesOf(toolOf('a/b'), [], { ...rules, exampleDescriptions: false })[0]).toEqual({
      args: { n: 1 },
      tags: ['basic'],
    });
  });
});

describe('examples from outside', () => {
  it('are objects of arguments, or have them under args', () => {
    expect(readExamples([{ a: 1 }, { args: { a: 2 }, description: 'd', tags: ['t', 7] }, 'no', null, [1]])).toEqual([
      { args: { a: 1 } },
      { args: { a: 2 }, description: 'd', tags: ['t'] },
    ]);
  });

  it('are taken out of the schema that they stand in', () => {
    expect(takeExamples({ type: 'object', examples: [{ a: 1 }] })).toEqual({
      schema: { type: 'object' },
      examples: [{ args: { a: 1 } }],
    });
    const schema = { type: 'object', examples: 'none' };
    expect(takeExamples(schema).schema).toBe(schema);
  });

  it('are few and short, whatever comes', () => {
    expect(readExamples([{ a: 'x'.repeat(3_000) }])).toEqual([]);
    expect(readExamples([{ a: JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) }])).toEqual([]);
    expect(readExamples(Array.from({ length: 1_000 }, (_, n) => ({ n })))).toHaveLength(50);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const example of readExamples(value)) expect(typeof example.args).toBe('object');
      }),
    );
  });
});
