import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { Session } from '../../../../src/core/turn/session';
import {
  choices,
  filler,
  makeServices,
  makeTool,
  makeWorld,
  ScriptedModel,
  SETTINGS,
  TestRunner,
  TestSink,
  text,
} from './world';

describe('a question in a mode of its own', () => {
  it('is asked so alone: the next one is as before', async () => {
    const session = new Session(makeWorld(filler('other', 40)));
    const port = new ScriptedModel(Array.from({ length: 4 }, () => [text('ok')]));
    let history: Transcript = [];
    for (const mode of [undefined, 'off', undefined, 'on'] as const) {
      const question = { prompt: 'q', history, references: new Set<string>(), port, runner: new TestRunner(), mode };
      const { items } = await session.ask(question, new TestSink(), new AbortController().signal);
      history = [...history, ...items];
    }
    expect(port.requests.map(({ tools }) => tools.length)).toEqual([1, 40, 1, 1]);
    expect(port.requests[2]?.system).toBe(port.requests[0]?.system);
    expect(session.overview().modeWhy).toBe('rule 8, mode auto: 40 tools are more than auto.maxTools (30)');
  });
});

it('names toolsearch.models if that turns deferring off for the model', async () => {
  const settings = { ...SETTINGS, models: { '*/*': { mode: 'off' as const } } };
  const session = new Session(makeServices(makeWorld(filler('other', 40)).source, { user: choices(() => settings) }));
  const port = new ScriptedModel([], { info: { maxTools: 20 } });
  const question = { prompt: 'q', history: [], references: new Set<string>(), port, runner: new TestRunner() };
  const { status, message } = await session.ask(question, new TestSink(), new AbortController().signal);
  expect(status).toBe('failed');
  expect(message).toMatch(/40 tools are eager.*at most 20.*toolsearch\.mode or for this model in toolsearch\.models/);
});

it('knows after a turn whether scripts can run, and estimates definitions', async () => {
  const tool = makeTool('math', 'sum', 'x'.repeat(360));
  const session = new Session(makeWorld([tool]));
  expect(session.runsScripts).toBe(true);
  const port = new ScriptedModel([[text('ok')], [text('ok')]]);
  const question = { prompt: 'q', history: [], references: new Set<string>(), port, runner: new TestRunner() };
  const askWith = (sandbox: object) =>
    session.ask({ ...question, code: { sandbox } as never }, new TestSink(), new AbortController().signal);
  await askWith({ unavailable: 'none here' });
  expect(session.runsScripts).toBe(false);
  await askWith({ run: () => Promise.reject(new Error('not asked')) });
  expect(session.runsScripts).toBe(true);
  expect(session.tokensOf(tool).value).toBeGreaterThan(session.tokensOfText(360).value);
});
