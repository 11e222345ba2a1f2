import { RUN_CODE } from '../catalog/modelNames';
import type { Tool } from '../catalog/tool';
import { permissionOf } from '../code/callPermission';
import { runCode } from '../code/runCode';
import type { ScriptDeps } from '../code/script';
import type { CodeDeps } from '../code/scriptHost';
import { changedWords, withheldTool } from '../code/withheld';
import { resultText } from '../conversation/resultText';
import type { ToolCall, ToolResult } from '../conversation/transcript';
import type { ToolRun } from '../ports';
import { type CallDeps, nearestNames } from './callDeps';
import { recordCall } from './recordCall';
import { searchedEntry } from './recordSearch';

/** Answers a call of `run_code`. A script counts as one call of the turn; what it calls is recorded under its name. */
export async function answerRunCode(
  call: ToolCall,
  deps: CallDeps,
  code: CodeDeps,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { callId } = call;
  const refusal = deps.calls.admit({ id: RUN_CODE, modelName: `${deps.prefix ?? ''}${RUN_CODE}` });
  if (refusal) return { callId, ...refusal };
  const { settings, round, now, record } = deps;
  const run = await runCode(
    call.input,
    {
      callId,
      round,
      script: scriptDepsOf(callId, deps, code),
      prefix: deps.prefix,
      scriptSeconds: settings.scriptSeconds,
      scriptOutputChars: settings.scriptOutputChars,
      redact: code.redact,
      now,
      record,
      onStart: (title) => deps.sink.running?.(title),
    },
    signal,
  );
  deps.calls.note(RUN_CODE, run.outcome);
  return { callId, ...run };
}

function scriptDepsOf(script: string, deps: CallDeps, code: CodeDeps): ScriptDeps {
  const { settings, calls, runner, search } = deps;
  const note = (tool: Tool | undefined, name: string, args: unknown, run: ToolRun, started: number) =>
    recordCall(deps.record, {
      round: deps.round,
      callId: script,
      tool: tool?.id ?? name,
      known: tool !== undefined,
      input: args,
      outcome: run.outcome,
      text: resultText(run),
      withoutDiscovery: false,
      retry: 0,
      ms: deps.now() - started,
      script,
    });
  return {
    ...code,
    limits: { computeMs: settings.scriptSeconds * 1000, calls: settings.callsPerScript },
    countedCalls: settings.toolCallsPerTurn,
    tools: [...deps.eager, ...deps.deferred],
    callerOf: permissionOf(settings),
    run: async (tool, args, signal, inOrder) => {
      const started = deps.now();
      const run = await runner.run(tool, args, signal, (start) => inOrder(() => calls.inOrder(tool, start)));
      note(tool, tool.modelName, args, run, started);
      return run;
    },
    refused: (tool, name, args, run) => note(tool, name, args, run, deps.now()),
    search: async (query, among, { limit, server }, signal) => {
      const most = Math.min(settings.maxResultsLimit, Math.max(1, Math.floor(limit ?? settings.maxResults)));
      const candidates = new Set(among.map((tool) => tool.id));
      const outcome = await search.search(
        { query, strategy: deps.strategy, limit: most, candidates, ...(server === undefined ? {} : { server }) },
        signal,
      );
      deps.record({ ...searchedEntry(script, query, outcome, { limit: most, server }, deps), script });
      return outcome;
    },
    whyNot: (name) => {
      const withheld = withheldTool(name, deps.catalog);
      return withheld && changedWords(withheld);
    },
    nearest: (name, among, signal) => nearestNames(name, among, deps, signal),
  };
}
