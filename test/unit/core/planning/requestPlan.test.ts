import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { planRequest } from '../../../../src/core/planning/requestPlan';
import { openRound, type PlanInputs, planTurn } from '../../../../src/core/planning/turnPlan';
import type { ModelInfo, ModelRequest } from '../../../../src/core/ports';
import { NO_PINS } from '../../../../src/core/settings/pins';
import { result, results, said, user } from '../../../data/items';
import {
  call,
  filler,
  makeCatalog,
  makeTool,
  makeWorld,
  planInputs,
  playTurn,
  SETTINGS,
  TestModel,
  TestRunner,
  text,
} from '../turn/world';

const ECHO = makeTool('math', 'echo', 'Says it again');
const SUM = makeTool('math', 'sum', 'Adds numbers');
const DEFERRED = filler('other', 40);
const GROWS = { addsTools: true };
const NATIVE = { native: { strategies: ['bm25'], references: true, maxDeferred: 1_000 } };
const DESCRIBES = { native: { ...NATIVE.native, describesServers: true } };
const SERVER = { mode: 'on', delivery: 'server' } as const;
const CODE = { sandbox: { run: () => Promise.reject(new Error('not asked')) } } as never;
const EAGER = { ...NO_PINS, tools: { [ECHO.id]: 'eager' as const } };

type Question = Omit<NonNullable<Parameters<typeof playTurn>[2]>, 'history'> & { readonly tools?: readonly Tool[] };

/** Asks questions in one chat. Returns the request of each. */
async function chatOf(info: Partial<ModelInfo>, tools: readonly Tool[], questions: readonly Question[]) {
  const world = makeWorld(tools);
  const model = new TestModel(
    questions.map(() => [text('ok')]),
    { info },
  );
  let history: Awaited<ReturnType<typeof playTurn>>['items'] = [];
  for (const { tools: now = tools, ...question } of questions) {
    world.source.catalog = makeCatalog(now);
    const { items } = await playTurn(world, model, { ...question, history });
    history = [...history, ...items];
  }
  return model.requests;
}

const namesOf = (tools: readonly { readonly name: string }[] = []) => tools.map(({ name }) => name);
const notesOf = ({ transcript }: ModelRequest) =>
  transcript.flatMap((item) => (item.kind === 'user' && item.note && item.text ? [item.text] : []));
const joinedIn = ({ transcript }: ModelRequest) =>
  transcript.flatMap((item) => (item.kind === 'user' ? (item.joined ?? []) : []));
const leftIn = ({ transcript }: ModelRequest) =>
  transcript.flatMap((item) => (item.kind === 'user' ? (item.left ?? []) : []));

