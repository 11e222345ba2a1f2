import { MAX_MODEL_NAME, RUN_CODE } from '../catalog/modelNames';
import { asObject, parseJson } from '../text/objects';
import type { CallOutcome, ToolCall, ToolResult, Transcript } from '../transcript/transcript';
import type { LedgerEvent } from './ledger';

type Called = Extract<LedgerEvent, { type: 'called' }>;
type Started = Extract<LedgerEvent, { type: 'turnStarted' }>;

/** A turn without an answer: its number in the ledger, and what came of it. */
export interface CutOff {
  readonly turn: number;
  readonly items: Transcript;
}

/**
 * A question that ended without an answer, as far as the ledger knows it. VS Code keeps nothing of one that a reload of the
 * window cut off, that ended too late after it was cancelled, or in a bug; a model that doesn't see what had run for it runs it again.
 * @param prompt the question as it was typed; what was attached to it may follow in the ledger
 * @param known turns that something else is known of
 * @returns undefined where no other such turn ended without an answer
 */
export function cutOffTurn(events: readonly LedgerEvent[], prompt: string, known: ReadonlySet<number> = new Set()): CutOff | undefined {
  const ends = new Map(events.flatMap((event) => (event.type === 'turnEnded' ? [[event.turn, event] as const] : [])));
  const started = events.findLast(
    (event): event is Started =>
      event.type === 'turnStarted' &&
      !known.has(event.turn) &&
      isAsked(prompt, event) &&
      (ends.get(event.turn)?.status ?? 'answered') !== 'answered',
  );
  const end = ends.get(started?.turn ?? 0);
  if (!started || !end || end.status === 'answered') return undefined;
  const why = end.message ?? 'The user cancelled the question.';
  const turn = events.filter((event) => event.turn === started.turn);
  const calls: ToolCall[] = [];
  const results: ToolResult[] = [];
  const add = (name: string, input: unknown, outcome: CallOutcome, text: string) => {
    const callId = `cut_${started.turn}_${calls.length + 1}`;
    calls.push({ callId, name: name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_MODEL_NAME), input });
    results.push({ callId, outcome, parts: [{ type: 'text', text }] });
  };
  for (const event of turn) {
    if (event.type === 'called' && event.script === undefined)
      add(event.tool, asObject(parseJson(event.args)) ?? {}, event.outcome, event.summary);
    if (event.type !== 'scriptStarted') continue;
    const ran = turn.filter((other): other is Called => other.type === 'called' && other.script === event.callId);
    const lines = ran.map(({ tool, args, outcome, summary }) => `${tool} ${args}: ${outcome}, ${summary}`);
    const had = lines.length > 0 ? `Had run before:\n${lines.join('\n')}\n` : '';
    add(RUN_CODE, { code: event.code, title: event.title }, 'failed', `${why} ${had}A call that was under way may have run too.`);
  }
  const asked: Transcript = [{ kind: 'user', text: started.prompt, unanswered: end.status }];
  const items: Transcript = calls.length === 0 ? asked : [...asked, { kind: 'assistant', text: '', calls }, { kind: 'results', results }];
  return { turn: started.turn, items };
}

/**
 * What had run for a question that is asked again with VS Code's own Retry, which hands back a history without it.
 * @param prompt as of {@link cutOffTurn}
 * @param known the turns of the history
 * @returns undefined where it ended with an answer, nothing had run, or the history goes on after it: that is no such retry
 */
export function retriedTurn(events: readonly LedgerEvent[], prompt: string, known: ReadonlySet<number>): CutOff | undefined {
  const newest = events.findLast((event) => event.type === 'turnStarted' && isAsked(prompt, event));
  const found = cutOffTurn(events, prompt, known);
  if (!found || found.turn !== newest?.turn || found.items.length === 1) return undefined;
  return [...known].some((turn) => turn > found.turn) ? undefined : found;
}

/** What was attached to a question follows it in the ledger. */
function isAsked(prompt: string, { prompt: asked }: Started): boolean {
  return asked === prompt || asked.startsWith(`${prompt}\n`);
}
