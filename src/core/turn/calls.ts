import type { Catalog } from '../catalog/catalog';
import { CALL_TOOL, DESCRIBE_TOOL, SEARCH_TOOLS } from '../catalog/modelNames';
import type { Tool } from '../catalog/tool';
import type { RenderResult } from '../hooks/resultRenderer';
import type { LedgerEntry } from '../ledger/ledger';
import type { DeliveryName } from '../ports';
import { type ToolRun, type ToolRunner, told } from '../ports';
import type { SearchPort } from '../search/types';
import type { Settings } from '../settings/settings';
import { cut } from '../text/cut';
import { asObject } from '../text/objects';
import type { TokenMeter } from '../tokens/tokens';
import { resultText } from '../transcript/resultText';
import type { ToolCall, ToolResult } from '../transcript/transcript';
import { recordDiscovered, searchEntry, searchedEntry, unavailable } from './recordSearch';
import { type AnsweredQuery, answerDescribe, answerSearch, parseCallInput, parseDescribeInput, parseSearchInput } from './searchTools';
import type { TurnCalls } from './turnCalls';

/** What calls are answered with and recorded to. */
export interface CallContext {
  readonly round: number;
  readonly catalog: Catalog;
  readonly eager: readonly Tool[];
  readonly deferred: readonly Tool[];
  /** Ids that were discovered before this round. */
  readonly discovered: ReadonlySet<string>;
  readonly strategy: string;
  readonly delivery: DeliveryName;
  /** Stands before the names of our tools, where an agent has them under longer ones. */
  readonly prefix?: string;
  readonly settings: Settings;
  readonly search: SearchPort;
  readonly runner: ToolRunner;
  /** All calls of this turn so far. */
  readonly calls: TurnCalls;
  readonly meter: TokenMeter;
  readonly now: () => number;
  readonly renderResult?: RenderResult;
  readonly record: (entry: LedgerEntry) => void;
  readonly sink: { searching(queries: readonly string[]): void; found(tools: readonly Tool[]): void; calling(tool: Tool): void };
  readonly warn: (message: string) => void;
}

/** How much of a call's arguments and result the ledger keeps, in characters. */
const LOGGED_CHARS = 2_000;
const SUMMARY_CHARS = 200;

/** Answers all calls of a round, side by side; results come in the order of the calls. */
export function answerCalls(calls: readonly ToolCall[], context: CallContext, signal: AbortSignal): Promise<readonly ToolResult[]> {
  // Grows as searches of this round return, so that a tool found twice is discovered once.
  const found = new Set(context.discovered);
  return Promise.all(calls.map((call) => answerCall(call, context, found, signal)));
}

function answerCall(call: ToolCall, context: CallContext, found: Set<string>, signal: AbortSignal): Promise<ToolResult> {
  // An agent has our tools even where there is nothing to search.
  const searchable = context.deferred.length > 0 || context.prefix !== undefined;
  if (searchable && call.name === SEARCH_TOOLS) return answerSearchCall(call, context, found, signal);
  if (searchable && context.delivery === 'bridge' && call.name === DESCRIBE_TOOL) return Promise.resolve(answerDescribeCall(call, context));
  if (searchable && context.delivery === 'bridge' && call.name === CALL_TOOL) {
    const parsed = parseCallInput(call.input);
    return parsed.ok
      ? runTool(call, parsed.value.name, parsed.value.args, context, found, signal)
      : Promise.resolve(failed(call, parsed.message));
  }
  return runTool(call, call.name, call.input, context, found, signal);
}

async function answerSearchCall(call: ToolCall, context: CallContext, found: Set<string>, signal: AbortSignal): Promise<ToolResult> {
  const parsed = parseSearchInput(call.input, context.settings);
  if (!parsed.ok) {
    const query = JSON.stringify(call.input) ?? '';
    context.record({
      ...searchEntry(call.callId, query, context.strategy, context),
      limit: context.settings.maxResults,
      note: parsed.message,
      failed: true,
    });
    return failed(call, parsed.message);
  }
  const { queries, server, limit } = parsed.value;
  const strategy = parsed.value.strategy ?? context.strategy;
  context.sink.searching(queries);
  const candidates = new Set(context.deferred.map((tool) => tool.id));
  const ask = (query: string) =>
    context.search.search({ query, strategy, limit, candidates, discovered: context.discovered, ...(server ? { server } : {}) }, signal);
  const answers: AnsweredQuery[] = await Promise.all(queries.map(async (query) => ({ query, outcome: await ask(query) })));
  const answer = answerSearch({
    answers,
    delivery: context.delivery,
    catalog: context.catalog,
    totalDeferred: context.deferred.length,
    alreadyListed: await namedEager(queries, context, signal),
    maxTools: context.settings.maxResultsLimit,
    ...(context.prefix === undefined ? {} : { prefix: context.prefix }),
  });
  for (const { query, outcome } of answers) {
    context.record(searchedEntry(call.callId, query, outcome, { limit, server }, context));
    if (outcome.ok && outcome.warning) context.warn(outcome.warning);
  }
  recordDiscovered(answer.found, found, context);
  const used = answers.find(({ outcome }) => outcome.ok)?.outcome.strategy ?? strategy;
  const rendered = context.renderResult ? await context.renderResult(answer.json, signal) : {};
  if (rendered.warning) context.warn(rendered.warning);
  return {
    callId: call.callId,
    outcome: answers.every(({ outcome }) => !outcome.ok) ? 'failed' : 'ok',
    parts: [{ type: 'text', text: rendered.text ?? JSON.stringify(answer.json) }],
    search: { queries, strategy: used, found: answer.found.map((tool) => tool.id) },
  };
}

