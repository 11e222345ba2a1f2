import { type EventOf, eventsOf, type LedgerEvent } from '../../core/ledger/events';
import { keptFromModel } from '../../core/usage/roundTokens';
import type { EventView, ScriptCallsView, ScriptView } from '../protocol/view';
import { cutBytes } from '../text/bytes';

/** The maximum number of bytes of code and of other texts. A row with all its details is one message. */
const MAX_CODE = 30_000;
const MAX_OUTPUT = 8_000;
const MAX_LINE = 400;
/** The maximum number of tools that are listed individually. */
const MAX_TOOLS = 60;

/**
 * Returns a script with its code, its end, and its calls grouped by tool. Hundreds of single calls would be hard to
 * read.
 */
export function scriptView(
  started: EventOf<'scriptStarted'>,
  events: readonly LedgerEvent[],
  nameOf: (id: string) => { readonly server: string; readonly name: string },
): ScriptView & Pick<EventView, 'ms'> {
  // Code of the provider can wait for calls over many rounds. Ids of our own scripts may be repeated in a later round.
  const here = (round: number) => started.where === 'provider' || round === started.round;
  const own = events.filter((event) => 'script' in event && event.script === started.callId && here(event.round));
  const calls = eventsOf(own, 'called');
  const end = eventsOf(events, 'scriptEnded').find(
    ({ callId, round }) => callId === started.callId && round === started.round,
  );
  // If the window was reloaded while the script ran, no end was recorded.
  const left = end === undefined && events.some((event) => event.type === 'turnEnded');
  return {
    title: cutBytes(started.title, MAX_LINE),
    code: cutBytes(started.code, MAX_CODE),
    provider: started.where === 'provider',
    outcome: end?.outcome ?? (left ? 'cancelled' : undefined),
    calls: end?.calls ?? calls.length,
    failed: end?.failed ?? calls.filter((call) => call.outcome !== 'ok').length,
    searches: eventsOf(own, 'searched').length,
    servers: end?.servers ?? [...new Set(calls.filter((call) => call.known).map((call) => nameOf(call.tool).server))],
    byTool: foldCalls(calls, nameOf),
    ...(end ? { ms: end.ms, keptFromModel: keptFromModel(end), output: cutBytes(end.output, MAX_OUTPUT) } : {}),
    ...(end?.note === undefined ? {} : { note: cutBytes(end.note, MAX_LINE) }),
    ...(end?.line === undefined ? {} : { line: end.line }),
  };
}

/** Groups calls by tool, in the order of the first calls. Each group has the summary of its last failure. */
function foldCalls(
  calls: readonly EventOf<'called'>[],
  nameOf: (id: string) => { readonly server: string; readonly name: string },
): readonly ScriptCallsView[] {
  const byTool = new Map<string, ScriptCallsView>();
  for (const call of calls) {
    const before = byTool.get(call.tool);
    if (!before && byTool.size >= MAX_TOOLS) continue;
    const failed = call.outcome !== 'ok';
    const summary = failed || !before ? cutBytes(call.summary, MAX_LINE) : before.summary;
    byTool.set(call.tool, {
      tool: call.tool,
      ...(call.known ? nameOf(call.tool) : { name: cutBytes(call.tool, MAX_LINE) }),
      times: (before?.times ?? 0) + 1,
      failed: (before?.failed ?? 0) + (failed ? 1 : 0),
      ms: (before?.ms ?? 0) + call.ms,
      summary,
    });
  }
  return [...byTool.values()];
}
