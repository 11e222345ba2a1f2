// Answers the calls of one round. Our own tools (search, describe, call, scripts) are answered here, all others by the
// tool runner.

import { CALL_TOOL, DESCRIBE_TOOL, RUN_CODE, SEARCH_TOOLS } from '../catalog/modelNames';
import type { Tool } from '../catalog/tool';
import { permissionOf, providerPermission } from '../code/callPermission';
import { scriptName } from '../code/signature';
import { toolNamed } from '../code/toolNamed';
import { partsForModel } from '../code/values';
import { changedWords, withheldTool } from '../code/withheld';
import { cutResult } from '../conversation/cutResult';
import { resultText } from '../conversation/resultText';
import type { ToolCall, ToolResult } from '../conversation/transcript';
import { hiddenNamed } from '../planning/hidden';
import { type ToolRun, toolMessage } from '../ports';
import { cut } from '../util/cut';
import { asObject, isTooDeep, jsonText, MAX_LEVELS } from '../util/objects';
import { type CallContext, nearestNames, type OpenCall, type RoundTools } from './callContext';
import { answerRunCode } from './codeCalls';
import { CODE_CALL_MS } from './providerCode';
import { recordCall, recordCallStarted } from './recordCall';
import { unavailable } from './recordSearch';
import { answerSearchCall } from './searchCall';
import { answerDescribe, parseCallInput, parseDescribeInput } from './searchTools';

/** Answers all calls of a round side by side. Returns results in the order of the calls. */
export function answerCalls(
  calls: readonly ToolCall[],
  context: CallContext,
  signal: AbortSignal,
): Promise<readonly ToolResult[]> {
  // All searches of this round add the tools that they find to this set, so that a tool found twice counts as
  // discovered once.
  const found = new Set(context.round.discovered);
  return Promise.all(calls.map((call) => answerCall({ call, context, found, signal })));
}

interface OwnTool {
  readonly answer: (open: OpenCall) => Promise<ToolResult> | ToolResult;
  readonly isOffered: (context: CallContext) => boolean;
}

/** Our own tools. Any other name belongs to a server's tool. */
const OWN_TOOLS: { readonly [name: string]: OwnTool } = {
  [SEARCH_TOOLS]: { answer: answerSearchCall, isOffered: () => true },
  [DESCRIBE_TOOL]: {
    answer: answerDescribeCall,
    // A model with scripts needs only signatures. An agent always has this tool in its list.
    isOffered: (context) => isBridge(context) && (!context.code || context.offer.prefix !== undefined),
  },
  [CALL_TOOL]: { answer: answerCallCall, isOffered: isBridge },
};

function isBridge({ offer }: CallContext): boolean {
  return offer.delivery === 'bridge';
}

/**
 * Whether a name belongs to one of our tools in this request. An agent has these tools even if there is nothing to
 * search.
 */
export function isOurs(name: string, context: CallContext): boolean {
  if (!Object.hasOwn(OWN_TOOLS, name)) return false;
  const { prefix, begun = [] } = context.offer;
  const searchable = context.round.deferred.length > 0 || prefix !== undefined;
  return (
    (searchable && OWN_TOOLS[name]?.isOffered(context) === true) ||
    begun.some((tool) => tool.server === '' && tool.name === name)
  );
}

/** The answer to an input that code can't walk. */
const NESTED = `The input nests too deeply: it has more than ${MAX_LEVELS} levels. Call again with a simpler one.`;

async function answerCall(open: OpenCall): Promise<ToolResult> {
  const { call, context } = open;
  const { prefix } = context.offer;
  if (isTooDeep(call.input)) return failed(call, NESTED);
  const other = outsideChoice(open);
  if (other) return other;
  if (call.name === RUN_CODE && context.code) return answerRunCode(open, context.code);
  // An agent has `run_code` in its list even if scripts are off.
  if (call.name === RUN_CODE && prefix !== undefined)
    return failed(call, `Scripts are off here (toolsearch.codeMode), or can't run. Use ${prefix}${CALL_TOOL}.`);
  const ours = isOurs(call.name, context) ? OWN_TOOLS[call.name] : undefined;
  return ours ? ours.answer(open) : runTool(open, call.name, call.input);
}

