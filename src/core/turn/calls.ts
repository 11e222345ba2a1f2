// Answers the calls of one round: our own tools (search, describe, call, scripts) here, all others by the tool runner.

import { CALL_TOOL, DESCRIBE_TOOL, RESERVED_NAMES, RUN_CODE, SEARCH_TOOLS } from '../catalog/modelNames';
import type { Tool } from '../catalog/tool';
import { permissionOf } from '../code/callPermission';
import { howToRead } from '../code/keptResults';
import { partsForModel } from '../code/resultForms';
import { mayMean, noToolNamed, toolNamed, toolsNamed } from '../code/toolNamed';
import { cutResult } from '../conversation/cutResult';
import type { ToolCall, ToolResult } from '../conversation/transcript';
import { withheldOrHidden } from '../planning/withheld';
import { type ToolRun, toolMessage } from '../ports';
import { squash, wordsOf } from '../search/text/words';
import { cut } from '../util/cut';
import { asObject, isTooDeep, jsonText } from '../util/objects';
import { type Note, ownNameWords } from './argumentTexts';
import { type CallContext, nearestTools, type OpenCall, type RoundTools } from './callContext';
import { answerRunCode } from './codeCalls';
import { BEFORE_GATES, gatesOf, NESTED, outsideChoice, passAndNote } from './gates';
import { answerDescribe, argumentsOf, parseCallInput, parseDescribeInput, SERVER } from './ownToolInputs';
import { recordCall, recordCallStarted } from './recordCall';
import { unavailable } from './recordSearch';
import { answerSearchCall } from './searchCall';

/** The maximum number of characters of a call of a server that a search of its tools is offered with. */
const MAX_CALL_WORDS = 80;

/** Answers all calls of a round side by side. Returns results in the order of the calls. */
export function answerCalls(
  calls: readonly ToolCall[],
  context: CallContext,
  signal: AbortSignal,
): Promise<readonly ToolResult[]> {
  // All searches of this round add to this set, so that a tool that is found twice counts as discovered once.
  const found = new Set(context.round.discovered);
  const most = context.turn.limits.perReply;
  const surplus = toolMessage('refused', `Not run: only the first ${most} calls of a reply are answered.`);
  return Promise.all(
    calls.map((call, at) =>
      at < most ? answerCall({ call, context, found, signal }) : { callId: call.callId, ...surplus },
    ),
  );
}

/** Our own tools. Any other name belongs to a server's tool. */
const OWN_TOOLS: { readonly [name: string]: (open: OpenCall) => Promise<ToolResult> | ToolResult } = {
  [SEARCH_TOOLS]: answerSearchCall,
  // A model with scripts has only signatures, and not this tool in its list. It may ask for a definition all the same.
  [DESCRIBE_TOOL]: answerDescribeCall,
  [CALL_TOOL]: answerCallCall,
};

/** Whether a name is one of our tools in this request. An agent has these even if there is nothing to search. */
export function isOurs(name: string, context: CallContext): boolean {
  if (!Object.hasOwn(OWN_TOOLS, name)) return false;
  const { prefix, delivery, begun = [] } = context.offer;
  const isSearchable = context.round.deferred.length > 0 || prefix !== undefined;
  const isOffered = isSearchable && (name === SEARCH_TOOLS || delivery === 'bridge');
  return isOffered || begun.some((tool) => tool.server === '' && tool.name === name);
}

