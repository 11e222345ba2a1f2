import { systemTimer, type Timer } from '../hooks/outside';
import type { Ledger, LedgerEntry } from '../ledger/ledger';
import { cut } from '../text/cut';
import { shortHash } from '../text/hash';
import { resultText } from '../transcript/resultText';
import type { ToolCall, Transcript } from '../transcript/transcript';

/** An agent that was given calls comes back with their results, or was stopped: then nobody says so. In milliseconds. */
const IDLE_MS = 15 * 60_000;

/** A call that was handed to the agent, until its result comes. */
export interface HandedCall {
  readonly tool: string;
  readonly known: boolean;
  readonly args: ToolCall['input'];
  readonly withoutDiscovery: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A turn of another agent with a model of ours, as the ledger has it. */
export interface RelayTurn {
  readonly record: (entry: LedgerEntry) => void;
  readonly handed: Map<string, HandedCall>;
  /** Model calls so far. */
  rounds: number;
}

interface OpenTurn extends RelayTurn {
  readonly startedAt: number;
  stopTimer: () => void;
}

/** The turns of other agents with our models: all requests that answer one question, the agent's tool results among them. */
export class RelayTurns {
  readonly #ledger: Ledger;
  readonly #now: () => number;
  readonly #timer: Timer;
  readonly #open = new Map<string, OpenTurn>();

  constructor(ledger: Ledger, now: () => number, timer: Timer = systemTimer) {
    this.#ledger = ledger;
    this.#now = now;
    this.#timer = timer;
  }

  /** The turn that a request belongs to: one that ends in results goes on with that of its question. */
  enter(key: string, transcript: Transcript, started: () => Extract<LedgerEntry, { type: 'turnStarted' }>): RelayTurn {
    const open = this.#open.get(key);
    if (open && transcript.at(-1)?.kind === 'results') {
      open.stopTimer();
      return open;
    }
    this.end(key, 'cancelled');
    const { record } = this.#ledger.startTurn(this.#now);
    const turn = { record, handed: new Map<string, HandedCall>(), rounds: 0, startedAt: this.#now(), stopTimer: () => {} };
    this.#open.set(key, turn);
    record(started());
    return turn;
  }

  /** The agent has calls to run: its next request goes on with this turn. */
  wait(key: string): void {
    const turn = this.#open.get(key);
    if (turn) turn.stopTimer = this.#timer(() => this.end(key, 'cancelled'), IDLE_MS);
  }

  end(key: string, status: 'answered' | 'failed' | 'cancelled', message?: string): void {
    const turn = this.#open.get(key);
    if (!turn) return;
    turn.stopTimer();
    this.#open.delete(key);
    turn.record({ type: 'turnEnded', status, ms: this.#now() - turn.startedAt, ...(message === undefined ? {} : { message }) });
  }

  dispose(): void {
    for (const key of [...this.#open.keys()]) this.end(key, 'cancelled');
  }
}

/** How much of a prompt, of arguments and of results the ledger keeps, in characters. */
export const LOGGED_CHARS = 200;

/** Records what came of the calls that the turn's last reply made, as the agent's request tells it. */
export function recordResults(turn: RelayTurn, transcript: Transcript, now: number): void {
  const last = transcript.at(-1);
  for (const result of last?.kind === 'results' ? last.results : []) {
    const handed = turn.handed.get(result.callId);
    if (!handed) continue;
    turn.handed.delete(result.callId);
    const text = resultText(result);
    turn.record({
      type: 'called',
      round: turn.rounds,
      callId: result.callId,
      tool: handed.tool,
      known: handed.known,
      args: cut(JSON.stringify(handed.args) ?? '', LOGGED_CHARS),
      // The agent says no more than what it tells the model.
      outcome: 'ok',
      summary: cut(text.replace(/\s+/g, ' ').trim(), LOGGED_CHARS),
      resultBytes: new TextEncoder().encode(text).length,
      withoutDiscovery: handed.withoutDiscovery,
      retry: 0,
      ms: now - handed.at,
    });
  }
}

/** Names a question: nobody tells which chat a request is of, but its words up to here do. */
export function questionKey(model: string, transcript: Transcript): string {
  const asked = transcript.flatMap((item) => (item.kind === 'user' ? [item.text] : []));
  return `${model} ${asked.length} ${shortHash(asked.join('\n'))}`;
}
