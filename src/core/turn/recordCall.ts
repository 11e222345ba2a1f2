import type { Tool } from '../catalog/tool';
import type { ValueOrigin } from '../conversation/origins';
import type { CallOutcome } from '../conversation/transcript';
import type { RecordEntry } from '../ledger/ledger';
import type { ResultMeta } from '../ports';
import { cut } from '../util/cut';

/** How much of a call's arguments and result the ledger keeps, in characters. */
const LOGGED_CHARS = 2_000;
const SUMMARY_CHARS = 200;

/** Records that a call begins that may change something: one that only reads may as well be made again. */
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

/** Records a call of a tool and what came of it, whoever ran it. */
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
    /** The result as a model reads it. */
    readonly text: string;
    readonly withoutDiscovery: boolean;
    readonly retry: number;
    readonly ms: number;
    /** The call id of the script that called it. */
    readonly script?: string;
    readonly origins?: readonly ValueOrigin[];
    readonly meta?: ResultMeta | undefined;
  },
): void {
  const { input, text, meta, ...rest } = call;
  const entry = {
    type: 'called' as const,
    ...rest,
    args: logged(input),
    // Of a result of megabytes the first words are enough to make a line of.
    summary: cut(text.slice(0, LOGGED_CHARS).replace(/\s+/g, ' ').trim(), SUMMARY_CHARS),
    resultBytes: new TextEncoder().encode(text).length,
  };
  record(entry, undefined, meta);
}

function logged(input: unknown): string {
  return cut(JSON.stringify(input) ?? '', LOGGED_CHARS);
}
