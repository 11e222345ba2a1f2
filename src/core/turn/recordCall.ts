// Records calls of tools in the ledger.

import type { Tool } from '../catalog/tool';
import type { CallOutcome } from '../conversation/transcript';
import type { RecordEntry } from '../ledger/ledger';
import type { ResultMeta } from '../ports';
import { cut } from '../util/cut';
import { jsonText } from '../util/objects';

/** The maximum number of characters of a call's arguments, and of its result, that the ledger stores. */
const LOGGED_CHARS = 2_000;
const SUMMARY_CHARS = 200;

/**
 * Records the beginning of a call that may change something. A call that only reads isn't recorded, since it can be
 * repeated without harm.
 */
export function recordCallStarted(
  record: RecordEntry,
  tool: Tool,
  {
    input,
    ...call
  }: { readonly round: number; readonly callId: string; readonly input: unknown; readonly script?: string },
): void {
  if (tool.annotations?.readOnlyHint === true) return;
  record({ type: 'callStarted', ...call, tool: tool.id, args: logged(input) });
}

/** Records a call of a tool and its outcome, whether the model or a script made it. */
export function recordCall(
  record: RecordEntry,
  call: {
    readonly round: number;
    readonly callId: string;
    /** The tool's id, or the name that the model used if there is no such tool. */
    readonly tool: string;
    readonly known: boolean;
    readonly input: unknown;
    readonly outcome: CallOutcome;
    /** The result as the model reads it. */
    readonly text: string;
    readonly withoutDiscovery: boolean;
    readonly retry: number;
    readonly ms: number;
    /** The call id of the script that made the call. */
    readonly script?: string;
    readonly meta?: ResultMeta | undefined;
  },
): void {
  const { input, text, meta, ...rest } = call;
  const entry = {
    type: 'called' as const,
    ...rest,
    args: logged(input),
    // A result may have megabytes, and its first characters are enough for one line.
    summary: cut(text.slice(0, LOGGED_CHARS).replace(/\s+/g, ' ').trim(), SUMMARY_CHARS),
    resultBytes: new TextEncoder().encode(text).length,
  };
  record(entry, undefined, meta);
}

function logged(input: unknown): string {
  return cut(jsonText(input), LOGGED_CHARS);
}