/** Eager tools that a query names: a model that searches for what it has would otherwise be told that there is nothing. */
async function namedEager(queries: readonly string[], context: CallContext, signal: AbortSignal): Promise<readonly string[]> {
  if (context.eager.length === 0) return [];
  const candidates = new Set(context.eager.map((tool) => tool.id));
  const outcomes = await Promise.all(
    queries.map((query) => context.search.search({ query, strategy: 'exact', limit: 3, candidates }, signal)),
  );
  return [...new Set(outcomes.flatMap((outcome) => (outcome.ok ? outcome.hits.map((hit) => hit.tool.modelName) : [])))];
}

function answerDescribeCall(call: ToolCall, context: CallContext): ToolResult {
  const parsed = parseDescribeInput(call.input);
  if (!parsed.ok) return failed(call, parsed.message);
  const tools = parsed.value.map((name) => findTool(name, context));
  const unknown = parsed.value.filter((_, index) => tools[index] === undefined);
  const known = tools.filter((tool): tool is Tool => tool !== undefined);
  return {
    callId: call.callId,
    outcome: known.length > 0 ? 'ok' : 'failed',
    parts: [{ type: 'text', text: JSON.stringify(answerDescribe(known, unknown, context.prefix)) }],
  };
}

async function runTool(
  call: ToolCall,
  name: string,
  input: unknown,
  context: CallContext,
  found: Set<string>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const started = context.now();
  const tool = findTool(name, context);
  const args = asObject(input ?? {});
  const withoutDiscovery = tool !== undefined && !found.has(tool.id) && context.deferred.some((deferred) => deferred.id === tool.id);
  const id = tool?.id ?? name;
  const retry = context.calls.failuresOf(id);
  let run: ToolRun;
  if (tool) {
    run = await context.calls.run(tool, async () => {
      if (!args) return notAnObject(name, input);
      context.sink.calling(tool);
      return context.runner.run(tool, args, signal);
    });
  } else {
    run = told('failed', await unknownTool(name, context, signal));
    context.calls.note(name, run.outcome);
  }
  const text = resultText(run);
  context.record({
    type: 'called',
    round: context.round,
    callId: call.callId,
    tool: id,
    known: tool !== undefined,
    args: cut(JSON.stringify(args ?? input) ?? '', LOGGED_CHARS),
    outcome: run.outcome,
    summary: cut(text.replace(/\s+/g, ' ').trim(), SUMMARY_CHARS),
    resultBytes: new TextEncoder().encode(text).length,
    withoutDiscovery,
    retry,
    ms: context.now() - started,
  });
  return { callId: call.callId, outcome: run.outcome, parts: run.parts, ...(withoutDiscovery ? { loaded: tool.id } : {}) };
}

/** A tool of this turn by its model name, or by a name that can mean nothing else: its id, its source's name, its own name. */
export function findTool(name: string, context: Pick<CallContext, 'eager' | 'deferred'>): Tool | undefined {
  const offered = [...context.eager, ...context.deferred];
  const byName = offered.find((tool) => tool.modelName === name) ?? offered.find((tool) => tool.id === name || tool.invokeName === name);
  if (byName) return byName;
  const sameName = offered.filter((tool) => tool.name === name);
  return sameName.length === 1 ? sameName[0] : undefined;
}

function notAnObject(name: string, input: unknown): ToolRun {
  const sent = cut(JSON.stringify(input) ?? 'nothing', 80);
  return told('failed', `The arguments of ${name} must be a JSON object, not ${sent}. Call it again with an object.`);
}

async function unknownTool(name: string, context: CallContext, signal: AbortSignal): Promise<string> {
  const candidates = new Set([...context.eager, ...context.deferred].map((tool) => tool.id));
  const outcome = await context.search.search({ query: name, strategy: 'auto', limit: 3, candidates }, signal);
  const near = outcome.ok ? (outcome.hits.length > 0 ? outcome.hits.map((hit) => hit.tool.modelName) : outcome.nearest) : [];
  return `There is no tool named '${cut(name, 80)}'.${near.length > 0 ? ` Nearest: ${near.join(', ')}.` : ''}${context.deferred.length > 0 ? ` ${context.prefix ?? ''}${SEARCH_TOOLS} finds tools.` : ''}${unavailable(context.catalog)}`;
}

function failed(call: ToolCall, message: string): ToolResult {
  return { callId: call.callId, ...told('failed', message) };
}
