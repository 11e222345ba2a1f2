import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { withoutPending } from '../../../src/core/conversation/unanswered';
import { cutOffTurn } from '../../../src/core/ledger/cutOffTurns';
import { Ledger } from '../../../src/core/ledger/ledger';
import { searchEntry } from '../../../src/core/turn/recordSearch';
import { keepLedger, readLedger } from '../../../src/vscode/ledgerStore';
import { called, started } from '../../data/entries';
import { memoryFile } from '../memoryFile';

let file: ReturnType<typeof memoryFile>;
/** The ledger before the reload. */
let before: Ledger;
beforeEach(() => {
  file = memoryFile();
  before = new Ledger();
});

describe('the ledger through a reload', () => {
  it('comes back with the last turns, and new turns are numbered on', async () => {
    const stop = keepLedger(before, file, () => {});
    for (let turn = 0; turn < 105; turn++)
      before.startTurn(() => 1).record({ type: 'warned', message: `turn ${turn}` });
    await stop();
    const after = new Ledger();
    after.restore(await readLedger(file, () => {}));
    expect(after.events).toEqual(before.events.slice(-100));
    expect(after.startTurn(() => 1).turn).toBe(106);
  });

  it('comes back with the last turns of a file with more', async () => {
    const stop = keepLedger(before, file, () => {});
    vi.useFakeTimers();
    for (let turn = 0; turn < 130; turn++) {
      before.startTurn(() => 1).record({ type: 'warned', message: `turn ${turn}` });
      await vi.runAllTimersAsync();
    }
    vi.useRealTimers();
    await stop();
    expect(await readLedger(file, () => {})).toEqual(before.events.slice(-100));
  });

  it('is all written when keeping stops, pending writes included', async () => {
    const began: string[] = [];
    let finish = () => {};
    const slow = {
      read: async () => undefined,
      append: async () => {},
      write: (text: string) => {
        began.push(text);
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
    };
    vi.useFakeTimers();
    const stop = keepLedger(before, slow, () => {});
    before.startTurn(() => 1).record({ type: 'warned', message: 'first' });
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    let stopped = false;
    const stopping = stop().then(() => {
      stopped = true;
    });
    await setImmediate();
    expect({ began: began.length, stopped }).toEqual({ began: 1, stopped: false });
    finish();
    await stopping;
    expect(stopped).toBe(true);
  });

  it('reports what a script had run when a reload cut it off', () => {
    const { record } = before.startTurn(() => 5);
    record(started({ prompt: 'write them\n\nattached' }));
    const call = { callId: 'c1', args: '{"path":"a"}', summary: 'written' };
    record(called('files/read', call));
    record({ type: 'scriptStarted', round: 2, callId: 's1', title: 'Writes', code: 'await tools.files_write({})' });
    record(called('files/write', { ...call, round: 2, callId: 's1', script: 's1' }));
    const after = new Ledger();
    after.restore(before.events);
    expect(after.events.at(-2)).toMatchObject({
      type: 'scriptEnded',
      callId: 's1',
      outcome: 'cancelled',
      calls: 1,
      servers: ['files'],
    });
    const { items = [] } = cutOffTurn(after.events, { prompt: 'write them' }) ?? {};
    expect(items).toMatchObject([
      { kind: 'user', text: 'write them\n\nattached', unanswered: 'cancelled' },
      {
        kind: 'assistant',
        calls: [
          { name: 'files_read', input: { path: 'a' } },
          { name: 'run_code', input: { title: 'Writes' } },
        ],
      },
      { kind: 'results', results: [{ outcome: 'ok' }, { outcome: 'failed' }] },
    ]);
    expect(JSON.stringify(items)).toContain('These calls ran:\\nfiles/write {\\"path\\":\\"a\\"}: ok, written');
    // A repeated question appears once for the model, with the calls that had run.
    const asked = withoutPending([...items, { kind: 'user', text: 'write them\n\nattached' }]);
    expect(asked.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'results']);
    expect(cutOffTurn(after.events, { prompt: 'something else' })).toBeUndefined();
    expect(cutOffTurn(before.events, { prompt: 'write them' })).toBeUndefined();
    // A question that only begins alike, and one that is already in the history.
    expect(cutOffTurn(after.events, { prompt: 'write' })).toBeUndefined();
    expect(cutOffTurn(after.events, { prompt: 'write them', known: new Set([1]) })).toBeUndefined();
  });

  it('reports that a call may have run when it was cut off', () => {
    const { record } = before.startTurn(() => 5);
    record(started({ prompt: 'pay it' }));
    record({ type: 'callStarted', round: 1, callId: 'c1', tool: 'bank/pay', args: '{"cents":5}' });
    record({ type: 'warned', message: 'It takes long.' }, 65);
    const after = new Ledger();
    after.restore(before.events);
    expect(after.events.slice(-2)).toMatchObject([
      { type: 'called', callId: 'c1', tool: 'bank/pay', outcome: 'cancelled', ms: 60 },
      { type: 'turnEnded' },
    ]);
    const asked = withoutPending([
      ...(cutOffTurn(after.events, { prompt: 'pay it' })?.items ?? []),
      { kind: 'user', text: 'pay it' },
    ]);
    expect(asked).toMatchObject([
      { kind: 'user', text: 'pay it' },
      { kind: 'assistant', calls: [{ name: 'bank_pay', input: { cents: 5 } }] },
      {
        kind: 'results',
        results: [{ outcome: 'cancelled', parts: [{ text: 'The window was reloaded. The call may have run.' }] }],
      },
    ]);
    // Turns that had ended are not ended again.
    const next = new Ledger();
    next.restore(after.events);
    expect(next.events).toEqual(after.events);
  });

  it.each(['{broken', '{"version":0,"events":[]}', '{"version":1,"events":[5]}'])(
    'is dropped if the file is %s, and the log says so',
    async (text) => {
      const logged: string[] = [];
      expect(await readLedger(memoryFile(text), (message) => logged.push(message))).toEqual([]);
      expect(logged[0]).toMatch(/dropped/);
    },
  );

  it('drops a turn that is damaged, and keeps the others', async () => {
    const stop = keepLedger(before, file, () => {});
    for (const message of ['one', 'two', 'three']) {
      const { record } = before.startTurn(() => 1);
      for (const each of [message, 'more']) record({ type: 'warned', message: each });
    }
    await stop();
    const logged: string[] = [];
    const damaged = memoryFile(file.text?.replace('"two"', '{"href":"javascript:0"}'));
    const events = await readLedger(damaged, (message) => logged.push(message));
    expect(events).toEqual(before.events.filter(({ turn }) => turn !== 2));
    expect(logged).toEqual([expect.stringContaining('1 turns')]);
  });

  it('is empty if there is no file, without a word', async () => {
    const logged: string[] = [];
    expect(await readLedger(memoryFile(), (message) => logged.push(message))).toEqual([]);
    expect(logged).toEqual([]);
  });

  it('is written to its end, not whole, after each event', async () => {
    vi.useFakeTimers();
    const stop = keepLedger(before, file, () => {});
    for (let turn = 0; turn < 20; turn++) {
      before.startTurn(() => 1).record({ type: 'warned', message: `turn ${turn}` });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    await stop();
    vi.useRealTimers();
    expect(file.appends).toBe(19);
    expect(await readLedger(file, () => {})).toEqual(before.events);
    const torn = memoryFile(file.text?.slice(0, -5));
    expect(await readLedger(torn, () => {})).toEqual(before.events.slice(0, -1));
  });

  it('is written whole again after a write that failed', async () => {
    const said: string[] = [];
    const append = vi.spyOn(file, 'append').mockRejectedValueOnce(new Error('ENOSPC'));
    vi.useFakeTimers();
    const stop = keepLedger(before, file, (message) => said.push(message));
    for (const message of ['one', 'two', 'three']) {
      before.startTurn(() => 1).record({ type: 'warned', message });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    await stop();
    vi.useRealTimers();
    expect(append).toHaveBeenCalledTimes(1);
    expect(said).toEqual([expect.stringContaining('ENOSPC')]);
    expect(await readLedger(file, () => {})).toEqual(before.events);
  });

  it('stays within its bounds whatever models and clients write', async () => {
    const stop = keepLedger(before, file, () => {});
    const long = 'x'.repeat(100_000);
    for (let turn = 0; turn < 100; turn++) {
      const { record } = before.startTurn(() => 1);
      record(started({ prompt: long }));
      for (let call = 0; call < 8; call++)
        record({ ...searchEntry('c', long, long, { round: 1, deferred: [] }), note: long, server: long });
    }
    await stop();
    expect(file.text?.length).toBeLessThan(8_100_000);
    expect((await readLedger(file, () => {})).at(-1)).toEqual(before.events.at(-1));
    const asked = before.events[0];
    expect(asked?.type === 'turnStarted' && asked.prompt.length).toBe(20_000);
    expect(cutOffTurn(before.events, { prompt: long })).toBeUndefined();
  });
});
