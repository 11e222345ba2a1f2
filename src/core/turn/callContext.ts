// The types that the answer of a call depends on: its turn, its round, and how the model gets our own tools.

import type { TurnInfo } from '../../../tool-search';
import type { Tool, ToolDefinition } from '../catalog/tool';
import type { CodeDeps } from '../code/codeDeps';
import { toolSignature } from '../code/runScript';
import { isLike } from '../code/toolNamed';
import type { ToolCall } from '../conversation/transcript';
import type { RecordEntry } from '../ledger/ledger';
import type { Round } from '../planning/turnPlan';
import type { DeliveryName, ToolRunner } from '../ports';
import { nearestNames } from '../search/query/nearest';
import { squash } from '../search/text/words';
import type { Settings } from '../settings/settings';
import type { TokenCounter } from '../usage/tokenCounter';
import type { CallLimits } from './callLimits';
import type { ProviderCode } from './providerCode';
import type { SearchRecording } from './recordSearch';
import type { TurnServices } from './turnServices';

/** The data and services that all rounds and calls of one turn use. */
export interface TurnContext {
  readonly services: TurnServices;
  /** The settings that hold for the turn's model. */
  readonly settings: Settings;
  readonly counter: TokenCounter;
  /** Runs the tool calls that Tool Search answers. */
  readonly runner: ToolRunner;
  /** The question and its model. Absent if another agent calls our tools, because neither is known then. */
  readonly info?: TurnInfo | undefined;
  /** Counts the turn's calls. */
  readonly limits: CallLimits;
  readonly record: RecordEntry;
  /** Runs scripts; undefined if they can't run. */
  readonly code?: CodeDeps | undefined;
}

export interface RoundTools extends Omit<Round, 'leftOut'> {
  readonly eager: readonly Tool[];
}

/** How our own tools are offered to the model. */
interface Offer {
  readonly delivery: DeliveryName;
  readonly strategy: string;
  /** The start of our tools' names, if an agent has these tools under longer names. */
  readonly prefix?: string | undefined;
  /** The tools that the conversation began with. They stay in each request, ours included. */
  readonly begun?: readonly Pick<ToolDefinition, 'name' | 'server'>[] | undefined;
}

/** Receives the progress of calls, to show it. */
export interface CallSink {
  searching(queries: readonly string[]): void;
  found(tools: readonly Tool[]): void;
  calling(tool: Tool): void;
  /** Called when a script begins. Its title may be empty. */
  running?(title: string): void;
  warn(message: string): void;
}

/** Everything that is needed to answer a call. */
export interface CallContext {
  readonly turn: TurnContext;
  readonly round: RoundTools;
  readonly offer: Offer;
  readonly sink: CallSink;
  /** Names of the tools that the user named in the prompt. One of them must be called first. */
  readonly choice?: readonly string[];
  /** Set if `run_code` is offered. */
  readonly code?: CodeDeps | undefined;
  /** Whether the request lets the provider's code call tools. */
  readonly offersProviderCode?: boolean;
  readonly providerCode?: ProviderCode | undefined;
}

/** One call, with everything that is needed to answer it. */
export interface OpenCall {
  readonly call: ToolCall;
  readonly context: CallContext;
  /** Ids of the tools discovered so far. */
  readonly found: Set<string>;
  readonly signal: AbortSignal;
}

/** Returns the part of a call's context that recording a search needs. */
export function recordingOf({ turn: { counter, record }, round, sink }: CallContext): SearchRecording {
  const { number, catalog, deferred } = round;
  return { round: number, catalog, deferred, counter, record, sink };
}

/** The maximum number of tools that an unknown name is said to be near. */
const MAX_NEAREST = 3;

/** Returns the signatures of tools that may have been meant by an unknown name, those with similar names first. */
export async function nearestTools(
  name: string,
  among: readonly Tool[],
  { turn }: Pick<CallContext, 'turn'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const candidates = new Set(among.map((tool) => tool.id));
  const outcome = await turn.services.search.search(
    { query: name, strategy: 'auto', limit: MAX_NEAREST, candidates },
    signal,
  );
  if (!outcome.ok) return [];
  // Comparing the letters of all names takes seconds if there are 500,000 tools.
  const letters = squash(name);
  const servers = [...new Set(among.map(({ server }) => server))].filter((it) => letters.startsWith(squash(it)));
  const own = among.filter(({ server }) => servers.includes(server)).map(({ modelName }) => modelName);
  const names = [...nearestNames(name, own, MAX_NEAREST), ...outcome.nearest];
  const similar = names.flatMap((near) => among.find(({ modelName }) => modelName === near) ?? []);
  const near = new Set([...similar, ...outcome.hits.map((hit) => hit.tool)]);
  return [...near]
    .filter((tool) => isLike(name, tool))
    .slice(0, MAX_NEAREST)
    .map((tool) => toolSignature(tool, 'short'));
}
