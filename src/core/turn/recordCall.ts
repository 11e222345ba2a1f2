// Records calls of tools in the ledger.

import { declaredChange, type Tool } from '../catalog/tool';
import { resultText } from '../conversation/resultText';
import type { RecordEntry } from '../ledger/ledger';
import type { Call, ToolRun } from '../ports';
import { cut } from '../util/cut';
import { asObject, jsonText } from '../util/objects';

/** The maximum number of characters of a call's arguments, and of its result, that the ledger stores. */
const LOGGED_CHARS = 2_000;
const SUMMARY_CHARS = 200;

/** A call, also one of a tool that doesn't exist. */
export type RecordedCall = Pick<
  Call,
  'asked' | 'script' | 'round' | 'callId' | 'since' | 'retry' | 'withoutDiscovery'
> & {
  /** The tool, or the name that was called if there is no such tool. */
  readonly tool: Tool | string;
};

/** Records the beginning of a call, unless it only reads: such a call can be repeated without harm. */
export function recordCallStarted(record: RecordEntry, { tool, asked, round, callId, script }: Call): void {
  if (declaredChange(tool) === false) return;
  record({ type: 'callStarted', round, callId, ...(script && { script }), tool: tool.id, args: logged(asked) });
}

/** Records a call and its outcome, whoever made it and whether it ran. */
export function recordCall(record: RecordEntry, call: RecordedCall, run: ToolRun, now: number): void {
  const { tool, asked, round, callId, script, since, retry, withoutDiscovery } = call;
  const text = resultText(run);
  record({
    type: 'called',
    round,
    callId,
    ...(script && { script }),
    tool: typeof tool === 'string' ? tool : tool.id,
    known: typeof tool !== 'string',
    outcome: run.outcome,
    withoutDiscovery,
    retry,
    ms: now - since,
    args: logged(asked),
    // A result may have megabytes, and its first characters are enough for one line.
    summary: cut(text.slice(0, LOGGED_CHARS).replace(/\s+/g, ' ').trim(), SUMMARY_CHARS),
    resultBytes: new TextEncoder().encode(text).length,
  });
}

function logged(asked: unknown): string {
  return cut(jsonText(asObject(asked ?? {}) ?? asked), LOGGED_CHARS);
}
