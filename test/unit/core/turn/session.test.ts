import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { Session } from '../../../../src/core/turn/session';
import {
  call,
  choices,
  filler,
  makeCatalog,
  makeServices,
  makeTool,
  makeWorld,
  SETTINGS,
  TestModel,
  TestRunner,
  TestSink,
  text,
} from './world';

/** Asks in a session. `more` differs from a question without a history. */
const askIn = (session: Session, port: TestModel, more: Partial<Parameters<Session['ask']>[0]> = {}) => {
  const question = { prompt: 'q', history: [], references: new Set<string>(), port, runner: new TestRunner(), ...more };
  return session.ask(question, new TestSink(), new AbortController().signal);
};

describe('a question in a mode of its own', () => {
  const native = { strategies: ['bm25'], references: true, maxDeferred: 1_000 };
  it.each([
    ['list of tools is sent anew', {}, 'local', 1],
    ['chats only grow', { addsTools: true }, 'bridge', 3],
    ['provider takes references', { addsTools: true, native }, 'client', 1],
  ] as const)('is asked so alone: the next is as before (%s)', async (_, info, delivery, own) => {
    const settings = { ...SETTINGS, delivery };
    const user = choices(() => settings);
    const session = new Session(makeServices(makeWorld(filler('other', 40)).source, { user }));
    const port = new TestModel(
      Array.from({ length: 4 }, () => [text('ok')]),
      { info },
    );
    let history: Transcript = [];
    for (const mode of [undefined, 'off', undefined, 'on'] as const) {
      const { items } = await askIn(session, port, { history, mode });
      history = [...history, ...items];
    }
    const [first, eager, next] = port.requests;
    expect(port.requests.map(({ tools }) => tools.length)).toEqual([own, 40, own, own]);
    expect(eager?.deferred).toEqual([]);
    expect(next?.system).toBe(first?.system);
    expect(next?.tools).toEqual(first?.tools);
    expect(next?.deferred).toEqual(first?.deferred);
    expect(next?.transcript.flatMap((item) => (item.kind === 'user' && item.joined) || [])).toEqual([]);
    expect([...session.overview().loading.values()][0]?.reasonLong).toBe(
      'rule 8, mode auto: 40 tools are more than auto.maxTools (30)',
    );
  });

  it('keeps the beginning of a chat that has the same mode', async () => {
    const settings = { ...SETTINGS, mode: 'off' as const };
    const world = makeWorld(filler('other', 2));
    const session = new Session(makeServices(world.source, { user: choices(() => settings) }));
    const port = new TestModel([[text('ok')], [text('ok')]], { info: { addsTools: true } });
    const { items } = await askIn(session, port);
    world.source.catalog = makeCatalog(filler('other', 3), undefined, 2);
    await askIn(session, port, { history: items, mode: 'off' });
    expect(port.requests[1]?.tools).toEqual(port.requests[0]?.tools);
  });
});

it('names toolsearch.models if that turns deferring off for the model', async () => {
  const settings = { ...SETTINGS, models: { '*/*': { mode: 'off' as const } } };
  const session = new Session(makeServices(makeWorld(filler('other', 40)).source, { user: choices(() => settings) }));
  const { status, message } = await askIn(session, new TestModel([], { info: { maxTools: 20 } }));
  expect(status).toBe('failed');
  expect(message).toMatch(/40 tools are eager.*at most 20.*toolsearch\.mode or for this model in toolsearch\.models/);
});

it('knows after a turn whether scripts can run, and estimates definitions', async () => {
  const tool = makeTool('math', 'sum', 'x'.repeat(360));
  const session = new Session(makeWorld([tool]));
  expect(session.runsScripts).toBe(true);
  const port = new TestModel([[text('ok')], [text('ok')]]);
  const askWith = (sandbox: object) => askIn(session, port, { code: { sandbox } as never });
  await askWith({ unavailable: 'none here' });
  expect(session.runsScripts).toBe(false);
  await askWith({ run: () => Promise.reject(new Error('not asked')) });
  expect(session.runsScripts).toBe(true);
  expect(session.tokensOf(tool).value).toBeGreaterThan(session.tokensOfText(360).value);
});

it('shows after a turn which tools it loaded', async () => {
  const user = choices(() => ({ ...SETTINGS, mode: 'on' as const }));
  const session = new Session(makeServices(makeWorld(filler('other', 2)).source, { user }));
  await askIn(session, new TestModel([[call('other_zz1', {})], [text('ok')]]));
  expect([...session.overview().loading.values()].map(({ loading }) => loading)).toEqual(['deferred', 'discovered']);
});
