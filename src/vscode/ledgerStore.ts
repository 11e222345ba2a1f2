import * as z from 'zod/mini';
import { ledgerEventSchema } from '../core/ledger/events';
import type { Ledger, LedgerEvent } from '../core/ledger/ledger';
import { yieldToEventLoop } from '../core/util/yieldToEventLoop';

/** Grows whenever the form of an event changes; events of another version are dropped. */
const VERSION = 1;
/** Turns that survive a reload: a day's work. They are written as one, which takes 5 ms for a megabyte. */
const KEPT_TURNS = 100;
/** Events that are checked before others have their turn. */
const CHECKED = 50;
/** Events come in bursts. In milliseconds. */
const WRITE_DELAY_MS = 500;

/** Where the ledger is kept between reloads. */
interface LedgerFile {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

const fileSchema = z.object({
  version: z.literal(VERSION),
  events: z.array(z.looseObject({ turn: z.int() })),
});

/** Reads the last turns back after a reload. What can't be used, a turn or the file, is dropped, and the log says why. Never rejects. */
export async function readLedger(file: LedgerFile, log: (message: string) => void): Promise<readonly LedgerEvent[]> {
  try {
    const text = await file.read();
    if (text === undefined) return [];
    const parsed = fileSchema.safeParse(JSON.parse(text));
    if (parsed.success) return await sound(parsed.data.events, log);
    log('The turns of the last session are of another version or damaged. They are dropped.');
  } catch (error) {
    log(`The turns of the last session can't be read. They are dropped. ${String(error)}`);
  }
  return [];
}

/** The events of turns that have no damaged one. */
async function sound(
  events: readonly { readonly turn: number }[],
  log: (message: string) => void,
): Promise<readonly LedgerEvent[]> {
  const read: LedgerEvent[] = [];
  const damaged = new Set<number>();
  for (const [i, event] of events.entries()) {
    if (i % CHECKED === CHECKED - 1) await yieldToEventLoop();
    const parsed = ledgerEventSchema().safeParse(event);
    if (parsed.success) read.push(parsed.data);
    else damaged.add(event.turn);
  }
  if (damaged.size > 0) log(`${damaged.size} turns of the last session are damaged. They are dropped.`);
  return read.filter((event) => !damaged.has(event.turn));
}

/** Keeps the last turns for the next reload; what is returned stops that, and resolves once all is written. */
export function keepLedger(ledger: Ledger, file: LedgerFile, log: (message: string) => void): () => Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written: Promise<void> = Promise.resolve();
  const write = async () => {
    const first = (ledger.events.at(-1)?.turn ?? 0) - KEPT_TURNS;
    try {
      await file.write(
        JSON.stringify({ version: VERSION, events: ledger.events.filter((event) => event.turn > first) }),
      );
    } catch (error) {
      log(`The turns could not be kept for after a reload: ${String(error)}`);
    }
  };
  // One after the other: a write that is overtaken would leave the older turns behind.
  const writeNext = () => {
    clearTimeout(timer);
    timer = undefined;
    written = written.then(write);
  };
  const stop = ledger.onDidChange(() => {
    timer ??= setTimeout(writeNext, WRITE_DELAY_MS);
  });
  return async () => {
    stop();
    if (timer !== undefined) writeNext();
    await written;
  };
}