async function answerCall(open: OpenCall): Promise<ToolResult> {
  const { call, context } = open;
  const { prefix } = context.offer;
  if (isTooDeep(call.input)) return failed(call, NESTED);
  const inner = call.name === CALL_TOOL ? parseCallInput(call.input, prefix) : undefined;
  // A model may know call_tool from another request. What it calls passes the gates in any case.
  if (inner?.ok && findTool(inner.value.name, context.round)) return answerCallCall(open);
  if (!findTool(call.name, context.round)) {
    const refusal = outsideChoice(call.name, context);
    if (refusal) return { callId: call.callId, ...refusal };
  }
  if (call.name === RUN_CODE && context.code) return answerRunCode(open, context.code);
  // An agent has `run_code` in its list even if scripts are off.
  if (call.name === RUN_CODE && prefix !== undefined)
    return failed(call, `Scripts are off here (toolsearch.codeMode), or can't run. Use ${prefix}${CALL_TOOL}.`);
  const ours = isOurs(call.name, context) ? OWN_TOOLS[call.name] : undefined;
  return ours ? ours(open) : runTool(open, call.name, call.input);
}

function answerCallCall(open: OpenCall): Promise<ToolResult> | ToolResult {
  const { call, context } = open;
  const { prefix = '' } = context.offer;
  const parsed = parseCallInput(call.input, prefix);
  if (!parsed.ok) return failed(call, parsed.message);
  const { name: given, args, beside } = parsed.value;
  const onServer = SERVER.map((key) => `${beside[key]}_${given}`).find((name) => findTool(name, context.round));
  const name = findTool(given, context.round) ? given : (onServer ?? given);
  const own = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  if (own === CALL_TOOL) return answerCallCall({ ...open, call: { ...call, input: args } });
  if (isOurs(own, context) || (own === RUN_CODE && context.code)) return failed(call, `Call ${prefix}${own} itself.`);
  const tool = findTool(name, context.round);
  const asked = argumentsOf(parsed.value, tool);
  // Beside the tool's name, no argument can be called "name".
  const words = tool && Object.keys(beside).length > 0 ? ownNameWords(tool, asObject(asked) ?? {}) : undefined;
  return words === undefined ? runTool(open, name, asked) : failed(call, words);
}

function answerDescribeCall({ call, context }: OpenCall): ToolResult {
  const { prefix } = context.offer;
  const parsed = parseDescribeInput(call.input, prefix);
  if (!parsed.ok) return failed(call, parsed.message);
  const tools = parsed.value.map((name) => findTool(name, context.round));
  const unknown = parsed.value.filter((_, index) => tools[index] === undefined);
  const known = tools.filter((tool): tool is Tool => tool !== undefined);
  const text = JSON.stringify(answerDescribe(known, unknown, prefix));
  return { callId: call.callId, ...toolMessage(known.length > 0 ? 'ok' : 'failed', text) };
}

/** Passes the call of a server's tool through the gates, runs it and records it. */
async function runTool(open: OpenCall, name: string, asked: unknown): Promise<ToolResult> {
  const { call, context, found, signal } = open;
  const { turn, round } = context;
  const { now } = turn.services.clock;
  const tool = findTool(name, round);
  const withoutDiscovery = tool !== undefined && !found.has(tool.id) && round.deferred.some(({ id }) => id === tool.id);
  const id = tool?.id ?? name;
  const made = {
    ...BEFORE_GATES,
    asked,
    ...(call.caller === undefined ? { by: 'model' as const } : { by: 'providerCode' as const, script: call.caller }),
    round: round.number,
    callId: call.callId,
    since: now(),
    retry: turn.limits.failuresOf({ tool: id, asked }),
    withoutDiscovery,
    signal,
  };
  let run: ToolRun;
  let notes: readonly Note[] = [];
  if (tool) {
    ({ run, notes } = await passAndNote({ ...made, tool }, gatesOf(context), context, (passed) => {
      context.sink.calling(tool);
      recordCallStarted(turn.record, passed);
      return turn.runner.invoke(passed);
    }));
  } else {
    run = toolMessage('failed', await unknownTool(open, name, asked));
    turn.limits.note({ tool: name, asked }, run);
  }
  if (call.caller !== undefined) context.providerCode?.called(call.caller, tool, asObject(asked ?? {}) ?? asked, run);
  recordCall(turn.record, { ...made, tool: tool ?? name }, run, now());
  return {
    callId: call.callId,
    outcome: run.outcome,
    parts: call.caller === undefined ? [...shownParts(run, id, context), ...notes] : partsForCode(run),
    ...(withoutDiscovery ? { loaded: tool.id } : {}),
    ...(run.notRun ? { notRun: true } : {}),
  };
}

