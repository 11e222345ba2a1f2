import { CALL_TOOL, DESCRIBE_TOOL, RUN_CODE, SEARCH_TOOLS } from '../catalog/modelNames';
import type { Tool } from '../catalog/tool';
import { permissionOf, providerPermission } from '../code/callPermission';
import { cutResult } from '../code/cutResult';
import { scriptName } from '../code/signature';
import { toolNamed } from '../code/toolNamed';
import { changedWords, withheldTool } from '../code/withheld';
import { resultText } from '../conversation/resultText';
import type { ToolCall, ToolResult } from '../conversation/transcript';
import { type ToolRun, toolMessage } from '../ports';
import { cut } from '../util/cut';
import { asObject } from '../util/objects';
import { type CallDeps, nearestNames } from './callDeps';
import { answerRunCode } from './codeCalls';
import { CODE_CALL_MS } from './providerCode';
import { recordCall, recordCallStarted } from './recordCall';
import { recordDiscovered, searchEntry, searchedEntry, unavailable } from './recordSearch';
import {
  type AnsweredQuery,
  answerDescribe,
  answerSearch,
  parseCallInput,
  parseDescribeInput,
  parseSearchInput,
} from './searchTools';

/** Answers all calls of a round, side by side; results come in the order of the calls. */
export function answerCalls(
  calls: readonly ToolCall[],
  deps: CallDeps,
  signal: AbortSignal,
): Promise<readonly ToolResult[]> {
  // Grows as searches of this round return, so that a tool found twice is discovered once.
  const found = new Set(deps.discovered);
  return Promise.all(calls.map((call) => answerCall(call, deps, found, signal)));
}

type Answer = (call: ToolCall, deps: CallDeps, found: Set<string>, signal: AbortSignal) => Promise<ToolResult>;

/** Our own tools: who answers a call of each, and with which deliveries it is there. Any other name is a tool's. */
const OURS: { readonly [name: string]: { readonly answer: Answer; readonly offered: (deps: CallDeps) => boolean } } = {
  [SEARCH_TOOLS]: { answer: answerSearchCall, offered: () => true },
  [DESCRIBE_TOOL]: {
    answer: async (call, deps) => answerDescribeCall(call, deps),
    // Signatures fit, so a bridge with scripts does without; an agent has it anyway.
    offered: (deps) => isBridge(deps) && (!deps.code || deps.prefix !== undefined),
  },
  [CALL_TOOL]: { answer: answerCallCall, offered: isBridge },
};

function isBridge({ delivery }: CallDeps): boolean {
  return delivery === 'bridge';
}

/** Whether a name is that of a tool of ours in this request. An agent has our tools even where there is nothing to search. */
export function isOurs(name: string, deps: CallDeps): boolean {
  const searchable = deps.deferred.length > 0 || deps.prefix !== undefined;
  return searchable && Object.hasOwn(OURS, name) && OURS[name]?.offered(deps) === true;
}

function answerCall(call: ToolCall, deps: CallDeps, found: Set<string>, signal: AbortSignal): Promise<ToolResult> {
  if (call.name === RUN_CODE && deps.code) return answerRunCode(call, deps, deps.code, signal);
  // Agents see it in their list all the same.
  if (call.name === RUN_CODE && deps.prefix !== undefined)
    return Promise.resolve(
      failed(call, `Scripts are off here (toolsearch.codeMode), or can't run. Use ${deps.prefix}${CALL_TOOL}.`),
    );
  const ours = isOurs(call.name, deps) ? OURS[call.name] : undefined;
  return ours ? ours.answer(call, deps, found, signal) : runTool(call, call.name, call.input, deps, found, signal);
}

async function answerCallCall(
  call: ToolCall,
  deps: CallDeps,
  found: Set<string>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const parsed = parseCallInput(call.input, deps.prefix);
  return parsed.ok
    ? runTool(call, parsed.value.name, parsed.value.args, deps, found, signal)
    : failed(call, parsed.message);
}