/**
 * Refuses a call of another tool if the user named several tools and none of them has been called yet. The check is
 * needed because only GPT's service can restrict the model to the named tools. The other tools stay in the request, so
 * that its beginning stays the same.
 */
function outsideChoice({ call, context }: OpenCall): ToolResult | undefined {
  const { choice = [], turn, round, offer } = context;
  const asked = call.name === CALL_TOOL ? parseCallInput(call.input, offer.prefix) : undefined;
  const { name, args: input } = asked?.ok ? asked.value : { name: call.name, args: call.input };
  if (choice.length < 2) return undefined;
  const tool = findTool(name, round);
  if (choice.includes(tool?.modelName ?? name)) return undefined;
  const text = `Not run: the user named ${choice.join(' and ')} for this question. Call one of them first, then any other.`;
  if (tool)
    recordCall(turn.record, {
      round: round.number,
      callId: call.callId,
      tool: tool.id,
      known: true,
      input,
      outcome: 'refused',
      text,
      withoutDiscovery: false,
      retry: 0,
      ms: 0,
    });
  return { callId: call.callId, ...toolMessage('refused', text) };
}

function answerCallCall(open: OpenCall): Promise<ToolResult> | ToolResult {
  const parsed = parseCallInput(open.call.input, open.context.offer.prefix);
  return parsed.ok ? runTool(open, parsed.value.name, parsed.value.args) : failed(open.call, parsed.message);
}

function answerDescribeCall({ call, context }: OpenCall): ToolResult {
  const { prefix } = context.offer;
  const parsed = parseDescribeInput(call.input, prefix);
  if (!parsed.ok) return failed(call, parsed.message);
  const tools = parsed.value.map((name) => findTool(name, context.round));
  const unknown = parsed.value.filter((_, index) => tools[index] === undefined);
  const known = tools.filter((tool): tool is Tool => tool !== undefined);
  return {
    callId: call.callId,
    outcome: known.length > 0 ? 'ok' : 'failed',
    parts: [{ type: 'text', text: JSON.stringify(answerDescribe(known, unknown, prefix)) }],
  };
}

/** Runs and records the call of a server's tool. */
async function runTool(open: OpenCall, name: string, input: unknown): Promise<ToolResult> {
  const { call, context, found } = open;
  const { turn, round } = context;
  const { now } = turn.services.clock;
  const started = now();
  const tool = findTool(name, round);
  const args = asObject(input ?? {});
  const withoutDiscovery = tool !== undefined && !found.has(tool.id) && round.deferred.some(({ id }) => id === tool.id);
  const id = tool?.id ?? name;
  const retry = turn.limits.failuresOf(id);
  const placed = {
    round: round.number,
    callId: call.callId,
    ...(call.caller === undefined ? {} : { script: call.caller }),
  };
  let run: ToolRun;
  if (tool) {
    run = await turn.limits.run(tool, async () => {
      if (!args) return notAnObject(name, input);
      // The arguments may come as a text of JSON, which the check of the whole input doesn't see.
      if (isTooDeep(args)) return toolMessage('invalid', NESTED);
      const refusal = refusalFor(open, tool);
      if (refusal) return refusal;
      context.sink.calling(tool);
      recordCallStarted(turn.record, tool, { ...placed, input: args });
      return call.caller === undefined ? turn.runner.run(tool, args, open.signal) : runForCode(open, tool, args);
    });
  } else {
    run = toolMessage('failed', await unknownTool(open, name));
    turn.limits.note(name, run.outcome);
  }
  if (call.caller !== undefined) context.providerCode?.called(call.caller, tool, args ?? input, run);
  recordCall(turn.record, {
    ...placed,
    tool: id,
    known: tool !== undefined,
    input: args ?? input,
    outcome: run.outcome,
    text: resultText(run),
    withoutDiscovery,
    retry,
    ms: now() - started,
    meta: run.meta,
  });
  const kept = context.code?.kept;
  return {
    callId: call.callId,
    outcome: run.outcome,
    parts: cutResult(call.caller === undefined ? partsForModel(run) : partsForCode(run), {
      ...(kept ? { keep: (text) => kept.keep(id, text) } : {}),
      prefix: context.offer.prefix,
    }),
    ...(withoutDiscovery ? { loaded: tool.id } : {}),
    ...(run.notRun ? { notRun: true } : {}),
  };
}

