// Plans one round's request: its text, tools and deferred tools, the tools that join or leave the conversation, and the
// same request without deferring (its twin).

import type { Catalog } from '../catalog/catalog';
import type { Tool, ToolDefinition } from '../catalog/tool';
import { providerPermission } from '../code/callPermission';
import { joinedSince, joinedTools, presentTools } from '../conversation/joinedTools';
import { type ConversationPlan, calledNames, type JoinedTool, type Transcript } from '../conversation/transcript';
import { EMPTY_REQUEST, isNative, type ModelRequest } from '../ports';
import type { RequestParts } from '../usage/accounting';
import { definitionOf } from '../usage/tokens';
import { twinTranscript } from '../usage/twin';
import { shortHash } from '../util/hash';
import { l10n } from '../util/l10n';
import { memoizeBy } from '../util/memoize';
import { usesProviderCode } from './codeMode';
import { discoveredIds, sentDefinitions } from './discovery';
import { workspaceText } from './guidance';
import { isFixed } from './keptBeginning';
import { countsInBaseline } from './loading';
import { ownDefinitions } from './ownTools';
import { isDirect, openRound, type PlanInputs, type Round, type Setup } from './turnPlan';

/** A round's request, its parts, and a sentence if some discovered tools don't fit into it. */
export interface PlannedRequest {
  readonly parts: RequestParts;
  readonly request: ModelRequest;
  /** Names of the tools of which the model should call one first. */
  readonly choice: readonly string[];
  readonly leftOut?: string;
  /** Tools that the model should have and the conversation lacks: they join at its end. */
  readonly joining: readonly JoinedTool[];
  /** The names of tools that are in the conversation and are now gone or hidden: they leave at its end. */
  readonly leaving: readonly string[];
}

/** Fixes the beginning of a conversation for a model that can get more tools in mid-conversation. */
export function withBase(setup: Setup, inputs: PlanInputs): Setup {
  if (!isFixed(inputs) || setup.conversationPlan.base) return setup;
  const round = openRound(setup, 1, inputs);
  const { request } = planRequest(setup, round, inputs, new Set());
  const { system, tools, deferred } = request;
  const used = calledNames(inputs.transcript);
  const found = deferred.filter(({ id, name }) => round.discovered.has(id) || used.has(name));
  const deferring = setup.plan.deferred.length > 0;
  const code = [...tools, ...deferred].some(({ callers }) => callers !== undefined);
  const base = {
    system,
    tools,
    ...(found.length > 0 ? { found } : {}),
    ...(deferring ? { delivery: setup.delivery.name } : {}),
    ...(code ? { code: true as const } : {}),
  };
  const id = shortHash(JSON.stringify([setup.conversationPlan.inputHashes.model, base]));
  return { ...setup, conversationPlan: { ...setup.conversationPlan, base: { id, ...base } } };
}

/** The number of rounds that demand a tool named by the user, since a model may ignore the demand forever. */
const DEMANDED_ROUNDS = 3;

/** What a round's request and its twin are made from. */
interface Ground {
  readonly setup: Setup;
  readonly round: Round;
  /** The round's inputs. Their transcript has only what follows `base`. */
  readonly inputs: PlanInputs;
  /** The fixed beginning of the conversation, if there is one. */
  readonly base: ConversationPlan['base'] | undefined;
  /** Who may call a tool, if the provider's code may call tools in this conversation. */
  readonly permission: ReturnType<typeof providerPermission> | undefined;
}

/** Plans a round's request. `calledInTurn` has the names of the tools that this turn called. */
export function planRequest(
  setup: Setup,
  round: Round,
  inputs: PlanInputs,
  calledInTurn: ReadonlySet<string>,
): PlannedRequest {
  const base = isFixed(inputs) ? setup.conversationPlan.base : undefined;
  const transcript = base ? joinedSince(base, inputs.transcript) : inputs.transcript;
  const permission = usesProviderCode(inputs) && (!base || base.code) ? providerPermission(inputs.settings) : undefined;
  const ground: Ground = { setup, round, inputs: { ...inputs, transcript }, base, permission };
  const found = toolsOf(round.discovered, round.catalog).filter(isDirect(setup, inputs));
  const discovered = fitting(found, ground);
  const contents = contentsOf(ground, discovered);
  const parts = { ...contents, twin: twinOf(ground, contents.all) };
  const isCut = setup.delivery.name !== 'bridge' && discovered.length < found.length;
  const leftOut = l10n.t(
    '{3} accepts at most {2} tools in a request, so only the newest {0} of {1} discovered tools are sent.',
    discovered.length,
    found.length,
    inputs.model.maxTools,
    inputs.model.name,
  );
  return { ...requestOf(ground, parts, calledInTurn), parts, ...(isCut && { leftOut }) };
}

