import type { CallOutcome } from '../conversation/transcript';
import type { CacheMissRecord, RoundTokens, Tokens } from '../usage/types';
import type { RedactIn } from '../util/knownSecrets';

export interface LoggedHit {
  readonly id: string;
  readonly score: number;
  readonly matchType: string;
  readonly terms: readonly string[];
  /** What earlier use added to the score: about how often the tool was asked for with which words. */
  readonly learnt?: { readonly adds: number; readonly times: number; readonly words: readonly string[] };
  /** Where it was cut since it fits too little: its shares of the best score, and of what the best covers of the query. */
  readonly weak?: { readonly score: number; readonly covered: number };
}

export type TurnStatus = 'answered' | 'failed' | 'cancelled';

/** What happened, without when. */
export type LedgerEntry =
  | {
      readonly type: 'turnStarted';
      readonly prompt: string;
      readonly model: { readonly id: string; readonly vendor: string; readonly name: string };
      readonly strategy: { readonly name: string; readonly why: string };
      readonly delivery: { readonly name: string; readonly why: string };
      readonly counts: { readonly eager: number; readonly discovered: number; readonly deferred: number };
    }
  | {
      readonly type: 'roundStarted';
      readonly round: number;
      readonly counts: { readonly eager: number; readonly discovered: number; readonly deferred: number };
    }
  /** The turn goes on otherwise than it began: a service refused its request, or a strategy failed. What isn't named stays. */
  | {
      readonly type: 'replanned';
      readonly strategy?: { readonly name: string; readonly why: string };
      readonly delivery?: { readonly name: string; readonly why: string };
      readonly counts?: { readonly eager: number; readonly discovered: number; readonly deferred: number };
      /** The round whose request was refused: it cost nothing, and the next request has its number. */
      readonly refused?: number;
    }
  /** The model call is over, maybe a while ago: its prices were waited for. `outputTokens` where known. */
  | {
      readonly type: 'roundEnded';
      readonly round: number;
      readonly ms: number;
      readonly tokens: RoundTokens;
      readonly outputTokens?: Tokens;
      /** Beside the request before it in its conversation; absent for the first, and where that isn't known any more. */
      readonly prefix?: CacheMissRecord;
    }
  | {
      readonly type: 'searched';
      readonly round: number;
      readonly callId: string;
      readonly query: string;
      readonly strategy: string;
      readonly server?: string;
      readonly ms: number;
      readonly searched: number;
      readonly matched: number;
      readonly limit: number;
      readonly hits: readonly LoggedHit[];
      readonly below: readonly LoggedHit[];
      /** One sentence: the error given to the model, or what it was told where nothing matched. */
      readonly note?: string;
      readonly failed: boolean;
      /** The call id of the script that searched; absent where the model itself did. */
      readonly script?: string;
      /** Tool Search ran it by itself, with the user's own words, before the model was asked. */
      readonly before?: true;
    }
  /** Tools that a search returned for the first time. `tokens`: their definitions'. */
  | { readonly type: 'discovered'; readonly round: number; readonly ids: readonly string[]; readonly tokens: Tokens }
  /** A call that may change something begins: what is known of it where a reload of the window cuts it off. */
  | {
      readonly type: 'callStarted';
      readonly round: number;
      readonly callId: string;
      readonly tool: string;
      readonly args: string;
      readonly script?: string;
    }
  | {
      readonly type: 'called';
      readonly round: number;
      readonly callId: string;
      /** The tool's id, or the name that the model used where there is no such tool. */
      readonly tool: string;
      readonly known: boolean;
      readonly args: string;
      readonly outcome: CallOutcome;
      /** One line on the result, or the error. */
      readonly summary: string;
      readonly resultBytes: number;
      /** A deferred tool that no search had returned. */
      readonly withoutDiscovery: boolean;
      /** 0 for a first try; counts calls of the same tool after a failed one in this turn. */
      readonly retry: number;
      readonly ms: number;
      /** The call id of the script that called it; absent where the model itself did. */
      readonly script?: string;
    }
  /** A script of the model's. What it searches and calls names it in `script`. */
  | {
      readonly type: 'scriptStarted';
      readonly round: number;
      readonly callId: string;
      /** A few words of the model's for the user; may be empty. */
      readonly title: string;
      readonly code: string;
      /** Set where the provider's own sandbox runs it, not ours. */
      readonly where?: 'provider';
    }
  | {
      readonly type: 'scriptEnded';
      readonly round: number;
      readonly callId: string;
      readonly outcome: CallOutcome;
      readonly ms: number;
      /** What the engine computed; 0 where the provider ran it. */
      readonly computeMs: number;
      /** Calls of tools, and those among them that did not end well. */
      readonly calls: number;
      readonly failed: number;
      /** In the order in which they were first called. */
      readonly servers: readonly string[];
      /** Characters of all results, and of those that count for what stayed: see `stayedOf`. */
      readonly returnedChars: number;
      readonly countedChars: number;
      /** Characters of what the model was answered. */
      readonly outputChars: number;
      /** The beginning of that. */
      readonly output: string;
      /** Why it failed, in one sentence. */
      readonly note?: string;
      /** The line of its code where it failed, from 1. */
      readonly line?: number;
    }
  | { readonly type: 'warned'; readonly message: string }
  | { readonly type: 'turnEnded'; readonly status: TurnStatus; readonly ms: number; readonly message?: string }
  /** The user's thumb, up or down: comes after the end, and again where they change their mind. */
  | { readonly type: 'rated'; readonly helpful: boolean };

