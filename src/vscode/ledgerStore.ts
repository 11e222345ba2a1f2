import * as z from 'zod/mini';
import type { Ledger, LedgerEvent } from '../core/ledger';

/** Grows whenever the form of an event changes; events of another version are dropped. */
const VERSION = 1;
/** Turns that survive a reload: what fits on a few screens. */
const KEPT_TURNS = 20;
/** Events come in bursts. In milliseconds. */
const WRITE_DELAY_MS = 500;

/** Where the ledger is kept between reloads. */
export interface LedgerFile {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

const fileSchema = z.object({
  version: z.literal(VERSION),
  events: z.array(z.looseObject({ seq: z.number(), at: z.number(), turn: z.number(), type: z.string() })),
});

/** Reads the last turns back after a reload. A file that can't be used is dropped, and the log says why. Never rejects. */
export async function readLedger(file: LedgerFile, log: (message: string) => void): Promise<readonly LedgerEvent[]> {
  try {
    const text = await file.read();
    if (text === undefined) return [];
    const parsed = fileSchema.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data.events as unknown as readonly LedgerEvent[];
    log('The turns of the last session are of another version or damaged. They are dropped.');
  } catch (error) {
    log(`The turns of the last session can't be read. They are dropped. ${String(error)}`);
  }
  return [];
}

/** Keeps the last turns for the next reload; what is returned writes what is still to be written and stops. */
export function keepLedger(ledger: Ledger, file: LedgerFile, log: (message: string) => void): () => Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    const first = (ledger.events.at(-1)?.turn ?? 0) - KEPT_TURNS;
    try {
      await file.write(JSON.stringify({ version: VERSION, events: ledger.events.filter((event) => event.turn > first) }));
    } catch (error) {
      log(`The turns could not be kept for after a reload: ${String(error)}`);
    }
  };
  const stop = ledger.onDidChange(() => {
    timer ??= setTimeout(() => void write(), WRITE_DELAY_MS);
  });
  return async () => {
    stop();
    if (timer !== undefined) await write();
  };
}