describe('a chat that only grows', () => {
  it('has no notes if all tools are in its requests', async () => {
    const requests = await chatOf(GROWS, [ECHO], [{}, {}]);
    expect(requests.map(notesOf)).toEqual([[], []]);
  });

  it('demands a tool of its beginning without words', async () => {
    const named = { references: new Set([ECHO.id]) };
    const requests = await chatOf({ ...GROWS, forcesCalls: true }, [ECHO, SUM], [{}, named]);
    expect(requests[1]?.required).toEqual(['math_echo']);
    expect(requests.map(notesOf)).toEqual([[], []]);
  });

  it('gets the guidance at its end if search comes later', async () => {
    const questions = [{}, { tools: [ECHO, ...DEFERRED], settings: { mode: 'on' as const } }];
    const [first, second] = await chatOf(GROWS, [ECHO], questions);
    expect(second?.system).toBe(first?.system);
    expect(second && notesOf(second)).toEqual([expect.stringContaining('search_tools')]);
  });

  it('needs no search for the tools that it began with', async () => {
    const questions = [{ settings: { mode: 'off' as const } }, { settings: { mode: 'on' as const } }];
    const [, second] = await chatOf(GROWS, [ECHO, ...DEFERRED], questions);
    expect(second && [notesOf(second), joinedIn(second)]).toEqual([[], []]);
  });

  it('does not get the provider’s search if it began without', async () => {
    const settings = { mode: 'on' as const, delivery: 'auto' as const };
    const questions = [{}, { tools: [ECHO, ...DEFERRED], settings }];
    const [first, second] = await chatOf({ ...GROWS, ...NATIVE }, [ECHO], questions);
    expect(second?.tools).toEqual(first?.tools);
    expect(second).toMatchObject({ delivery: 'bridge', deferred: [] });
  });

  it('takes a late tool as it is if nothing was deferred', async () => {
    const settings = { mode: 'off' as const, delivery: 'server' as const };
    const [, second] = await chatOf({ ...GROWS, ...NATIVE }, [ECHO], [{ settings }, { settings, tools: [ECHO, SUM] }]);
    expect(second?.deferred).toEqual([]);
    expect(second && joinedIn(second)).toMatchObject([{ name: 'math_sum' }]);
    expect(second && joinedIn(second)[0]).not.toHaveProperty('declared');
  });

  it.each([{}, GROWS])('goes on as it began when its model comes back (%o)', async (info) => {
    const world = makeWorld(DEFERRED);
    const models = ['c', 'g', 'c'].map((id) => new TestModel([[text('ok')]], { info: { ...info, id } }));
    let history: Transcript = [];
    for (const [index, model] of models.entries()) {
      world.source.catalog = makeCatalog(index === 0 ? DEFERRED : [...DEFERRED, ECHO]);
      const { items } = await playTurn(world, model, { history, settings: { delivery: 'bridge' } });
      history = [...history, ...items];
    }
    const [first, , again] = models.map(({ requests }) => requests[0]);
    expect(again?.system).toBe(first?.system);
    expect(again?.tools).toEqual(first?.tools);
    expect(again && notesOf(again)).toEqual([expect.stringContaining('1 of "math"')]);
  });

  it.each([GROWS, {}])('keeps the definition of a found tool that its server changed (%o)', async (finder) => {
    const settings = { mode: 'on' as const, delivery: 'client' as const };
    const tools = [SUM, ...DEFERRED];
    const search = call('search_tools', { queries: ['adds numbers'] });
    const world = makeWorld(tools);
    const first = new TestModel([[search], [text('ok')]], { info: { ...finder, ...NATIVE } });
    const model = new TestModel([[text('ok')], [text('ok')]], { info: { ...GROWS, ...NATIVE } });
    const { items } = await playTurn(world, first, { settings });
    const { items: more } = await playTurn(world, model, { settings, history: items });
    world.source.catalog = makeCatalog([{ ...SUM, description: 'Sums up' }, ...DEFERRED]);
    await playTurn(world, model, { settings, history: [...items, ...more] });
    expect(model.requests[1]?.deferred.find(({ id }) => id === SUM.id)?.description).toBe(SUM.description);
  });

  it.each([
    [true, ['math_sum']],
    [undefined, []],
  ])('tells a model that removes tools (%s) which are gone and back', async (removesTools, gone) => {
    const questions = [{}, { tools: [ECHO] }, {}, {}];
    const [first, second, , last] = await chatOf({ ...GROWS, removesTools }, [ECHO, SUM], questions);
    expect(second?.tools).toEqual(first?.tools);
    expect(second && leftIn(second)).toEqual(gone);
    expect(last && namesOf(joinedIn(last))).toEqual(gone);
  });

  it('keeps its beginning when a deferred tool is pinned as eager', async () => {
    const questions = [{ settings: SERVER }, { settings: SERVER, pins: EAGER }];
    const [first, second] = await chatOf({ ...GROWS, ...NATIVE }, [ECHO, ...DEFERRED], questions);
    expect(second?.tools).toEqual(first?.tools);
    expect(second && joinedIn(second)).toMatchObject([{ name: 'math_echo', declared: true }]);
  });

  it('does not defer a tool of its beginning again', async () => {
    const questions = [{ settings: SERVER, pins: EAGER }, { settings: SERVER }];
    const [first, second] = await chatOf({ ...GROWS, ...NATIVE }, [ECHO, SUM, ...DEFERRED], questions);
    expect(namesOf(first?.tools)).toContain('math_echo');
    expect(namesOf(second?.deferred)).not.toContain('math_echo');
    expect(namesOf(second?.deferred)).toContain('math_sum');
  });

  it('gets no tools while the provider’s code waits for results', async () => {
    const world = makeWorld([SUM]);
    const waiting = { type: 'call' as const, callId: 'a', name: 'math_sum', input: {}, caller: 'code_1' };
    const model = new TestModel(
      [
        [{ type: 'code', callId: 'code_1', code: 'sum()' }, waiting, call('math_sum', {}, 'c')],
        [{ type: 'codeEnded', callId: 'code_1', ok: true, output: '3' }, call('math_sum', {}, 'b')],
        [text('ok')],
      ],
      { info: { ...GROWS, runsCode: true } },
    );
    const runner = new TestRunner(() => {
      world.source.catalog = makeCatalog([
        SUM,
        makeTool('math', 'read', '', { item: { kind: 'linked', address: '' } }),
      ]);
      return { outcome: 'ok' as const, parts: [] };
    });
    await playTurn(world, model, { runner, settings: { allowedCallers: { 'math/*': 'both' }, mode: 'off' } });
    expect(model.requests.map((request) => namesOf(joinedIn(request)))).toEqual([[], [], ['math_read']]);
    expect(model.requests.map(({ code }) => code)).toEqual([true, true, true]);
  });
});

