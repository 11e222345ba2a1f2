// Stores the latest turns of the ledger in a file, so that they survive a reload of the window.

import * as z from 'zod/mini';
import { ledgerEventSchema } from '../core/ledger/events';
import type { Ledger, LedgerEvent } from '../core/ledger/ledger';
import { groupBy } from '../core/util/groupBy';
import { parseJson } from '../core/util/objects';
import { once } from '../core/util/once';
import { systemTimer } from '../core/util/timers';
import { yieldToEventLoop } from '../core/util/yieldToEventLoop';
import type { StoredFile } from './storedData';

/** The version of the file's format: a header, and a line for each event. */
const VERSION = 2;
/** The number of turns that are read after a reload, and written when the file is rewritten: about a day's work. */
const KEPT_TURNS = 100;
/** The maximum size of the file, in characters. Above that, the oldest turns are dropped. */
const MAX_FILE = 8_000_000;
/**
 * The file is rewritten as a whole when more characters than this were appended, and more than it had after the last
 * rewrite.
 */
const MIN_APPENDED = 1_000_000;
/** The number of events that are checked before the event loop runs again. */
const CHECKED = 50;
/** Events that come before a write are written together. */
const WRITE_DELAY_MS = 500;

type LedgerFile = Pick<StoredFile, 'read' | 'write' | 'append'>;

const headerSchema = once(() => z.object({ version: z.int() }));
const eventSchema = once(() => z.looseObject({ turn: z.int() }));

/** Reads the stored turns after a reload. A turn that can't be read is dropped, and the log says why. Never rejects. */
export async function readLedger(file: LedgerFile, log: (message: string) => void): Promise<readonly LedgerEvent[]> {
  try {
    const text = await file.read();
    if (text === undefined) return [];
    const [first = '', ...lines] = text.split('\n');
    if (headerSchema().safeParse(parseJson(first)).data?.version === VERSION) {
      // If a window closed during a write, the last line may be incomplete.
      const events = lines.map((line) => eventSchema().safeParse(parseJson(line)).data);
      return await sound(latest(events.filter((event) => event !== undefined)), log);
    }
    log('The turns of the last session are of another version or damaged. They are dropped.');
  } catch (error) {
    log(`The turns of the last session can't be read. They are dropped. ${String(error)}`);
  }
  return [];
}

function latest<Event extends { readonly turn: number }>(events: readonly Event[]): readonly Event[] {
  const last = (events.at(-1)?.turn ?? 0) - KEPT_TURNS;
  return events.filter(({ turn }) => turn > last);
}

/** Returns the events of all turns without damaged events. */
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

/** Stores the latest turns from now on. The returned function stops that, and resolves when everything is written. */
export function keepLedger(ledger: Ledger, file: LedgerFile, log: (message: string) => void): () => Promise<void> {
  let cancel: (() => void) | undefined;
  let written: Promise<void> = Promise.resolve();
  /** The number of events in the file; undefined if the whole file must be rewritten. */
  let kept: number | undefined;
  let whole = 0;
  let appended = 0;
  const write = async () => {
    const events = [...ledger.events];
    const lines = kept === undefined ? [] : linesOf(events.slice(kept));
    const length = lines.reduce((sum, line) => sum + line.length, 0);
    const fits = kept !== undefined && appended + length <= Math.max(MIN_APPENDED, whole);
    try {
      if (fits) {
        appended += length;
        if (length > 0) await file.append(lines.join(''));
      } else {
        const all = [`${JSON.stringify({ version: VERSION })}\n`, ...lastTurns(events)].join('');
        [whole, appended] = [all.length, 0];
        await file.write(all);
      }
      kept = events.length;
    } catch (error) {
      kept = undefined;
      log(`The turns could not be kept for after a reload: ${String(error)}`);
    }
  };
  // Writes are made one after another. With two at once, the older one could end last.
  const writeNext = () => {
    cancel?.();
    cancel = undefined;
    written = written.then(write);
  };
  const stop = ledger.onDidChange(() => {
    cancel ??= systemTimer(writeNext, WRITE_DELAY_MS);
  });
  return async () => {
    stop();
    if (cancel) writeNext();
    await written;
  };
}

function linesOf(events: readonly LedgerEvent[]): readonly string[] {
  return events.map((event) => `${JSON.stringify(event)}\n`);
}

/** Returns the lines of the latest turns that fit. A turn is stored as a whole or not at all. */
function lastTurns(events: readonly LedgerEvent[]): readonly string[] {
  const byTurn = [...groupBy(latest(events), ({ turn }) => turn)].sort(([a], [b]) => b - a);
  let room = MAX_FILE;
  const turns = new Set<number>();
  for (const [turn, own] of byTurn) {
    for (const line of linesOf(own)) room -= line.length;
    if (room < 0) break;
    turns.add(turn);
  }
  return linesOf(events.filter(({ turn }) => turns.has(turn)));
}
