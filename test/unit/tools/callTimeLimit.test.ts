import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tool } from '../../../src/core/catalog/tool';
import {
  CANCELLED_BEFORE,
  CANCELLED_MEANWHILE,
  type Gate,
  type ToolRun,
  type ToolRunner,
  toolMessage,
} from '../../../src/core/ports';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/core/settings/settings';
import { KnownSecrets } from '../../../src/core/util/knownSecrets';
import { createTimeGate } from '../../../src/tools/callTimeLimit';
import { withoutSecrets } from '../../../src/tools/withoutSecrets';
import { makeTool, pass, runCall, TestRunner } from '../core/turn/world';

const tool = (id: string): Tool => {
  const [server = '', name = ''] = id.split('/');
  return makeTool(server, name, '', { inputSchema: { type: 'object', properties: { a: { type: 'number' } } } });
};
const ok: ToolRun = { outcome: 'ok', parts: [{ type: 'text', text: 'fine' }] };
const textOf = (run: ToolRun) => run.parts.map((part) => (part.type === 'text' ? part.text : part.mimeType)).join('');
const after = (ms: number, run = ok) => new Promise<ToolRun>((resolve) => setTimeout(resolve, ms, run));

let asked: boolean;
let asksBack: boolean;
let slow: string[];
let ran: string[];
const signal = new AbortController().signal;

/** Calls over a base provider that runs `act`. */
function over(
  act: (tool: Tool, signal: AbortSignal) => Promise<ToolRun>,
  settings: Partial<Settings> = {},
  {
    secrets = new KnownSecrets(),
    limitSecondsOf = () => undefined,
    ...gates
  }: Partial<ToolRunner> & { secrets?: KnownSecrets; limitSecondsOf?: (tool: Tool) => number | undefined } = {},
) {
  const runner: ToolRunner = Object.assign(
    new TestRunner((called, _input, inner) => {
      ran.push(called.id);
      return withoutSecrets(called, act(called, inner), secrets);
    }),
    {
      time: createTimeGate({
        settings: { ...DEFAULT_SETTINGS, ...settings },
        limitSecondsOf,
        mayAsk: () => asked,
        isAsking: () => asksBack,
        onSlow: (called) => slow.push(called.id),
      }),
      ...gates,
    },
  );
  return { run: (called: Tool, input: unknown, until: AbortSignal) => runCall(runner, called, input, until) };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  asked = false;
  asksBack = false;
  slow = [];
  ran = [];
});
afterEach(() => vi.useRealTimers());

it('no secret leaves a call in its result or error', async () => {
  const secrets = new KnownSecrets().with(['planted-secret-1']);
  const said = 'It is planted-secret-1.';
  const full: ToolRun = { outcome: 'ok', parts: [{ type: 'text', text: said }], structured: { inner: [said] } };
  expect(await over(async () => full, {}, { secrets }).run(tool('a/x'), {}, signal)).toEqual({
    outcome: 'ok',
    parts: [{ type: 'text', text: 'It is [secret].' }],
    structured: { inner: ['It is [secret].'] },
  });
  const broken = over(() => Promise.reject(new Error(said)), {}, { secrets });
  expect(await broken.run(tool('a/x'), {}, signal)).toEqual(toolMessage('failed', 'a_x failed: It is [secret].'));
});

describe('time', () => {
  it('ends a call that does not answer, and tells its server', async () => {
    let told: AbortSignal | undefined;
    const run = over((_, inner) => {
      told = inner;
      return new Promise(() => {});
    }).run(tool('a/x'), {}, signal);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await run).toMatchObject({ outcome: 'failed' });
    expect(textOf(await run)).toContain('within 60 seconds');
    expect(told?.aborted).toBe(true);
  });

  it('is not taken from a user who may be answering', async () => {
    asked = true;
    const run = over(() => after(300_000)).run(tool('a/x'), {}, signal);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(slow).toEqual(['a/x']);
    await vi.advanceTimersByTimeAsync(240_000);
    expect(await run).toEqual(ok);
  });

  it('runs out in the end even then', async () => {
    asked = true;
    const run = over(() => new Promise(() => {})).run(tool('a/x'), {}, signal);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(textOf(await run)).toContain('within 600 seconds');
  });

  it('ends at once when the user cancels, whatever the tool does', async () => {
    const abort = new AbortController();
    const run = over(() => new Promise(() => {})).run(tool('a/x'), {}, abort.signal);
    await vi.advanceTimersByTimeAsync(10);
    const timers = vi.getTimerCount();
    abort.abort();
    expect(vi.getTimerCount()).toBe(timers - 1);
    expect(await run).toEqual(CANCELLED_MEANWHILE);
  });

  it('does not begin after a cancel', async () => {
    const abort = new AbortController();
    abort.abort();
    expect(await over(async () => ok).run(tool('a/x'), {}, abort.signal)).toEqual(CANCELLED_BEFORE);
    expect(ran).toEqual([]);
  });
});

it('a tool has the time that settings give it, its server else', async () => {
  const runner = over(() => new Promise(() => {}), { toolTimeouts: { 'a/slow*': 90, 'a/*': 5 } });
  const runs = ['a/slow_one', 'a/x', 'b/x'].map((id) => runner.run(tool(id), {}, signal));
  await vi.advanceTimersByTimeAsync(90_000);
  expect((await Promise.all(runs)).map((run) => /within \d+ seconds/.exec(textOf(run))?.[0])).toEqual([
    'within 90 seconds',
    'within 5 seconds',
    'within 60 seconds',
  ]);
});

describe('a call that we ask the user about', () => {
  const answerIn = (ms: number) => after(ms);
  const consenting = (consent: Gate, act: () => Promise<ToolRun>) =>
    over(
      act,
      { toolTimeoutSeconds: 2 },
      { limitSecondsOf: (called) => (called.id === 'slow/x' ? 10 : undefined), consent },
    );

  it('has its time from the answer on, however long that takes', async () => {
    const runner = consenting(
      async (call, goOn) => {
        await answerIn(60_000);
        return goOn(call);
      },
      () => answerIn(1000),
    );
    const run = runner.run(tool('a/x'), {}, signal);
    await vi.advanceTimersByTimeAsync(61_000);
    expect((await run).outcome).toBe('ok');
  });

  it('has a limit of its own if its server has one', async () => {
    const runner = consenting(pass, () => answerIn(5000));
    const runs = Promise.all([runner.run(tool('slow/x'), {}, signal), runner.run(tool('a/x'), {}, signal)]);
    await vi.advanceTimersByTimeAsync(5000);
    const [slowRun, run] = await runs;
    expect(slowRun.outcome).toBe('ok');
    expect(textOf(run)).toContain('within 2 seconds');
  });
});

it('a server that asks the user is waited for, plus a call', async () => {
  asksBack = true;
  let run: ToolRun | undefined;
  void over(() => new Promise(() => {}))
    .run(tool('a/x'), {}, signal)
    .then((it) => {
      run = it;
    });
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(run).toBeUndefined();
  asksBack = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(run && textOf(run)).toContain('did not answer within 60 seconds');
});