/** Returns a result as the model reads it. If a script can read the rest, it is cut where a script's output is cut. */
function shownParts(run: ToolRun, id: string, { turn, code, offer }: CallContext): ToolRun['parts'] {
  if (run.parts.every((part) => part.type === 'text' && part.text.trim() === '')) {
    const end = run.outcome === 'ok' ? 'The call succeeded.' : 'The call failed.';
    return [{ type: 'text', text: `[${end} Its result is empty.]` }];
  }
  return cutResult(partsForModel(run), {
    ...(code ? { store: (text) => code.kept.keep(id, text), maxChars: turn.settings.scriptOutputChars } : {}),
    prefix: offer.prefix,
  });
}

/** Returns only the structured content, as JSON, if there is any: code reads JSON. Our own scripts get the same. */
function partsForCode({ parts, structured }: ToolRun): ToolRun['parts'] {
  return structured === undefined ? parts : [{ type: 'text', text: JSON.stringify(structured) }];
}

/** Finds a tool of this round by any of its names. */
export function findTool(name: string, { eager, deferred }: Pick<RoundTools, 'eager' | 'deferred'>): Tool | undefined {
  return toolNamed(name, [...eager, ...deferred]);
}

async function unknownTool({ call, context, signal }: OpenCall, name: string, asked: unknown): Promise<string> {
  const { round, offer, turn, code } = context;
  const { settings, services } = turn;
  const known = withheldOrHidden(name, round.catalog, { settings, pins: services.user.pins() });
  if (known !== undefined) return known;
  const permission = permissionOf(settings);
  // The model doesn't see tools that only scripts can call.
  const onlyByCode = (tool: Tool) => call.caller === undefined && code && permission(tool) === 'code';
  const among = [...round.eager, ...round.deferred].filter((tool) => !onlyByCode(tool));
  const meant = toolsNamed(name, among);
  if (meant.length > 1) return mayMean(name, meant);
  const prefix = offer.prefix ?? '';
  const search = `${prefix}${SEARCH_TOOLS}`;
  const found = offer.delivery === 'server' ? [] : round.deferred;
  const server = found.find((tool) => squash(tool.server) === squash(name))?.server;
  if (server !== undefined) return `'${server}' is a server, not a tool. ${searchOf(server, asked, search)}`;
  const kept = howToRead(name, code?.kept, prefix);
  if (kept !== undefined) return `${noToolNamed(name, [])} ${kept}`;
  const near = RESERVED_NAMES.has(name) ? [] : await nearestTools(name, among, context, signal);
  const how = found.length > 0 ? ` ${search} finds tools.` : '';
  return [noToolNamed(name, near), how, unavailable(round.catalog)].join('');
}

/** The arguments in which models say what a server should do. */
const ACTIONS: ReadonlySet<string> = new Set(['action', 'command', 'method', 'operation', 'tool']);

/** Says how to search a server, with what a call wanted it to do. Its other arguments are data, which finds any tool. */
function searchOf(server: string, asked: unknown, search: string): string {
  const words = Object.entries(asObject(asked) ?? {}).flatMap(([name, value]) => (ACTIONS.has(name) ? [value] : []));
  const query = wordsOf(cut(words.filter((it) => typeof it === 'string').join(' '), MAX_CALL_WORDS)).join(' ');
  if (query === '') return `${search} finds its tools, with ${jsonText({ server })} beside "queries".`;
  return `This finds its tools: ${search} ${jsonText({ queries: [query], server })}`;
}

function failed(call: ToolCall, message: string): ToolResult {
  return { callId: call.callId, ...toolMessage('failed', message) };
}