/** One entry as it stands in the ledger. */
export type LedgerEvent = LedgerEntry & {
  /** Consecutive from 1. */
  readonly seq: number;
  /** Milliseconds since the epoch. For an entry with `ms`, the time it ended. */
  readonly at: number;
  /** 1 for the session's first turn. */
  readonly turn: number;
};

/** Records what happened in a turn; `at` where that was earlier, in milliseconds since the epoch. */
export type RecordEntry = (entry: LedgerEntry, at?: number) => void;

/** How a turn ended that a reload of the window cut off. */
export const RELOADED = 'The window was reloaded.';

/** The append-only record of a session: everything the inspector shows is folded from it. */
export class Ledger {
  readonly #events: LedgerEvent[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #redactIn: RedactIn;
  #turns = 0;

  /** @param redactIn takes secrets out of what is recorded: it is shown, kept in a file and exported */
  constructor(redactIn: RedactIn = (entry) => entry) {
    this.#redactIn = redactIn;
  }

  /** Takes in the events of before a reload; called before the first turn. A turn that the reload cut off ends as cancelled. */
  restore(events: readonly LedgerEvent[]): void {
    const open = new Map<number, LedgerEvent>();
    for (const event of events) {
      this.#events.push(event);
      this.#turns = Math.max(this.#turns, event.turn);
      if (event.type === 'turnStarted') open.set(event.turn, event);
      if (event.type === 'turnEnded') open.delete(event.turn);
    }
    for (const [turn, started] of open) {
      const told = this.#events.filter((event) => event.turn === turn);
      const { at } = told.at(-1) ?? started;
      for (const end of endsOfCalls(told)) this.#append(end, at, turn);
      const ended = this.#events.filter((event) => event.turn === turn);
      for (const end of endsOfScripts(ended)) this.#append(end, at, turn);
      this.#append({ type: 'turnEnded', status: 'cancelled', ms: at - started.at, message: RELOADED }, at, turn);
    }
    for (const listener of this.#listeners) listener();
  }

  get events(): readonly LedgerEvent[] {
    return this.#events;
  }

  /** Whether a turn of this session has already told that. */
  warned(message: string): boolean {
    const told = this.#redactIn(message);
    return this.#events.some((event) => event.type === 'warned' && event.message === told);
  }

  /** Opens a turn: its number, and what records into it. Turns of several chats may overlap. */
  startTurn(now: () => number): { readonly turn: number; readonly record: RecordEntry } {
    const turn = ++this.#turns;
    const record: RecordEntry = (entry, at = now()) => {
      this.#append(this.#redactIn(entry), at, turn);
      for (const listener of this.#listeners) listener();
    };
    return { turn, record };
  }

  /** Records what the user thinks of a turn that has ended; one that isn't known any more is none of this session. */
  rate(turn: number, helpful: boolean, at: number): void {
    if (!this.#events.some((event) => event.turn === turn)) return;
    this.#append({ type: 'rated', helpful }, at, turn);
    for (const listener of this.#listeners) listener();
  }

  #append(entry: LedgerEntry, at: number, turn: number): void {
    this.#events.push({ ...entry, seq: (this.#events.at(-1)?.seq ?? 0) + 1, at, turn });
  }

  /** Calls `listener` after each change; returns what stops that. */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** What ends the calls of a turn that a reload cut off. */
function endsOfCalls(turn: readonly LedgerEvent[]): readonly LedgerEntry[] {
  return turn.flatMap((started): LedgerEntry[] => {
    if (started.type !== 'callStarted') return [];
    const { type: _, seq: _seq, at, turn: _turn, ...call } = started;
    if (turn.some((event) => event.type === 'called' && event.callId === call.callId && event.round === call.round))
      return [];
    return [
      {
        type: 'called',
        ...call,
        known: true,
        outcome: 'cancelled',
        summary: `${RELOADED} The call may have run.`,
        resultBytes: 0,
        withoutDiscovery: false,
        retry: 0,
        ms: Math.max(0, (turn.at(-1)?.at ?? at) - at),
      },
    ];
  });
}

/** What ends the scripts of a turn that a reload cut off, with what of them had been told. */
function endsOfScripts(turn: readonly LedgerEvent[]): readonly LedgerEntry[] {
  return turn.flatMap((started): LedgerEntry[] => {
    if (started.type !== 'scriptStarted') return [];
    const { round, callId } = started;
    if (turn.some((event) => event.type === 'scriptEnded' && event.callId === callId && event.round === round))
      return [];
    const calls = turn.filter(
      (event): event is Extract<LedgerEvent, { type: 'called' }> => event.type === 'called' && event.script === callId,
    );
    return [
      {
        type: 'scriptEnded',
        round,
        callId,
        outcome: 'cancelled',
        ms: Math.max(0, (turn.at(-1)?.at ?? started.at) - started.at),
        computeMs: 0,
        calls: calls.length,
        failed: calls.filter(({ outcome }) => outcome !== 'ok').length,
        servers: [...new Set(calls.map(({ tool }) => tool.slice(0, Math.max(0, tool.indexOf('/')))))],
        returnedChars: 0,
        countedChars: 0,
        outputChars: 0,
        output: '',
        note: RELOADED,
      },
    ];
  });
}