async function answerSearchCall(
  call: ToolCall,
  deps: CallDeps,
  found: Set<string>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const parsed = parseSearchInput(call.input, deps.settings, deps.prefix);
  if (!parsed.ok) {
    const query = JSON.stringify(call.input) ?? '';
    deps.record({
      ...searchEntry(call.callId, query, deps.strategy, deps),
      limit: deps.settings.maxResults,
      note: parsed.message,
      failed: true,
    });
    return failed(call, parsed.message);
  }
  const { queries, server, readOnly, limit } = parsed.value;
  const strategy = parsed.value.strategy ?? deps.strategy;
  deps.sink.searching(queries);
  const candidates = new Set(deps.deferred.map((tool) => tool.id));
  const asked = { ...(server ? { server } : {}), ...(readOnly ? { readOnly } : {}) };
  const ask = (query: string) =>
    deps.search.search({ ...asked, query, queries, strategy, limit, candidates, discovered: deps.discovered }, signal);
  const answers: AnsweredQuery[] = await Promise.all(
    queries.map(async (query) => ({ query, outcome: await ask(query) })),
  );
  const answer = answerSearch({
    answers,
    delivery: deps.delivery,
    catalog: deps.catalog,
    totalDeferred: deps.deferred.length,
    alreadyListed: await namedEager(queries, deps, signal),
    maxTools: deps.settings.maxResultsLimit,
    limit,
    ...(deps.code ? { shapes: deps.code.shapes } : {}),
    ...(deps.prefix === undefined ? {} : { prefix: deps.prefix }),
  });
  for (const { query, outcome } of answers) {
    deps.record(searchedEntry(call.callId, query, outcome, { limit, server }, deps));
    if (!outcome.ok || !outcome.warning) continue;
    deps.warn(outcome.warning);
    // The strategy failed: from here on the turn's answers came by another.
    deps.record({ type: 'replanned', strategy: { name: outcome.strategy, why: outcome.why ?? outcome.warning } });
  }
  recordDiscovered(answer.found, found, deps);
  const used = answers.find(({ outcome }) => outcome.ok)?.outcome.strategy ?? strategy;
  const rendered = deps.renderResult ? await deps.renderResult(answer.json, signal) : {};
  if (rendered.warning) deps.warn(rendered.warning);
  return {
    callId: call.callId,
    outcome: answers.every(({ outcome }) => !outcome.ok) ? 'failed' : 'ok',
    parts: [{ type: 'text', text: rendered.text ?? JSON.stringify(answer.json) }],
    search: { queries, strategy: used, found: answer.found.map((tool) => tool.id) },
    ...(answer.remarks === '' ? {} : { remarks: answer.remarks }),
  };
}

/** Eager tools that a query names: a model that searches for what it has would otherwise be told that there is nothing. */
async function namedEager(queries: readonly string[], deps: CallDeps, signal: AbortSignal): Promise<readonly string[]> {
  if (deps.eager.length === 0) return [];
  const candidates = new Set(deps.eager.map((tool) => tool.id));
  const outcomes = await Promise.all(
    queries.map((query) => deps.search.search({ query, strategy: 'exact', limit: 3, candidates }, signal)),
  );
  return [...new Set(outcomes.flatMap((outcome) => (outcome.ok ? outcome.hits.map((hit) => hit.tool.modelName) : [])))];
}

function answerDescribeCall(call: ToolCall, deps: CallDeps): ToolResult {
  const parsed = parseDescribeInput(call.input, deps.prefix);
  if (!parsed.ok) return failed(call, parsed.message);
  const tools = parsed.value.map((name) => findTool(name, deps));
  const unknown = parsed.value.filter((_, index) => tools[index] === undefined);
  const known = tools.filter((tool): tool is Tool => tool !== undefined);
  return {
    callId: call.callId,
    outcome: known.length > 0 ? 'ok' : 'failed',
    parts: [{ type: 'text', text: JSON.stringify(answerDescribe(known, unknown, deps.prefix)) }],
  };
}

