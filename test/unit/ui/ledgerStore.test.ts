import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { withoutPending } from '../../../src/core/conversation/unanswered';
import { cutOffTurn } from '../../../src/core/ledger/cutOffTurns';
import { Ledger, type LedgerEntry, type LedgerEvent } from '../../../src/core/ledger/ledger';
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

/** Keeps so many turns. If they are apart, each is written before the next begins. */
async function keep(turns: number, { isApart = false, log = (_: string): unknown => undefined } = {}) {
  vi.useFakeTimers();
  const stop = keepLedger(before, file, log);
  for (let turn = 0; turn < turns; turn++) {
    before.startTurn(() => 1).record({ type: 'warned', message: `turn ${turn}` });
    if (isApart) await vi.advanceTimersByTimeAsync(1_000);
  }
  await stop();
  vi.useRealTimers();
}

describe('the ledger through a reload', () => {
  it.each([false, true])('comes back with the last turns, written apart: %s', async (isApart) => {
    await keep(130, { isApart });
    const after = new Ledger();
    after.restore(await readLedger(file, () => {}));
    expect(after.events).toEqual(before.events.slice(-100));
    expect(after.startTurn(() => 1).turn).toBe(131);
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

  it('reports what had run when a reload cut a turn off', async () => {
    const pays = started({ prompt: 'pay it' });
    const reads = { callId: 'c1', args: '{"path":"a"}', summary: 'written' };
    const writes = { ...reads, round: 2, callId: 's1', script: 's1' };
    const turns: readonly (readonly LedgerEntry[])[] = [
      [
        ...[started({ prompt: 'write them\n\nattached' }), called('files/read', reads)],
        { type: 'scriptStarted', round: 2, callId: 's1', title: 'Writes', code: 'await tools.files_write({})' },
        called('files/write', writes),
      ],
      [pays, { type: 'callStarted', round: 1, callId: 'c1', tool: 'bank/pay', args: '{"cents":5}' }],
    ];
    const told: unknown[] = [];
    for (const entries of turns) {
      const { record } = before.startTurn(() => 5);
      for (const entry of entries) record(entry);
      record({ type: 'warned', message: 'It takes long.' }, 65);
    }
    const [after, next] = [new Ledger(), new Ledger()];
    after.restore(before.events);
    // Turns that had ended are not ended again.
    next.restore(after.events);
    expect(next.events).toEqual(after.events);
    const isNew = ({ seq }: LedgerEvent) => !before.events.some((event) => event.seq === seq);
    for (const prompt of ['write them', 'write', 'something else', 'pay it']) {
      const known = { prompt, known: new Set([1]) };
      const cut = cutOffTurn(after.events, { prompt });
      // A repeated question appears once for the model, with the calls that had run.
      const again = (cut?.items ?? []).flatMap((it) => (it.kind === 'user' ? [{ kind: it.kind, text: it.text }] : []));
      const asked = withoutPending([...(cut?.items ?? []), ...again]);
      told.push(prompt, ...asked, cutOffTurn(after.events, known) ? 'again' : 'no more');
    }
    expect(cutOffTurn(before.events, { prompt: 'write them' })).toBeUndefined();
    const lines = [...after.events.filter(isNew), ...told].map((each) => JSON.stringify(each));
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('cutOff.txt');
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
    await keep(20, { isApart: true });
    expect(file.appends).toBe(19);
    expect(await readLedger(file, () => {})).toEqual(before.events);
    const torn = memoryFile(file.text?.slice(0, -5));
    expect(await readLedger(torn, () => {})).toEqual(before.events.slice(0, -1));
  });

  it('is written whole again after a write that failed', async () => {
    const said: string[] = [];
    const append = vi.spyOn(file, 'append').mockRejectedValueOnce(new Error('ENOSPC'));
    await keep(3, { isApart: true, log: (message) => said.push(message) });
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
