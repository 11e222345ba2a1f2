import { MAX_MODEL_NAME, RUN_CODE, sanitize } from '../catalog/modelNames';
import type { CallOutcome, ToolCall, ToolResult, Transcript } from '../conversation/transcript';
import { asObject, parseJson } from '../util/objects';
import { boundedEntry, type EventOf, eventsOf, type LedgerEvent, mayBeSameChat } from './events';

// Finds questions in the ledger that ended without an answer, and the calls that had run for them.

type Started = EventOf<'turnStarted'>;
type Ended = EventOf<'turnEnded'>;

/** A question whose earlier attempts in the same chat are looked for. */
interface AskedAgain {
  /** The question as the user typed it. In the ledger, its attachments may follow. */
  readonly prompt: string;
  /** The chat's name; empty or undefined if it isn't known. */
  readonly chat?: string | undefined;
  /** The numbers of the turns that the chat's history already contains. */
  readonly known?: ReadonlySet<number> | undefined;
}

/** A turn without an answer: its number in the ledger, and its items. */
export interface CutOff {
  readonly turn: number;
  readonly items: Transcript;
}

/**
 * Returns the last attempt at a question that ended without an answer, according to the ledger. VS Code's history lacks
 * a question if a reload of the window cut it off, if it ended too late after it was cancelled, or if a bug ended it. A
 * model that doesn't see the calls made for such a question would make them again.
 * @returns undefined if no turn of this chat with this question ended without an answer, apart from the known ones
 */
export function cutOffTurn(events: readonly LedgerEvent[], question: AskedAgain): CutOff | undefined {
  const ends = endsOf(events);
  const started = events.findLast(
    (event): event is Started =>
      event.type === 'turnStarted' &&
      !question.known?.has(event.turn) &&
      isAsked(question, event) &&
      (ends.get(event.turn)?.status ?? 'answered') !== 'answered',
  );
  const items = started && itemsOf(events, started, ends);
  return items && { turn: started.turn, items };
}

/** Returns an unanswered question and its items; undefined if the question was answered or is still running. */
function itemsOf(
  events: readonly LedgerEvent[],
  started: Started,
  ends: ReadonlyMap<number, Ended>,
): Transcript | undefined {
  const end = ends.get(started.turn);
  if (!end || end.status === 'answered') return undefined;
  const why = end.message ?? 'The user cancelled the question.';
  const turn = events.filter((event) => event.turn === started.turn);
  const calls: ToolCall[] = [];
  const results: ToolResult[] = [];
  const add = (name: string, input: unknown, outcome: CallOutcome, text: string) => {
    const callId = `cut_${started.turn}_${calls.length + 1}`;
    calls.push({ callId, name: sanitize(name).slice(0, MAX_MODEL_NAME), input });
    results.push({ callId, outcome, parts: [{ type: 'text', text }] });
  };
  for (const event of turn) {
    if (event.type === 'called' && event.script === undefined)
      add(event.tool, asObject(parseJson(event.args)) ?? {}, event.outcome, event.summary);
    if (event.type !== 'scriptStarted') continue;
    const ran = eventsOf(turn, 'called').filter((other) => other.script === event.callId);
    const lines = ran.map(({ tool, args, outcome, summary }) => `${tool} ${args}: ${outcome}, ${summary}`);
    const had = lines.length > 0 ? `Had run before:\n${lines.join('\n')}\n` : '';
    add(
      RUN_CODE,
      { code: event.code, title: event.title },
      'failed',
      `${why} ${had}A call that was under way may have run too.`,
    );
  }
  const asked: Transcript = [{ kind: 'user', text: started.prompt, unanswered: end.status }];
  return calls.length === 0 ? asked : [...asked, { kind: 'assistant', text: '', calls }, { kind: 'results', results }];
}

/**
 * Returns all calls that had run for a question since it was last answered, over all its attempts in this chat. Needed
 * for VS Code's own Retry, which passes a history without the question. Only turns after the newest known one count as
 * attempts.
 */
export function retriedItems(events: readonly LedgerEvent[], question: AskedAgain): Transcript {
  const ends = endsOf(events);
  const newest = Math.max(0, ...(question.known ?? []));
  const asked = events
    .filter(
      (event): event is Started => event.type === 'turnStarted' && event.turn > newest && isAsked(question, event),
    )
    .map((started) => itemsOf(events, started, ends));
  // Only attempts after the last answer count. An attempt without calls has the question as its only item.
  return asked.slice(asked.lastIndexOf(undefined) + 1).flatMap((items = []) => (items.length > 1 ? items : []));
}

function endsOf(events: readonly LedgerEvent[]): ReadonlyMap<number, Ended> {
  return new Map(events.flatMap((event) => (event.type === 'turnEnded' ? [[event.turn, event] as const] : [])));
}

/**
 * Whether a turn asked this question in this chat. In the ledger, attachments follow the question, and a long text is
 * cut. If either chat's name isn't known, the question's text alone decides.
 */
function isAsked(question: AskedAgain, { prompt: asked, chat }: Started): boolean {
  if (!mayBeSameChat(chat, question.chat)) return false;
  const { prompt } = boundedEntry({ prompt: question.prompt });
  return asked === prompt || asked.startsWith(`${prompt}\n`);
}