/** Returns the discovered tools whose definitions are in the request: the newest that it has room for. */
function fitting(found: readonly Tool[], { setup, inputs }: Ground): readonly Tool[] {
  const { delivery, plan, code } = setup;
  if (delivery.name === 'bridge') return [];
  if (isNative(delivery.name)) return found;
  // Our own tools are `search_tools` and, for scripts, `run_code`.
  const room = inputs.model.maxTools - plan.eager.length - (code ? 2 : 1);
  return found.slice(Math.max(0, found.length - room));
}

/** Returns what a request contains, by kind. */
function contentsOf(
  { setup, round, inputs, permission }: Ground,
  discovered: readonly Tool[],
): Omit<RequestParts, 'twin'> {
  const { plan, delivery, code } = setup;
  const searchable = round.deferred.length > 0;
  const searching = () => ownDefinitions(delivery.name, { strategy: setup.strategy.name, code });
  const inBaseline = new Set([...plan.eager, ...round.deferred.filter(countsInBaseline(plan))].map(({ id }) => id));
  return {
    transcript: inputs.transcript,
    system: inputs.agent?.system ?? (searchable ? '' : workspaceOf(inputs, plan.eager)),
    guidance: searchable ? (setup.conversationPlan.guidance?.text ?? '') : '',
    own: searchable ? searching() : code ? ownDefinitions('server', { code: true }) : [],
    eager: plan.eager,
    discovered,
    all: round.catalog.tools.filter(({ id }) => inBaseline.has(id)),
    isCalledByCode: (tool) => permission?.(tool) !== undefined,
  };
}

/** Returns the request without deferring and searches, for the same round. */
function twinOf({ setup, inputs, permission }: Ground, all: readonly Tool[]): RequestParts['twin'] {
  const { transcript, settings, agent } = inputs;
  const twin = twinTranscript(transcript);
  const runsScripts = setup.code && settings.codeMode === 'on';
  const counted = calledTools(twin, all);
  return {
    request: {
      ...EMPTY_REQUEST,
      ...(permission ? { code: true as const } : {}),
      system: agent?.system ?? workspaceOf(inputs, all),
      transcript: twin,
      tools: [...(runsScripts ? ownDefinitions('server', { code: true }) : []), ...definitions(counted)],
      strategy: setup.strategy.name,
    },
    counted,
  };
}

/** Returns the request, and the tools that must join or leave the conversation before it. */
function requestOf(
  ground: Ground,
  { system, guidance, own, eager, discovered }: Omit<RequestParts, 'twin'>,
  calledInTurn: ReadonlySet<string>,
): Pick<PlannedRequest, 'request' | 'choice' | 'joining' | 'leaving'> {
  const { setup, round, inputs, base, permission } = ground;
  const { delivery, strategy, conversationPlan } = setup;
  const native = isNative(delivery.name);
  const withCallers = (tools: readonly ToolDefinition[]) =>
    permission ? tools.map((tool) => (tool.callers ? tool : calledBy(permission(tool))(tool))) : tools;
  const loaded = [...own, ...withCallers(definitions(native ? eager : [...eager, ...discovered]))];
  const { joining, leaving, deferred } = isFixed(inputs)
    ? changesOf(base ?? { tools: loaded }, ground, loaded)
    : {
        joining: [],
        leaving: [],
        deferred: native ? definitions(round.deferred.filter(isDirect(setup, inputs))) : [],
      };
  const choice = choiceOf(ground, calledInTurn).map(({ modelName }) => modelName);
  const request: ModelRequest = {
    system: base ? base.system : [system, guidance].filter(Boolean).join('\n\n'),
    transcript: inputs.transcript,
    tools: base ? base.tools : loaded,
    delivery: delivery.name,
    strategy: strategy.name,
    deferred: withCallers(deferred),
    ...(base?.code && { code: true as const }),
    required: inputs.agent?.mustCall || inputs.model.forcesCalls ? choice : [],
    ...(native && conversationPlan.names && { opened: conversationPlan.names }),
  };
  return { request, choice, joining, leaving };
}

/** Returns the tools of which the model should call one first. */
function choiceOf({ setup, round, inputs }: Ground, calledInTurn: ReadonlySet<string>): readonly Tool[] {
  const { eager } = setup.plan;
  if (inputs.agent?.mustCall) return eager;
  if (inputs.withoutTools || round.number > DEMANDED_ROUNDS) return [];
  const named = eager.filter(({ id }) => inputs.references.has(id));
  return named.some(({ modelName }) => calledInTurn.has(modelName)) ? [] : named;
}

/** Returns the called tools, or the first if none is: with a tool, a service adds a prompt that must be counted. */
function calledTools(transcript: Transcript, all: readonly Tool[]): readonly Tool[] {
  const names = calledNames(transcript);
  const called = all.filter(({ modelName }) => names.has(modelName));
  return called.length > 0 ? called : all.slice(0, 1);
}