async function runTool(
  call: ToolCall,
  name: string,
  input: unknown,
  deps: CallDeps,
  found: Set<string>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const started = deps.now();
  const tool = findTool(name, deps);
  const args = asObject(input ?? {});
  const withoutDiscovery =
    tool !== undefined && !found.has(tool.id) && deps.deferred.some((deferred) => deferred.id === tool.id);
  const id = tool?.id ?? name;
  const retry = deps.calls.failuresOf(id);
  const placed = {
    round: deps.round,
    callId: call.callId,
    ...(call.caller === undefined ? {} : { script: call.caller }),
  };
  let run: ToolRun;
  if (tool) {
    run = await deps.calls.run(tool, async () => {
      if (!args) return notAnObject(name, input);
      if (call.caller === undefined && deps.code && permissionOf(deps.settings)(tool) === 'code')
        return onlyByCode(tool, deps);
      deps.sink.calling(tool);
      recordCallStarted(deps.record, tool, { ...placed, input: args });
      return call.caller === undefined ? deps.runner.run(tool, args, signal) : runForCode(tool, args, deps, signal);
    });
  } else {
    run = toolMessage('failed', await unknownTool(name, call.caller === undefined, deps, signal));
    deps.calls.note(name, run.outcome);
  }
  if (call.caller !== undefined) deps.providerCode?.called(call.caller, tool, args ?? input, run);
  recordCall(deps.record, {
    ...placed,
    tool: id,
    known: tool !== undefined,
    input: args ?? input,
    outcome: run.outcome,
    text: resultText(run),
    withoutDiscovery,
    retry,
    ms: deps.now() - started,
  });
  const kept = deps.code?.kept;
  const parts = cutResult(call.caller === undefined ? run.parts : partsForCode(run), {
    ...(kept ? { keep: (text) => kept.keep(id, text) } : {}),
    ...(deps.prefix === undefined ? {} : { prefix: deps.prefix }),
  });
  return {
    callId: call.callId,
    outcome: run.outcome,
    parts,
    ...(withoutDiscovery ? { loaded: tool.id } : {}),
    ...(run.notRun ? { notRun: true } : {}),
  };
}

/** A tool that the user left to scripts. */
function onlyByCode(tool: Tool, { prefix = '' }: CallDeps): ToolRun {
  const how = `Use ${prefix}${RUN_CODE}: await tools.${scriptName(tool.modelName)}({ … }).`;
  return toolMessage(
    'refused',
    `${tool.modelName} can only be called from a script (toolsearch.allowedCallers). ${how}`,
  );
}

/** Runs a call of the provider's code: only of a tool that the user lets code call, and answered before the code gives up. */
async function runForCode(
  tool: Tool,
  args: { readonly [name: string]: unknown },
  deps: CallDeps,
  signal: AbortSignal,
): Promise<ToolRun> {
  if (!providerPermission(deps.settings)(tool))
    return toolMessage('refused', `${tool.modelName} can only be called directly (toolsearch.allowedCallers).`);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), CODE_CALL_MS);
  try {
    const run = await deps.runner.run(tool, args, AbortSignal.any([signal, late.signal]));
    if (!late.signal.aborted || signal.aborted) return run;
    const minutes = CODE_CALL_MS / 60_000;
    return toolMessage(
      'cancelled',
      `${tool.modelName} did not end within ${minutes} minutes, the user's yes included. It may have run.`,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Code reads JSON where a tool gives it: as our own scripts do, the structured content alone. */
function partsForCode({ parts, structured }: ToolRun): ToolRun['parts'] {
  return structured === undefined ? parts : [{ type: 'text', text: JSON.stringify(structured) }];
}

/** A tool of this turn by any of its names. */
export function findTool(name: string, deps: Pick<CallDeps, 'eager' | 'deferred'>): Tool | undefined {
  return toolNamed(name, [...deps.eager, ...deps.deferred]);
}

function notAnObject(name: string, input: unknown): ToolRun {
  const sent = cut(JSON.stringify(input) ?? 'nothing', 80);
  return toolMessage(
    'failed',
    `The arguments of ${name} must be a JSON object, not ${sent}. Call it again with an object.`,
  );
}

/** @param byModel whether the model itself called: to it no tool is named that only scripts can call */
async function unknownTool(name: string, byModel: boolean, deps: CallDeps, signal: AbortSignal): Promise<string> {
  const withheld = withheldTool(name, deps.catalog);
  if (withheld) return changedWords(withheld);
  const callerOf = permissionOf(deps.settings);
  const among = [...deps.eager, ...deps.deferred].filter(
    (tool) => !(byModel && deps.code && callerOf(tool) === 'code'),
  );
  const near = await nearestNames(name, among, deps, signal);
  return `There is no tool named '${cut(name, 80)}'.${near.length > 0 ? ` Nearest: ${near.join(', ')}.` : ''}${deps.deferred.length > 0 && deps.delivery !== 'server' ? ` ${deps.prefix ?? ''}${SEARCH_TOOLS} finds tools.` : ''}${unavailable(deps.catalog)}`;
}

function failed(call: ToolCall, message: string): ToolResult {
  return { callId: call.callId, ...toolMessage('failed', message) };
}
