import { MAX_MODEL_NAME, RUN_CODE, sanitize } from '../catalog/modelNames';
import type { CallOutcome, ToolCall, ToolResult, Transcript } from '../conversation/transcript';
import { asObject, parseJson } from '../util/objects';
import { boundedEntry } from './bounds';
import { type EventOf, eventsOf, type LedgerEvent, mayBeSameChat } from './events';

// Finds questions in the ledger that ended without an answer, and the calls that had run for them.

type Started = EventOf<'turnStarted'>;

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
 * Returns the last unanswered attempt at a question, according to the ledger; undefined if there is none apart from the
 * known ones. VS Code's history lacks a question if a reload of the window cut it off, if it ended too late after it
 * was cancelled, or if a bug ended it. A model that doesn't see the calls made for it would make them again.
 */
export function cutOffTurn(events: readonly LedgerEvent[], question: AskedAgain): CutOff | undefined {
  return attemptsAt(question, events).findLast(
    (attempt): attempt is CutOff => attempt.items !== undefined && !question.known?.has(attempt.turn),
  );
}

/** Returns the turns that asked a question. Their items are undefined if it was answered or is still running. */
function attemptsAt(
  question: AskedAgain,
  events: readonly LedgerEvent[],
): readonly { readonly turn: number; readonly items: Transcript | undefined }[] {
  return eventsOf(events, 'turnStarted')
    .filter((started) => isAsked(question, started))
    .map((started) => {
      const turn = events.filter((event) => event.turn === started.turn);
      return { turn: started.turn, items: itemsOf(turn, started) };
    });
}

function itemsOf(turn: readonly LedgerEvent[], started: Started): Transcript | undefined {
  const end = turn.find((event) => event.type === 'turnEnded');
  if (!end || end.status === 'answered') return undefined;
  const why = end.message ?? 'The user cancelled the question.';
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
    const had = lines.length > 0 ? `These calls ran:\n${lines.join('\n')}\n` : '';
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
 * Returns all calls that had run for a question since it was last answered, in all its attempts in this chat after the
 * newest known turn. Needed for VS Code's own Retry, which passes a history without the question.
 */
export function retriedItems(events: readonly LedgerEvent[], question: AskedAgain): Transcript {
  const newest = Math.max(0, ...(question.known ?? []));
  const asked = attemptsAt(question, events).flatMap(({ turn, items }) => (turn > newest ? [items] : []));
  // Only attempts after the last answer count. An attempt without calls has the question as its only item.
  return asked.slice(asked.lastIndexOf(undefined) + 1).flatMap((items = []) => (items.length > 1 ? items : []));
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
