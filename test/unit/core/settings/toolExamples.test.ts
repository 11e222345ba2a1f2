import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../../src/core/settings/settings';
import { examplesOf, readExamples, takeExamples } from '../../../../src/core/settings/toolExamples';
import { holds } from '../../property';

const tools = {
  'a/b': [
    { args: { n: 1 }, description: 'one', tags: ['basic'] },
    { args: { n: 2 }, description: 'two', tags: ['rare'] },
    { args: { n: 3 }, description: 'three' },
  ],
};
const rules = { ...DEFAULT_SETTINGS.examples, tools };
const args = (list: readonly { readonly args: unknown }[]) => list.map((each) => each.args);

const all = () => true;
const tool = { id: 'a/b' };
const servers = [{ args: { n: 2 } }, { args: { n: 9 } }];

describe('the examples of a tool', () => {
  it('are limited in number, the user’s before the server’s, each once', () => {
    const some = (own: typeof servers, perTool: number) => args(examplesOf(tool, own, { ...rules, perTool }, all));
    expect(some([{ args: { n: 9 } }], 2)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(some(servers, 20)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 9 }]);
    expect(args(examplesOf({ id: 'a/c' }, [{ args: { n: 9 } }], rules, all))).toEqual([{ n: 9 }]);
    expect(examplesOf({ id: 'constructor' }, [], rules, all)).toEqual([]);
  });

  it('are the user’s alone, or the server’s only without fitting ones', () => {
    const some = (from: 'replace' | 'off', fits = all) =>
      args(examplesOf(tool, servers, { ...rules, perTool: 20, servers: from }, fits));
    expect(some('off')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(some('replace')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(args(examplesOf({ id: 'a/c' }, servers, { ...rules, servers: 'replace' }, all))).toEqual([
      { n: 2 },
      { n: 9 },
    ]);
    const onlyServers = (_: unknown, { by }: { readonly by: string }) => by === 'server';
    expect(args(examplesOf(tool, servers, { ...rules, servers: 'replace' }, onlyServers))).toEqual([
      { n: 2 },
      { n: 9 },
    ]);
    expect(examplesOf(tool, servers, { ...rules, servers: 'off' }, onlyServers)).toEqual([]);
  });

  it('are those with a wanted tag', () => {
    const tagged = { ...rules, tags: ['rare', 'other'] };
    expect(args(examplesOf(tool, [{ args: { n: 9 }, tags: ['rare'] }], tagged, all))).toEqual([{ n: 2 }, { n: 9 }]);
    expect(examplesOf(tool, [], { ...rules, tags: ['none'] }, all)).toEqual([]);
  });

  it('have no descriptions if they are not wanted', () => {
    expect(examplesOf(tool, [], { ...rules, descriptions: false }, all)[0]).toEqual({
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

  it('are taken out of their schema', () => {
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
    holds([fc.jsonValue()], (value) => {
      for (const example of readExamples(value)) expect(typeof example.args).toBe('object');
    });
  });
});
