import { afterEach, describe, expect, it, vi } from 'vitest';
import { MAX_RESULT_CHARS } from '../../../../src/core/conversation/cutResult';
import { type ToolRunner, toolMessage } from '../../../../src/core/ports';
import { ProviderCode } from '../../../../src/core/turn/providerCode';
import { makeTool, makeWorld, ok, playTurn, TestModel, TestRunner, TestSink, text } from './world';

afterEach(() => vi.useRealTimers());

const SUM = makeTool('math', 'sum');
const BANK = makeTool('bank', 'pay');
const called = (callId: string, name: string, input = {}) => {
  return { type: 'call' as const, callId, name, input, caller: 'code_1' };
};

/** A turn whose model writes code that makes these calls. */
async function turnOf(calls: readonly ReturnType<typeof called>[], runner: ToolRunner, ended = true) {
  const world = makeWorld([SUM, BANK]);
  const model = new TestModel([
    [{ type: 'code', callId: 'code_1', code: 'print(1)' }, ...calls],
    [...(ended ? [{ type: 'codeEnded' as const, callId: 'code_1', ok: true, output: '3' }] : []), text('Done.')],
  ]);
  const settings = { allowedCallers: { 'math/*': 'both' as const } };
  const outcome = await playTurn(world, model, { runner, settings });
  const events = (type: string) => world.ledger.events.filter((event) => event.type === type);
  const results = outcome.items.flatMap((item) => (item.kind === 'results' ? item.results : []));
  return { outcome, events, results };
}

describe('A call of the provider’s code', () => {
  it('of a tool not allowed in code is refused, and never runs', async () => {
    const ran: string[] = [];
    const runner = new TestRunner((tool) => {
      ran.push(tool.id);
      return ok('3');
    });
    const { results, events } = await turnOf([called('a', 'math_sum'), called('b', 'bank_pay')], runner);
    expect(ran).toEqual(['math/sum']);
    expect(results[1]).toMatchObject({
      outcome: 'refused',
      parts: [{ text: expect.stringContaining('can only be called directly') }],
    });
    const outcomes = events('called').map((event) => 'outcome' in event && event.outcome);
    expect(outcomes.sort()).toEqual(['ok', 'refused']);
    expect(events('callStarted')).toMatchObject([{ tool: 'math/sum', script: 'code_1' }]);
    expect(events('scriptEnded')).toMatchObject([{ calls: 2, failed: 1, servers: ['bank', 'math'], output: '3' }]);
  });

  it('is the only way to a tool that is for code alone', async () => {
    const world = makeWorld([SUM, BANK]);
    const direct = { type: 'call' as const, callId: 'a', name: 'math_sum', input: {} };
    const model = new TestModel([[direct], [text('Done.')]], { info: { runsCode: true } });
    const runner = new TestRunner();
    const settings = { allowedCallers: { 'math/*': 'code' as const }, mode: 'off' as const };
    const { items } = await playTurn(world, model, { runner, settings });
    expect(runner.ran).toEqual([]);
    expect(JSON.stringify(items[2])).toMatch(/refused.*only be called from the code that you run/);
  });

  it('gets structured content alone, as JSON', async () => {
    const parts = [
      { type: 'text' as const, text: 'It is 3.' },
      { type: 'text' as const, text: '{"sum":3}' },
    ];
    const runner = new TestRunner(() => ({ outcome: 'ok', parts, structured: { sum: 3 } }));
    const { results } = await turnOf([called('a', 'math_sum')], runner);
    expect(results[0]?.parts).toEqual([{ type: 'text', text: '{"sum":3}' }]);
  });

  it('is given up after four minutes, the user’s answer included', async () => {
    vi.useFakeTimers();
    const runner = new TestRunner(
      (_, __, signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve(toolMessage('cancelled', 'Cancelled.'))),
        ),
    );
    const turn = turnOf([called('a', 'math_sum')], runner);
    await vi.advanceTimersByTimeAsync(4 * 60_000);
    expect((await turn).results[0]).toMatchObject({
      outcome: 'cancelled',
      parts: [{ text: expect.stringContaining('within 4 minutes') }],
    });
  });

  it('that ended in time leaves no timer', async () => {
    vi.useFakeTimers();
    const signals: AbortSignal[] = [];
    const runner = new TestRunner((_, __, signal) => {
      signals.push(signal);
      return ok('3');
    });
    const { results } = await turnOf([called('a', 'math_sum')], runner);
    expect(results[0]?.outcome).toBe('ok');
    await vi.advanceTimersByTimeAsync(4 * 60_000);
    expect(signals.map((signal) => signal.aborted)).toEqual([false]);
  });

  it('counts in what stayed in the code up to the turn’s limit', () => {
    const record = vi.fn();
    const code = new ProviderCode({ record, now: () => 0, toolCallsPerTurn: 2 });
    code.started({ type: 'code', callId: 'code_1', code: '' }, 1);
    for (const a of [1, 2, 3]) code.called('code_1', SUM, { a }, ok('four'));
    code.close();
    expect(record).toHaveBeenLastCalledWith(expect.objectContaining({ returnedChars: 12, countedChars: 8 }));
  });

  it('can’t be made by a model without code, which is said', async () => {
    const sink = new TestSink();
    const settings = { allowedCallers: { 'math/*': 'both' as const }, codeMode: 'off' as const };
    const model = new TestModel([[text('Done.')]], { info: { runsCode: false } });
    await playTurn(makeWorld([SUM, BANK]), model, { settings, sink });
    expect(sink.warnings).toEqual([expect.stringContaining('can’t call tools from its own code')]);
  });

  it('is recorded as cancelled if its code never ends', async () => {
    const calls = [called('a', 'math_sum'), called('b', 'math_sum', { a: 1 })];
    const { events, outcome } = await turnOf(calls, new TestRunner(() => ok('3')), false);
    expect(outcome.status).toBe('answered');
    expect(events('scriptEnded')).toMatchObject([{ outcome: 'cancelled', calls: 2, countedChars: 2 }]);
  });
});

