import { describe, expect, it } from 'vitest';
import { RESERVED_NAMES } from '../../../../src/core/catalog/modelNames';
import { resultText } from '../../../../src/core/conversation/resultText';
import type { DeliveryName, ModelInfo, ModelRequest } from '../../../../src/core/ports';
import type { Settings } from '../../../../src/core/settings/settings';
import {
  call,
  filler,
  makeCatalog,
  makeTool,
  makeWorld,
  ok,
  playTurn,
  scriptsIn,
  TestModel,
  TestRunner,
  text,
} from './world';

const SUM = makeTool('math', 'sum', 'Returns the sum of two numbers');
const BY_CODE = makeTool('math', 'sums', 'Returns many sums');
const LONG = makeTool('math', 'table', 'Returns a long table');
const TOOLS = [SUM, BY_CODE, LONG, ...filler('other', 40)];
const NATIVE: Partial<ModelInfo> = { native: { strategies: ['bm25', 'regex'], references: true, maxDeferred: 10_000 } };
const DELIVERIES: readonly DeliveryName[] = ['server', 'client', 'local', 'bridge'];

/** Returns the results of a turn's calls, and the names of the tools in its first request. */
async function told(
  calls: readonly (readonly [string, unknown])[],
  settings: Partial<Settings>,
  scripts: boolean,
  world = makeWorld(TOOLS),
) {
  const model = new TestModel([calls.map(([name, input], index) => call(name, input, `c${index}`)), [text('ok')]], {
    info: NATIVE,
  });
  const sandbox = { unavailable: undefined, run: () => Promise.reject(new Error('not asked for')) };
  const runner = new TestRunner(() => ok('x'.repeat(200_000)));
  await playTurn(world, model, { runner, settings, ...(scripts ? { code: scriptsIn(sandbox) } : {}) });
  const [first, second] = model.requests as [ModelRequest, ModelRequest];
  const answer = second.transcript.at(-1);
  const texts = answer?.kind === 'results' ? answer.results.map(resultText) : [];
  return { texts, names: new Set([...first.tools, ...first.deferred].map(({ name }) => name)) };
}

/** The names of our own tools that a text contains. */
const ours = (words: string) => [...RESERVED_NAMES].filter((name) => new RegExp(`\\b${name}\\b(?!')`).test(words));

describe.each(DELIVERIES)('with delivery %s, no answer names a tool that the request hasn’t', (delivery) => {
  it.each([true, false])('scripts: %s', async (scripts) => {
    const settings: Partial<Settings> = { delivery, mode: 'on', codeMode: scripts ? 'on' : 'off', retriesPerTool: 10 };
    const { names } = await told([['math_sum', {}]], settings, scripts);
    const absent = [...RESERVED_NAMES].filter((name) => !names.has(name) && name !== 'search_tools');
    const calls: [string, unknown][] = [
      ...absent.map((name): [string, unknown] => [name, {}]),
      ['math_summ', {}],
      ['nothing_like_it', 5],
      [LONG.modelName, {}],
    ];
    const { texts } = await told(calls, settings, scripts);
    expect(texts).toHaveLength(calls.length);
    for (const [index, words] of texts.entries()) {
      const called = calls[index]?.[0];
      expect(
        ours(words).filter((name) => !names.has(name) && name !== called),
        `${called}: ${words.slice(-300)}`,
      ).toEqual([]);
    }
    expect(texts.at(-3)).toContain("There is no tool named 'math_summ'. Nearest: math_sum");
  });

  it('nor does it name to the model what scripts alone can call', async () => {
    const settings = { delivery, mode: 'on', codeMode: 'on', allowedCallers: { 'math/sums': 'code' } } as const;
    const { texts } = await told([['math_summ', {}]], settings, true);
    expect(texts[0]).toContain('math_sum');
    expect(texts[0]).not.toContain('math_sums');
  });
});

it('without anything deferred there is no search to name', async () => {
  const { texts, names } = await told([['math_summ', {}]], { mode: 'off', codeMode: 'off' }, false);
  expect(ours(texts.join())).toEqual([]);
  expect(names.has('math_sum')).toBe(true);
});

describe('a tool that changed and that the user hasn’t accepted', () => {
  const settings: Partial<Settings> = { mode: 'on', codeMode: 'off', delivery: 'local' };
  const world = () =>
    makeWorld({ ...makeCatalog([SUM, ...filler('other', 4)]), withheld: new Map([[BY_CODE.invokeName, BY_CODE]]) });

  it.each([BY_CODE.modelName, BY_CODE.id, BY_CODE.name])(
    'is refused with the reason, also to who knows it from before: %s',
    async (name) => {
      const { texts } = await told([[name, {}]], settings, false, world());
      expect(texts[0]).toMatch(
        /^math_sums was not called: it changed since the user accepted it.*\(toolsearch\.changedTools\)/,
      );
    },
  );

  it('is mentioned if a search finds nothing', async () => {
    const { texts } = await told([['search_tools', { query: 'zzqx' }]], settings, false, world());
    expect(texts[0]).toContain('Not searched: 1 tool that has changed.');
    expect(texts[0]).not.toContain(BY_CODE.description);
  });
});
