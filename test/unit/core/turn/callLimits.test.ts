import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tool } from '../../../../src/core/catalog/tool';
import type { ToolRun } from '../../../../src/core/ports';
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/core/settings/settings';
import { CallLimits } from '../../../../src/core/turn/callLimits';
import { callOf, fails, makeTool, ok } from './world';

const after = (ms: number, run = ok('fine')) => new Promise<ToolRun>((resolve) => setTimeout(resolve, ms, run));
const tool = (id: string, annotations?: Tool['annotations']): Tool => {
  const [server = '', name = ''] = id.split('/');
  return makeTool(server, name, '', annotations ? { annotations } : {});
};
const turn = (settings: Partial<Settings> = {}) => new CallLimits({ ...DEFAULT_SETTINGS, ...settings });
/** Runs a call within the limits and in order, as the gates do. */
const run = (calls: CallLimits, called: Tool, start: () => Promise<ToolRun>) =>
  calls.run(callOf(called), () => calls.inOrder(called, start));
const textOf = (run: ToolRun) => run.parts.map((part) => (part.type === 'text' ? part.text : part.mimeType)).join('');

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const runFor = (calls: CallLimits, id: string, ms: number) => run(calls, tool(id), () => after(ms));

/** Runs calls of these tools at once, each for 10 ms. Returns the calls that run at each call's start. */
async function beside(calls: CallLimits, tools: readonly Tool[]): Promise<readonly string[]> {
  const running: string[] = [];
  const lines: string[] = [];
  const runs = tools.map((each) =>
    run(calls, each, async () => {
      running.push(each.id);
      lines.push([...running].sort().join(' '));
      const run = await after(10);
      running.splice(running.indexOf(each.id), 1);
      return run;
    }),
  );
  await vi.advanceTimersByTimeAsync(200);
  expect((await Promise.all(runs)).map(({ outcome }) => outcome)).toEqual(tools.map(() => 'ok'));
  return lines;
}

describe('failures', () => {
  const outcomesOf = async (calls: CallLimits, runs: readonly ToolRun[]) => {
    const outcomes = [];
    for (const each of runs) outcomes.push((await run(calls, tool('a/x'), async () => each)).outcome);
    return outcomes;
  };

  it('use up the retries of the same call alone', async () => {
    const calls = turn();
    expect(await outcomesOf(calls, Array(3).fill(fails('broken')))).toEqual(['failed', 'failed', 'failed']);
    const refused = await run(calls, tool('a/x'), () => Promise.reject(new Error('it ran')));
    expect([refused.outcome, textOf(refused)]).toEqual([
      'refused',
      expect.stringMatching(/a_x failed 3 times with these arguments\. Call it with others/),
    ]);
    expect((await calls.run(callOf(tool('a/x'), { path: 'other' }), async () => fails('broken'))).outcome).toBe(
      'failed',
    );
    expect((await run(calls, tool('a/x'), async () => ok('fine'))).outcome).toBe('refused');
    expect((await run(calls, tool('a/good'), async () => ok('fine'))).outcome).toBe('ok');
  });

  it('use up the retries that a pattern gives their tool', async () => {
    const calls = turn({ retries: { 'a/x': 0, 'a/*': 5 } });
    expect(await outcomesOf(calls, Array(2).fill(fails('broken')))).toEqual(['failed', 'refused']);
  });

  it('refuse all calls that waited for the outcome', async () => {
    const calls = turn({ retriesPerTool: 0 });
    const runs = Promise.all(Array.from({ length: 4 }, () => run(calls, tool('a/x'), () => after(10, fails('no')))));
    await vi.advanceTimersByTimeAsync(100);
    expect((await runs).map(({ outcome }) => outcome)).toEqual(['failed', 'refused', 'refused', 'refused']);
  });

  it('let only as many of the same call run at once', async () => {
    const lines = await beside(turn({ retriesPerTool: 1 }), Array(5).fill(tool('a/x')));
    expect(lines).toEqual(['a/x', ...Array(4).fill('a/x a/x')]);
  });

  it('wait for the outcomes of their own tool alone', async () => {
    const calls = turn({ retriesPerTool: 0 });
    const ended: string[] = [];
    const call = async (id: string, ms: number) => {
      await runFor(calls, id, ms);
      ended.push(id);
    };
    const all = Promise.all([call('b/y', 50), call('b/y', 50), call('a/x', 10), call('a/x', 10)]);
    await vi.advanceTimersByTimeAsync(30);
    expect(ended).toEqual(['a/x', 'a/x']);
    await vi.advanceTimersByTimeAsync(100);
    await all;
  });

  it('are said as once if there was one', async () => {
    const calls = turn({ retriesPerTool: 0 });
    await outcomesOf(calls, [fails('no')]);
    expect(textOf(await run(calls, tool('a/x'), async () => ok('fine')))).toContain('a_x failed once with');
  });

  it('are forgotten after any success', async () => {
    const calls = turn({ retriesPerTool: 0 });
    expect(await outcomesOf(calls, [fails('no'), ok('fine')])).toEqual(['failed', 'refused']);
    await run(calls, tool('a/good'), async () => ok('fine'));
    expect(await outcomesOf(calls, [ok('fine')])).toEqual(['ok']);
  });

  it.each<[string, readonly ToolRun[]]>([
    ['not errors that the tool itself reports', Array(5).fill({ ...fails('no such file'), answered: true })],
    ['forgotten after a success of the same call', [fails('no'), ok('fine'), fails('no'), ok('fine')]],
    ['not what the user cancelled', [...Array(2).fill({ outcome: 'cancelled', parts: [] }), ok('fine')]],
  ])('are %s', async (_, runs) => {
    expect(await outcomesOf(turn({ retriesPerTool: 1 }), runs)).toEqual(runs.map(({ outcome }) => outcome));
  });

  it('in scripts never make a script be refused', () => {
    const calls = turn({ retriesPerTool: 0 });
    for (let n = 0; n < 3; n++) calls.note({ tool: 'run_code', asked: {} }, fails('no'));
    expect(calls.admit(undefined)).toBeUndefined();
  });
});

