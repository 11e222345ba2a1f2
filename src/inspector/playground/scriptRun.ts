import { resultText } from '../../core/conversation/resultText';
import type { LedgerEvent } from '../../core/ledger/ledger';
import type { ToolRun } from '../../core/ports';
import type { ScriptRunView } from '../protocol/script';
import { cutBytes } from '../text/bytes';

/** The maximum number of bytes of an answer that are shown, so that the message stays small. */
const MAX_OUTPUT = 40_000;

/**
 * Returns the outcome of the user's last script: the answer that a model would have received, and figures from the
 * ledger.
 */
export function scriptRunView(run: ToolRun, events: readonly LedgerEvent[]): ScriptRunView {
  const turn = events.findLast((event) => event.type === 'turnStarted' && event.model.id === 'user')?.turn;
  const end = events.findLast((event) => event.type === 'scriptEnded' && event.turn === turn);
  const figures = end?.type === 'scriptEnded' ? end : undefined;
  return {
    outcome: run.outcome,
    output: cutBytes(resultText(run), MAX_OUTPUT),
    ...(figures?.line === undefined ? {} : { line: figures.line }),
    calls: figures?.calls ?? 0,
    failed: figures?.failed ?? 0,
    servers: figures?.servers ?? [],
    ms: figures?.ms ?? 0,
  };
}