/** Returns the tools that join or leave a conversation with this beginning, and the deferred tools of its request. */
function changesOf(
  { tools: begun, found: foundBefore = [] }: Pick<NonNullable<ConversationPlan['base']>, 'tools' | 'found'>,
  ground: Ground,
  loaded: readonly ToolDefinition[],
): Pick<PlannedRequest, 'joining' | 'leaving'> & { readonly deferred: readonly ToolDefinition[] } {
  const { setup, round, inputs } = ground;
  const { transcript, model } = inputs;
  const { catalog } = round;
  const native = isNative(setup.delivery.name);
  const joined = joinedTools(transcript);
  const fixed = new Set([...begun, ...joined.filter(({ declared }) => !declared)].map(({ name }) => name));
  const listed = listedTools(ground, fixed);
  // A tool that has entered the conversation stays as it was sent, even if its server changed or removed it.
  const entered = [...sentDefinitions(transcript), ...foundBefore.map((tool) => [tool.id, tool] as const)];
  const sent = new Map(native ? entered.filter(([, { name }]) => !fixed.has(name)) : []);
  const today = new Set(listed.map(({ id }) => id));
  const gone = [...sent.values()].filter(({ id }) => !today.has(id));
  const deferred = native ? [...definitions(listed).map((tool) => sent.get(tool.id) ?? tool), ...gone] : [];
  // While the provider's code waits, a request may contain only the results of that code's calls.
  if (waitsForCode(transcript)) return { joining: [], leaving: [], deferred };
  const { present, left } = presentTools([...begun, ...sent.values()], transcript);
  const declared = new Set([...begun, ...deferred].map(({ name }) => name));
  // With references, a found tool is part of the conversation as soon as it is found.
  const found = native ? discoveredIds(transcript, catalog) : new Set<string>();
  const isThere = (name: string) => {
    const tool = catalog.byModelName.get(name);
    return tool !== undefined && setup.plan.decisions.get(tool.id)?.rule !== 'hidden';
  };
  const own = new Set(begun.filter(({ server }) => server === '').map(({ name }) => name));
  const back = [...begun, ...joined, ...sent.values()].filter(({ name }) => left.has(name) && isThere(name));
  const joining = [
    ...loaded.filter(({ name, id }) => !present.has(name) && !left.has(name) && !found.has(id)),
    ...back,
  ];
  return {
    joining: [...new Map(joining.map((tool) => [tool.name, tool])).values()].map(
      ({ declared: _, ...tool }: JoinedTool): JoinedTool =>
        declared.has(tool.name) ? { ...tool, declared: true } : tool,
    ),
    leaving: model.removesTools ? [...present].filter((name) => !own.has(name) && !isThere(name)) : [],
    deferred,
  };
}

/**
 * Returns the tools that today's catalog gives to a provider's own search. `fixed` are names that are loaded already. A
 * chat that began with every tool has no such search, which would change its beginning: tools join it as they are.
 */
function listedTools({ setup, round, inputs, base }: Ground, fixed: ReadonlySet<string>): readonly Tool[] {
  const names = setup.conversationPlan.names ?? {};
  const describes = inputs.model.native?.describesServers === true;
  // GPT sees a server's tool names in its description. A tool without its name there joins with its definition.
  const isNamed = ({ server, name }: Tool) => !describes || names[server]?.includes(name) === true;
  const isOpen = ({ modelName }: Tool) => !fixed.has(modelName);
  const searches = isNative(setup.delivery.name) && base?.delivery !== undefined;
  const late = searches ? setup.plan.eager.filter((tool) => isOpen(tool) && isNamed(tool)) : [];
  return [...round.deferred.filter(isDirect(setup, inputs)).filter(isOpen), ...late];
}

/** Whether the last calls came from the provider's code, which continues when it gets their results. */
function waitsForCode(transcript: Transcript): boolean {
  if (transcript.at(-1)?.kind !== 'results') return false;
  const reply = transcript.at(-2);
  return reply?.kind === 'assistant' && reply.calls.some(({ caller }) => caller !== undefined);
}

function definitions(tools: readonly Tool[]) {
  return tools.map((tool) => definitionOf(tool).definition);
}

/** Returns a definition with its permitted callers, the same object each time: caches use definitions as keys. */
const calledBy = memoizeBy((callers: ToolDefinition['callers']) =>
  memoizeBy((tool: ToolDefinition): ToolDefinition => (callers ? { ...tool, callers } : tool), new WeakMap()),
);

/** Returns the tools with these ids, without tools that the catalog no longer has. */
export function toolsOf(ids: Iterable<string>, catalog: Catalog): readonly Tool[] {
  return [...ids].map((id) => catalog.byId.get(id)).filter((tool): tool is Tool => tool !== undefined);
}

/** Returns the workspace's folders if a request has tools of VS Code, since most of these tools take absolute paths. */
function workspaceOf({ settings, workspace = [] }: PlanInputs, tools: readonly Tool[]): string {
  const isNeeded = settings.guidance !== 'off' && tools.some(({ origin }) => origin === 'vscode');
  return isNeeded && workspace.length > 0 ? workspaceText(workspace) : '';
}
