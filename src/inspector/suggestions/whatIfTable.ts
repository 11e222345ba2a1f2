/** Holds the newest table of replays, and the suggestion that follows from it. */
import type { Suggestion } from '../../core/suggestions/types';
import type { WhatIf, WhatIfRow } from '../../core/whatIf/types';
import type { WhatIfInputs } from '../../core/whatIf/whatIf';
import type { WhatIfRequest } from '../protocol/requests';

/** Returns the session to replay. */
type WhatIfSession = () => Omit<WhatIfInputs, 'models' | 'runTurn' | 'yieldToEventLoop' | 'all' | 'eager'>;
/** Loads the code for replays. Windows can start without it. */
export type LoadWhatIf = () => Promise<{
  readonly replayTable: (
    inputs: ReturnType<WhatIfSession> & Pick<WhatIfInputs, 'all' | 'eager'>,
    signal: AbortSignal,
    onProgress: (table: WhatIf) => void,
  ) => Promise<WhatIf>;
}>;

/** Computes one table at a time. A newer question, or closing the page, cancels the previous computation. */
export class WhatIfTable {
  readonly #session: WhatIfSession;
  readonly #load: LoadWhatIf;
  #current = new AbortController();
  #made: { readonly of: readonly unknown[]; readonly table: WhatIf } | undefined;

  constructor(session: WhatIfSession, load: LoadWhatIf) {
    this.#session = session;
    this.#load = load;
  }

  /** Computes a table. `answer` is called after each row; the last time, the table is complete. */
  async ask({ all, eager }: Pick<WhatIfRequest, 'all' | 'eager'>, answer: (table: WhatIf) => void): Promise<void> {
    this.stop();
    const { signal } = this.#current;
    const session = this.#session();
    const of = [session.events.length, session.catalog, session.settings, session.pins, JSON.stringify([all, eager])];
    if (this.#made && isSame(this.#made.of, of)) return answer(this.#made.table);
    try {
      const { replayTable } = await this.#load();
      const table = await replayTable({ ...session, all, eager }, signal, (part) => signal.aborted || answer(part));
      this.#made = { of, table };
      answer(table);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  stop(): void {
    this.#current.abort();
    this.#current = new AbortController();
  }

  /** Returns the best setting in the newest table, if settings and pins haven't changed since it was computed. */
  suggestions(): readonly (Suggestion & { readonly kind: 'whatIf' })[] {
    if (!this.#made) return [];
    const { settings, pins } = this.#session();
    const { of, table } = this.#made;
    const best = table.rows.find(({ id }) => id === table.best);
    const today = table.rows.find(({ change }) => change.kind === 'today');
    if (of[2] !== settings || of[3] !== pins || !best || !today) return [];
    const by = best.cost === undefined || today.cost === undefined ? 'tokens' : 'cost';
    const spent = (row: WhatIfRow) => ({
      value: Math.round((by === 'cost' ? row.cost : row.tokens) ?? 0),
      certainty: 'estimated' as const,
    });
    const [before, after] = [spent(today), spent(best)];
    const requests = { before: today.requests, after: best.requests };
    const net = { ...before, value: before.value - after.value };
    const turns = table.turns.length;
    return [{ id: `whatIf ${best.id}`, kind: 'whatIf', change: best.change, by, turns, requests, before, after, net }];
  }
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.every((part, index) => part === b[index]);
}