describe('a request', () => {
  it.each([GROWS, {}])('never has a tool that only scripts may call (%o)', async (info) => {
    const settings = { ...SERVER, codeMode: 'on', allowedCallers: { 'math/sum': 'code' } } as const;
    const [request] = await chatOf({ ...info, ...NATIVE }, [ECHO, SUM, ...DEFERRED], [{ settings, code: CODE }]);
    expect(namesOf(request?.deferred)).toContain('math_echo');
    expect(namesOf(request?.deferred)).not.toContain('math_sum');
  });

  it('names a server’s tools for a model that describes servers', async () => {
    const [request] = await chatOf(DESCRIBES, [ECHO, SUM], [{ settings: SERVER }]);
    expect(request?.opened).toEqual({ math: ['echo', 'sum'] });
    const settings = { ...SERVER, allowedCallers: { 'math/sum': 'code' as const } };
    const [scripted] = await chatOf(DESCRIBES, [ECHO, SUM], [{ settings, code: CODE }]);
    expect(scripted?.opened).toEqual({ math: ['echo'] });
    const [without] = await chatOf(NATIVE, [ECHO, SUM], [{ settings: SERVER }]);
    expect(without?.opened).toBeUndefined();
  });

  it('has scripts although no tool is deferred', async () => {
    const [request] = await chatOf({}, [ECHO], [{ code: CODE, settings: { codeMode: 'on', mode: 'off' } }]);
    expect(namesOf(request?.tools)).toEqual(['run_code', 'math_echo']);
  });

  it.each([
    [true, 'both'],
    [false, undefined],
  ])('tells the provider which tools its code may call, if any: %s', async (runsCode, callers) => {
    const settings = { mode: 'off' as const, allowedCallers: { 'math/sum': 'both' as const } };
    const [request] = await chatOf({ runsCode }, [ECHO, SUM], [{ settings }]);
    expect(request?.tools.map((tool) => [tool.name, tool.callers])).toEqual([
      ['math_echo', undefined],
      ['math_sum', callers],
    ]);
  });
});

describe('the same request without Tool Search', () => {
  const twinOf = (codeMode: 'auto' | 'on', transcript: Transcript) => {
    const inputs: PlanInputs = {
      ...planInputs([ECHO, SUM, ...DEFERRED]),
      settings: { ...SETTINGS, mode: 'on', codeMode },
      transcript,
      scripts: true,
    };
    const setup = planTurn(inputs);
    if (typeof setup === 'string') throw new Error(setup);
    const { twin } = planRequest(setup, openRound(setup, 1, inputs), inputs, new Set()).parts;
    return namesOf(twin.request.tools);
  };

  it('has scripts only if the user turned them on', () => {
    expect(twinOf('auto', [])).toEqual(['math_echo']);
    expect(twinOf('on', [])).toEqual(['run_code', 'math_echo']);
  });

  it('has the tools that the conversation called, or else the first', () => {
    const called = said('', [{ callId: 'a', name: 'math_sum', input: {} }]);
    expect(twinOf('auto', [user('hi'), called, results(result('a'))])).toEqual(['math_sum']);
  });
});
