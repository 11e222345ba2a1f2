// Answers a call of `run_code`: gives a script the turn's tools, searches and limits, and records what it does.

import { RUN_CODE } from '../catalog/modelNames';
import { permissionOf } from '../code/callPermission';
import type { CodeDeps } from '../code/codeDeps';
import { runCode } from '../code/runCode';
import type { ScriptDeps } from '../code/runScript';
import { scriptName } from '../code/scriptName';
import type { ToolResult } from '../conversation/transcript';
import { hiddenBy } from '../planning/hidden';
import { withheldOrHidden } from '../planning/withheld';
import type { Call } from '../ports';
import { type CallContext, nearestTools, type OpenCall, recordingOf } from './callContext';
import { BEFORE_GATES, type Gates, gatesOf, passAndNote } from './gates';
import { mostTools } from './ownToolInputs';
import { recordCall } from './recordCall';
import { searchedEntry } from './recordSearch';

/** The maximum number of notes after a script's output. */
const MAX_NOTES = 3;

/** Answers a call of `run_code`. A script counts as one call of the turn. Its own calls are recorded under its id. */
export async function answerRunCode(
  { call: { callId, input }, context, signal }: OpenCall,
  code: CodeDeps,
): Promise<ToolResult> {
  const { turn, round, offer, sink } = context;
  const prefix = offer.prefix ?? '';
  const refusal = turn.limits.admit(undefined);
  if (refusal) return { callId, ...refusal };
  const noted = new Set<string>();
  const run = await runCode(
    input,
    {
      place: { callId, round: round.number },
      script: scriptDepsOf(callId, context, code, noted),
      prefix,
      settings: turn.settings,
      now: turn.services.clock.now,
      record: turn.record,
      onStart: (title) => sink.running?.(title),
    },
    signal,
  );
  turn.limits.note({ tool: RUN_CODE, asked: input }, run);
  const notes = [...noted].slice(0, MAX_NOTES).map((text) => ({ type: 'text' as const, text }));
  return { callId, ...run, parts: [...run.parts, ...notes] };
}

function scriptDepsOf(script: string, context: CallContext, code: CodeDeps, noted: Set<string>): ScriptDeps {
  const { turn, round, offer } = context;
  const { settings, runner, services } = turn;
  const { now } = services.clock;
  const began = [...round.eager, ...round.deferred];
  const hides = hiddenBy({ settings, pins: services.user.pins() });
  /** Returns the tools that read the links in results of this script's calls. */
  const newReaders = () => {
    const { catalog } = services.source;
    if (catalog.revision === round.catalog.revision) return [];
    return catalog.tools.filter(
      (tool) => tool.item?.kind === 'linked' && !round.catalog.byId.has(tool.id) && !hides(tool),
    );
  };
  const gates = gatesOf(context);
  const made = (asked: unknown): Omit<Call, 'tool' | 'signal'> => ({
    ...BEFORE_GATES,
    asked,
    by: 'script',
    script,
    round: round.number,
    callId: script,
    since: now(),
    retry: 0,
    withoutDiscovery: false,
  });
  return {
    code,
    limits: {
      computeMs: settings.scriptSeconds * 1000,
      calls: settings.callsPerScript,
      counted: settings.toolCallsPerTurn,
    },
    get tools() {
      return [...began, ...newReaders()];
    },
    permission: permissionOf(settings),
    turn: {
      run: async (tool, args, signal, beside) => {
        const call = { ...made(args), tool, signal };
        const own: Gates = {
          ...gates,
          // The limits apply to the whole script, not to its calls.
          limits: (passed, goOn) => turn.limits.inLine(passed.tool, () => goOn(passed)),
          order: (passed, goOn) => beside(() => gates.order(passed, goOn)),
        };
        const { run, notes } = await passAndNote(call, own, context, (passed) => runner.invoke(passed));
        if (run.answered) turn.limits.note(call, run);
        recordCall(turn.record, call, run, now());
        if (run.answered) return { ...run, parts: [...run.parts, ...notes] };
        for (const { text } of notes) noted.add(`${scriptName(tool.modelName)}: ${text}`);
        return run;
      },
      refused: (tool, args, run) => recordCall(turn.record, { ...made(args), tool }, run, now()),
      search: async (query, among, { limit, server }, signal) => {
        const most = Math.min(mostTools(settings), Math.max(1, Math.floor(limit ?? settings.maxResults)));
        const candidates = new Set(among.map((tool) => tool.id));
        const outcome = await services.search.search(
          {
            query,
            strategy: offer.strategy,
            limit: most,
            namedLimit: mostTools(settings),
            candidates,
            asker: { turn: turn.info, discovered: round.discovered },
            ...(server === undefined ? {} : { server }),
          },
          signal,
        );
        const asked = { callId: script, query, limit: most, server };
        turn.record({ ...searchedEntry(outcome, asked, recordingOf(context)), script });
        return outcome;
      },
      whyNot: (name) => withheldOrHidden(name, round.catalog, { settings, pins: services.user.pins() }),
      nearest: (name, among, signal) => nearestTools(name, among, context, signal),
    },
  };
}
