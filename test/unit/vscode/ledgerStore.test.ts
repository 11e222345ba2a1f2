import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { Ledger } from '../../../src/core/ledger/ledger';
import { keepLedger, readLedger } from '../../../src/vscode/ledgerStore';

function memoryFile(text?: string) {
  const file = {
    text,
    read: async () => file.text,
    write: async (next: string) => {
      file.text = next;
    },
  };
  return file;
}

describe('the ledger through a reload', () => {
  it('comes back with the last turns, and new turns are numbered on', async () => {
    const file = memoryFile();
    const before = new Ledger();
    const stop = keepLedger(before, file, () => {});
    for (let turn = 0; turn < 105; turn++) before.startTurn(() => 1).record({ type: 'warned', message: `turn ${turn}` });
    await stop();
    const after = new Ledger();
    after.restore(await readLedger(file, () => {}));
    expect(after.events).toEqual(before.events.slice(-100));
    expect(after.startTurn(() => 1).turn).toBe(106);
  });

  it('is all written once keeping has stopped, a write that is under way included', async () => {
    const began: string[] = [];
    let finish = () => {};
    const file = {
      read: async () => undefined,
      write: (text: string) => {
        began.push(text);
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
    };
    vi.useFakeTimers();
    const ledger = new Ledger();
    const stop = keepLedger(ledger, file, () => {});
    ledger.startTurn(() => 1).record({ type: 'warned', message: 'first' });
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

  it('ends a turn that the reload cut off', () => {
    const before = new Ledger();
    const { record } = before.startTurn(() => 5);
    record({
      type: 'turnStarted',
      prompt: 'p',
      model: { id: 'm', vendor: 'v', name: 'M' },
      strategy: { name: 'bm25', why: '' },
      delivery: { name: 'local', why: '' },
      counts: { eager: 0, discovered: 0, deferred: 1 },
    });
    const after = new Ledger();
    after.restore(before.events);
    expect(after.events.at(-1)).toMatchObject({ type: 'turnEnded', status: 'cancelled', turn: 1, seq: 2 });
  });

  it.each(['{broken', '{"version":0,"events":[]}', '{"version":1,"events":[5]}'])(
    'is dropped where the file is %s, and the log says so',
    async (text) => {
      const logged: string[] = [];
      expect(await readLedger(memoryFile(text), (message) => logged.push(message))).toEqual([]);
      expect(logged[0]).toMatch(/dropped/);
    },
  );

  it('drops a turn that is damaged, and keeps the others', async () => {
    const file = memoryFile();
    const before = new Ledger();
    const stop = keepLedger(before, file, () => {});
    for (const message of ['one', 'two', 'three']) before.startTurn(() => 1).record({ type: 'warned', message });
    await stop();
    const logged: string[] = [];
    const damaged = memoryFile(file.text?.replace('"two"', '{"href":"javascript:0"}'));
    const events = await readLedger(damaged, (message) => logged.push(message));
    expect(events).toEqual(before.events.filter(({ turn }) => turn !== 2));
    expect(logged).toEqual([expect.stringContaining('1 turns')]);
  });

  it('is empty where there is no file, without a word', async () => {
    const logged: string[] = [];
    expect(await readLedger(memoryFile(), (message) => logged.push(message))).toEqual([]);
    expect(logged).toEqual([]);
  });
});