it('the limit of calls holds for a turn’s calls made together too', async () => {
  const calls = turn({ toolCallsPerTurn: 2 });
  const runs = Promise.all(['a/1', 'a/2', 'a/3'].map((id) => run(calls, tool(id), () => after(10))));
  await vi.advanceTimersByTimeAsync(50);
  expect((await runs).map((run) => run.outcome)).toEqual(['ok', 'ok', 'refused']);
});

it('tools that change something run in turn on their server, beside others', async () => {
  const writes = { readOnlyHint: false };
  const lines = await beside(turn(), [tool('a/1', writes), tool('a/2', writes), tool('a/3'), tool('b/1', writes)]);
  expect(lines).toContain('a/1 a/3 b/1');
  expect(lines.some((line) => line.includes('a/1') && line.includes('a/2'))).toBe(false);
});

it.each([
  ['say that they read', { readOnlyHint: true }, true],
  ['say that they read, whatever else they say', { readOnlyHint: true, destructiveHint: true }, true],
  ['say nothing', undefined, true],
  ['say that they destroy nothing', { destructiveHint: false }, true],
  ['say that they change something', { readOnlyHint: false }, false],
  ['say that they destroy something', { destructiveHint: true }, false],
])('tools that %s run side by side or not', async (_, annotations, sideBySide) => {
  const lines = await beside(turn(), [tool('a/1', annotations), tool('a/2', annotations)]);
  expect(lines).toEqual(['a/1', sideBySide ? 'a/1 a/2' : 'a/2']);
});

describe('sequential tools', () => {
  const SEQUENTIAL = { sequentialTools: ['w/*'] };

  it('never run beside another call, while others do', async () => {
    const lines = await beside(
      turn(SEQUENTIAL),
      ['r/1', 'r/2', 'w/1', 'r/3', 'r/4', 'w/2', 'w/3'].map((id) => tool(id)),
    );
    expect(lines).toEqual(['r/1', 'r/1 r/2', 'w/1', 'r/3', 'r/3 r/4', 'w/2', 'w/3']);
  });

  it('do not hold up the turn when one fails', async () => {
    const calls = turn(SEQUENTIAL);
    const runs = await Promise.all(
      ['w/1', 'w/2', 'r/1'].map((id) => run(calls, tool(id), async () => (id === 'w/1' ? fails('no') : ok('fine')))),
    );
    expect(runs.map((run) => run.outcome)).toEqual(['failed', 'ok', 'ok']);
    const broken = run(calls, tool('w/3'), () => Promise.reject(new Error('broken')));
    const after = run(calls, tool('r/2'), async () => ok('fine'));
    await expect(broken).rejects.toThrow('broken');
    expect((await after).outcome).toBe('ok');
  });
});