/**
 * Returns a refusal if `toolsearch.allowedCallers` doesn't let the model, its code or an agent call this tool;
 * otherwise undefined.
 */
function refusalFor({ call, context }: OpenCall, tool: Tool): ToolRun | undefined {
  const { turn, offer, code, offersProviderCode } = context;
  if (call.caller !== undefined)
    return providerPermission(turn.settings)(tool)
      ? undefined
      : toolMessage('refused', `${tool.modelName} can only be called directly (toolsearch.allowedCallers).`);
  if (permissionOf(turn.settings)(tool) !== 'code') return undefined;
  // Claude and GPT treat the list of permitted callers as advice, so a direct call can still come.
  if (!code && offersProviderCode)
    return toolMessage(
      'refused',
      `${tool.modelName} can only be called from the code that you run (toolsearch.allowedCallers). Call it from there.`,
    );
  if (!code) return undefined;
  const how = `Use ${offer.prefix ?? ''}${RUN_CODE}: await tools.${scriptName(tool.modelName)}({ … }).`;
  return toolMessage(
    'refused',
    `${tool.modelName} can only be called from a script (toolsearch.allowedCallers). ${how}`,
  );
}

/** Runs a call that the provider's code made. Answers before that code's time limit. */
async function runForCode(
  { context: { turn }, signal }: OpenCall,
  tool: Tool,
  args: { readonly [name: string]: unknown },
): Promise<ToolRun> {
  const late = new AbortController();
  const stopTimer = turn.services.clock.timer(() => late.abort(), CODE_CALL_MS);
  try {
    const run = await turn.runner.run(tool, args, AbortSignal.any([signal, late.signal]));
    if (!late.signal.aborted) return run;
    const minutes = CODE_CALL_MS / 60_000;
    return toolMessage(
      'cancelled',
      `${tool.modelName} did not end within ${minutes} minutes, the user's yes included. It may have run.`,
    );
  } finally {
    stopTimer();
  }
}

/**
 * Returns only the structured content as JSON if a tool gives any, since code reads JSON. Our own scripts get the same.
 */
function partsForCode({ parts, structured }: ToolRun): ToolRun['parts'] {
  return structured === undefined ? parts : [{ type: 'text', text: JSON.stringify(structured) }];
}

/** Finds a tool of this round by any of its names. */
export function findTool(name: string, { eager, deferred }: Pick<RoundTools, 'eager' | 'deferred'>): Tool | undefined {
  return toolNamed(name, [...eager, ...deferred]);
}

function notAnObject(name: string, input: unknown): ToolRun {
  const sent = cut(jsonText(input) || 'nothing', 80);
  return toolMessage(
    'invalid',
    `The arguments of ${name} must be a JSON object, not ${sent}. Call it again with an object.`,
  );
}

async function unknownTool({ call, context, signal }: OpenCall, name: string): Promise<string> {
  const { round, offer, turn, code } = context;
  const withheld = withheldTool(name, round.catalog);
  if (withheld) return changedWords(withheld);
  const hidden = hiddenNamed(name, round.catalog.tools, {
    settings: turn.settings,
    pins: turn.services.user.pins(),
  });
  if (hidden !== undefined) return hidden;
  const permission = permissionOf(turn.settings);
  // The model doesn't see tools that only scripts can call.
  const onlyByCode = (tool: Tool) => call.caller === undefined && code && permission(tool) === 'code';
  const among = [...round.eager, ...round.deferred].filter((tool) => !onlyByCode(tool));
  const near = await nearestNames(name, among, context, signal);
  return [
    `There is no tool named '${cut(name, 80)}'.`,
    near.length > 0 ? ` Nearest: ${near.join(', ')}.` : '',
    round.deferred.length > 0 && offer.delivery !== 'server'
      ? ` ${offer.prefix ?? ''}${SEARCH_TOOLS} finds tools.`
      : '',
    unavailable(round.catalog),
  ].join('');
}

function failed(call: ToolCall, message: string): ToolResult {
  return { callId: call.callId, ...toolMessage('failed', message) };
}
