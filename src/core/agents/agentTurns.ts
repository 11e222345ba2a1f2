import type { EntryOf, LedgerEntry } from '../ledger/events';
import type { Ledger } from '../ledger/ledger';
import type { ToolRun } from '../ports';
import { CallLimits, type TurnLimits } from '../turn/callLimits';
import type { Clock } from '../turn/turnServices';
import { type AgentUse, estimateAgent } from '../usage/agentEstimate';
import { setLatest } from '../util/setLatest';

/** The time without calls after which an agent's turn counts as ended, in milliseconds. Agents don't report the end. */
const IDLE_MS = 30_000;
/** The maximum number of chats whose searches are remembered. */
const MAX_CHATS = 50;

/** The data that recording the calls of one chat needs. */
interface AgentTurn {
  readonly record: (entry: LedgerEntry) => void;
  /** The searches of this chat, including those of earlier turns: ids of found tools, and queries in lower case. */
  readonly searches: { readonly found: Set<string>; readonly queries: Set<string> };
  /** The agent's calls of servers' tools. */
  readonly calls: CallLimits;
  /** The tokens of the agent's calls of our tools. */
  readonly uses: AgentUse[];
  /** The number of the agent's replies that called our tools. Calls that run at the same time belong to one reply. */
  replies: number;
}

interface OpenAgentTurn extends AgentTurn {
  readonly startedAt: number;
  running: number;
  lastAt: number;
  stopTimer: () => void;
}

/**
 * Groups other agents' calls of our tools into turns. Calls of one chat without a long pause between them make one turn
 * of the ledger. The agent's own requests are unknown, so such a turn has no rounds.
 */
export class AgentTurns {
  readonly #open = new Map<string, OpenAgentTurn>();
  readonly #searches = new Map<string, AgentTurn['searches']>();
  readonly #ledger: Ledger;
  readonly #limits: () => TurnLimits;
  readonly #clock: Pick<Clock, 'now' | 'timer'>;

  constructor(ledger: Ledger, limits: () => TurnLimits, clock: Pick<Clock, 'now' | 'timer'>) {
    this.#ledger = ledger;
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Runs `work` as part of the chat's turn. If there is no open turn, begins one with `started`. A refused call doesn't
   * prolong the turn, since its limits would then never end for an agent that tries again and again.
   */
  async during(
    chat: string,
    started: EntryOf<'turnStarted'>,
    work: (turn: AgentTurn) => Promise<ToolRun>,
  ): Promise<ToolRun> {
    const turn = this.#open.get(chat) ?? this.#begin(chat, started);
    turn.stopTimer();
    if (turn.running === 0) turn.replies++;
    turn.running++;
    try {
      const run = await work(turn);
      if (run.outcome !== 'refused') turn.lastAt = this.#clock.now();
      return run;
    } finally {
      turn.running--;
      const left = Math.max(0, IDLE_MS - (this.#clock.now() - turn.lastAt));
      if (turn.running === 0) turn.stopTimer = this.#clock.timer(() => this.#end(chat), left);
    }
  }

  /** Ends all turns. */
  dispose(): void {
    for (const chat of [...this.#open.keys()]) this.#end(chat);
  }

  #begin(chat: string, started: EntryOf<'turnStarted'>): OpenAgentTurn {
    const { record } = this.#ledger.startTurn(this.#clock.now);
    const searches = this.#searches.get(chat) ?? { found: new Set(), queries: new Set() };
    setLatest(this.#searches, chat, searches, MAX_CHATS);
    const at = this.#clock.now();
    const turn = {
      record,
      searches,
      calls: new CallLimits(this.#limits()),
      uses: [],
      replies: 0,
      startedAt: at,
      lastAt: at,
      running: 0,
      stopTimer: () => {},
    };
    this.#open.set(chat, turn);
    record(started);
    return turn;
  }

  /** Ends the chat's turn. The recorded end is the end of its last call, not the present. */
  #end(chat: string): void {
    const turn = this.#open.get(chat);
    if (!turn) return;
    turn.stopTimer();
    this.#open.delete(chat);
    const agentTokens = turn.uses.length > 0 ? { agentTokens: estimateAgent(turn.uses) } : {};
    turn.record({ type: 'turnEnded', status: 'answered', ms: turn.lastAt - turn.startedAt, ...agentTokens });
  }
}
