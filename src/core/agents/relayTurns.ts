import type { Tool } from '../catalog/tool';
import { resultText } from '../conversation/resultText';
import { type CallOutcome, isQuestion, type Transcript } from '../conversation/transcript';
import type { EntryOf, TurnStatus } from '../ledger/events';
import type { Ledger, RecordEntry } from '../ledger/ledger';
import { CallLimits, type TurnLimits } from '../turn/callLimits';
import { type RecordedCall, recordCall } from '../turn/recordCall';
import type { Clock } from '../turn/turnServices';
import { shortHash } from '../util/hash';
import { setLatest } from '../util/setLatest';

/** The time in milliseconds that a turn waits for the results of its calls. A stopped agent doesn't report that. */
const IDLE_MS = 15 * 60_000;
/** The maximum number of questions without an answer that are remembered. */
const MAX_UNANSWERED = 500;

/** A turn of another agent with one of our models, as the ledger records it. */
export interface RelayTurn {
  /** Records the start of the turn, once, with its first request. */
  readonly begin: (started: () => EntryOf<'turnStarted'>) => void;
  readonly record: RecordEntry;
  /** Whether this session has already shown this warning. */
  readonly warned: (message: string) => boolean;
  /** The calls that were passed to the agent and wait for their results. */
  readonly handed: Map<string, RecordedCall & { readonly tool: Tool }>;
  readonly calls: CallLimits;
  /** The number of model calls so far. */
  rounds: number;
}

interface OpenRelayTurn extends RelayTurn {
  readonly key: string;
  /** Identifies the turn's question, whatever model was asked. */
  readonly question: string;
  readonly startedAt: number;
  /** Set while the turn waits for the agent's next request. */
  stopTimer: (() => void) | undefined;
}

/** The turns of other agents with our models: all requests for one question, also those with results of tools. */
export class RelayTurns {
  readonly #open = new Set<OpenRelayTurn>();
  /** How each unanswered question ended. */
  readonly #unanswered = new Map<string, Exclude<TurnStatus, 'answered'>>();
  readonly #ledger: Ledger;
  readonly #clock: Pick<Clock, 'now' | 'timer'>;

  constructor(ledger: Ledger, clock: Pick<Clock, 'now' | 'timer'>) {
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /**
   * Returns the turn that a request belongs to. A request that ends in results continues the turn of its question that
   * made the calls; any other begins a new turn.
   * @param limits undefined if the request isn't recorded
   */
  enter(key: string, transcript: Transcript, limits: TurnLimits | undefined): RelayTurn {
    if (!limits) return unrecorded();
    const question = questionKey('', transcript);
    const last = transcript.at(-1);
    const results = last?.kind === 'results' ? last.results : undefined;
    const same = [...this.#open].filter((open) => open.key === key);
    const open = same.find(({ handed }) => results?.some(({ callId }) => handed.has(callId))) ?? same.at(-1);
    if (open && results) {
      open.stopTimer?.();
      open.stopTimer = undefined;
      return open;
    }
    // A turn that doesn't wait belongs to another agent, which asks the same thing at the same time.
    for (const before of same) if (before.stopTimer) this.#close(before, 'cancelled');
    this.#unanswered.delete(question);
    const { record } = this.#ledger.startTurn(this.#clock.now);
    let begun = false;
    const turn: OpenRelayTurn = {
      key,
      question,
      record,
      begin: (started) => {
        if (!begun) record(started());
        begun = true;
      },
      warned: (message) => this.#ledger.warned(message),
      handed: new Map(),
      calls: new CallLimits(limits),
      rounds: 0,
      startedAt: this.#clock.now(),
      stopTimer: undefined,
    };
    this.#open.add(turn);
    return turn;
  }

  /** Called when the agent has calls to run. Its next request continues this turn. */
  wait(turn: RelayTurn): void {
    const open = this.#find(turn);
    if (open) open.stopTimer = this.#clock.timer(() => this.#close(open, 'cancelled'), IDLE_MS);
  }

  /** Ends a turn. `recorded` resolves when the rest of the turn is recorded. */
  end(turn: RelayTurn, status: TurnStatus, message?: string, recorded?: Promise<void>): void {
    const open = this.#find(turn);
    if (!open) return;
    if (status !== 'answered') setLatest(this.#unanswered, open.question, status, MAX_UNANSWERED);
    this.#close(open, status, message, recorded);
  }

  /** Closes a turn in the ledger. Its question isn't noted as unanswered: an unrecognizable request may continue it. */
  #close(open: OpenRelayTurn, status: TurnStatus, message?: string, recorded?: Promise<void>): void {
    open.stopTimer?.();
    this.#open.delete(open);
    const ms = this.#clock.now() - open.startedAt;
    const record = () => open.record({ type: 'turnEnded', status, ms, ...(message === undefined ? {} : { message }) });
    if (recorded) void recorded.then(record);
    else record();
  }

  /** Returns how the last question of a conversation ended, if it was asked in this window and got no answer. */
  endOf(transcript: Transcript): Exclude<TurnStatus, 'answered'> | undefined {
    return this.#unanswered.get(questionKey('', transcript));
  }

  dispose(): void {
    for (const turn of this.#open) this.#close(turn, 'cancelled');
  }

  /** Returns the turn's open state; undefined if the turn has ended or was never recorded. */
  #find(turn: RelayTurn): OpenRelayTurn | undefined {
    return [...this.#open].find((open) => open === turn);
  }
}

/** Returns a turn that records nothing, for requests without tools, which agents don't make. */
function unrecorded(): RelayTurn {
  const calls = new CallLimits({ toolCallsPerTurn: 0, retriesPerTool: 0, retries: {}, sequentialTools: [] });
  return { begin: () => {}, record: () => {}, warned: () => true, handed: new Map(), calls, rounds: 0 };
}

/** The maximum number of characters of an agent's prompt that the ledger stores. Such prompts can have any content. */
export const PROMPT_CHARS = 200;

/** Records the results of the turn's last calls, as the agent's request reports them. */
export function recordResults(
  turn: RelayTurn,
  transcript: Transcript,
  now: number,
  outcomeOf: (text: string) => CallOutcome = () => 'ok',
): void {
  const last = transcript.at(-1);
  for (const result of last?.kind === 'results' ? last.results : []) {
    const handed = turn.handed.get(result.callId);
    if (!handed) continue;
    turn.handed.delete(result.callId);
    const run = { parts: result.parts, outcome: outcomeOf(resultText(result)) };
    const retry = turn.calls.failuresOf(handed);
    if (isLimited(handed.tool)) turn.calls.note(handed, run);
    recordCall(turn.record, { ...handed, round: turn.rounds, retry }, run, now);
  }
}

/** Whether our limits apply to a tool: to tools of servers, not to the agent's own (reading, editing, the terminal). */
export function isLimited(tool: Tool): boolean {
  return tool.origin === 'mcp';
}

/** Returns the question: the user's last text. */
export function questionOf(transcript: Transcript): string {
  return userTexts(transcript).at(-1)?.trim() ?? '';
}

/** Returns a key for a question, made from the texts up to it, since a request doesn't name its chat. */
export function questionKey(model: string, transcript: Transcript): string {
  const asked = userTexts(transcript);
  return `${model} ${asked.length} ${shortHash(asked.join('\n'))}`;
}

function userTexts(transcript: Transcript): readonly string[] {
  return transcript.filter(isQuestion).map(({ text }) => text);
}