describe('The record of the provider’s code', () => {
  /** Code whose clock advances by five with each reading. */
  function recording() {
    let now = 0;
    const record = vi.fn();
    const code = new ProviderCode({ record, now: () => (now += 5), toolCallsPerTurn: 10 });
    return { code, record };
  }
  const start = (callId: string, written = 'print(1)') => ({ type: 'code' as const, callId, code: written });
  const end = (callId: string, ok: boolean, output = '') => ({ type: 'codeEnded' as const, callId, ok, output });

  it('has each start and end once, and nothing of unknown code', () => {
    const { code, record } = recording();
    code.called('other', SUM, {}, ok('3'));
    code.ended(end('other', true));
    for (const round of [1, 2]) code.started(start('a'), round);
    code.ended(end('a', false, 'no'));
    code.ended(end('a', true));
    code.close();
    const place = { round: 1, callId: 'a' };
    expect(record.mock.calls.map(([entry]) => entry)).toEqual([
      { ...place, type: 'scriptStarted', title: '', code: 'print(1)', where: 'provider' },
      expect.objectContaining({ ...place, type: 'scriptEnded', outcome: 'failed', ms: 5, calls: 0, output: 'no' }),
    ]);
  });

  it('counts known servers once, and bounds long texts', () => {
    const { code, record } = recording();
    code.started(start('a', 'x'.repeat(30_000)), 1);
    for (const tool of [SUM, SUM, undefined]) code.called('a', tool, {}, ok('y'.repeat(200_000)));
    code.called('a', SUM, {}, toolMessage('refused', 'no'));
    code.ended(end('a', true, 'z'.repeat(3_000)));
    const [started, ended] = record.mock.calls.map(([entry]) => entry);
    expect(started.code.length).toBeLessThanOrEqual(20_001);
    expect(ended).toMatchObject({ calls: 4, failed: 1, servers: ['math'], outputChars: 3_000 });
    expect(ended.returnedChars).toBe(600_002);
    expect(ended.countedChars).toBe(2 * MAX_RESULT_CHARS);
    expect(ended.output.length).toBeLessThanOrEqual(2_001);
  });
});
