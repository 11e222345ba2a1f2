import { MAX_MODEL_NAME, RUN_CODE } from '../catalog/modelNames';
import { asObject, parseJson } from '../text/objects';
import type { CallOutcome, ToolCall, ToolResult, Transcript } from '../transcript/transcript';
import { type LedgerEvent, RELOADED } from './ledger';

type Called = Extract<LedgerEvent, { type: 'called' }>;

/**
 * A question that a reload cut off, as far as the ledger knows it: VS Code keeps nothing of an answer that has not ended, and a
 * model that doesn't see what had run for it runs it again.
 * @param prompt how it begins
 * @returns undefined where no such turn was cut off
 */
export function cutOffTurn(events: readonly LedgerEvent[], prompt: string): Transcript | undefined {
  const started = events.findLast((event) => event.type === 'turnStarted' && event.prompt.startsWith(prompt));
  const turn = events.filter((event) => event.turn === started?.turn);
  if (!turn.some((event) => event.type === 'turnEnded' && event.message === RELOADED)) return undefined;
  const calls: ToolCall[] = [];
  const results: ToolResult[] = [];
  const add = (name: string, input: unknown, outcome: CallOutcome, text: string) => {
    const callId = `cut_${started?.turn}_${calls.length + 1}`;
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
    add(RUN_CODE, { code: event.code, title: event.title }, 'failed', `${RELOADED} ${had}A call that was under way may have run too.`);
  }
  const asked: Transcript = [{ kind: 'user', text: prompt, unanswered: 'cancelled' }];
  return calls.length === 0 ? asked : [...asked, { kind: 'assistant', text: '', calls }, { kind: 'results', results }];
}
