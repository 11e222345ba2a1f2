// Plans a turn (loading, delivery, strategy, guidance) and each of its rounds. A turn's plan keeps the beginning of the
// conversation the same as long as it can.

import type { Catalog } from '../catalog/catalog';
import { compareText, type Tool } from '../catalog/tool';
import { permissionOf } from '../code/callPermission';
import { joinedSince, joinedTools } from '../conversation/joinedTools';
import type { ConversationPlan, Transcript } from '../conversation/transcript';
import { isNative, type ModelInfo } from '../ports';
import type { Pins } from '../settings/pins';
import type { Settings } from '../settings/settings';
import { knownCount } from '../usage/accounting';
import type { TokenCounter } from '../usage/tokenCounter';
import { definitionsLength, definitionText } from '../usage/tokens';
import { l10n } from '../util/l10n';
import { sameJson } from '../util/sameJson';
import { type CallingAgent, planForAgent } from './agentRules';
import { offersCode, usesProviderCode } from './codeMode';
import { changedPlanInputs, countByServer, namesByServer, planInputsHash } from './conversationPlan';
import { withinDeferredLimit } from './deferredLimit';
import { type Choice, chooseDelivery, chooseStrategy, type Delivery } from './delivery';
import { discoveredIds, searchedQueries } from './discovery';
import { fillingNote } from './fillingNote';
import { guidanceText } from './guidance';
import { fixedBase, isFixed, keptBase } from './keptBeginning';
import { type LoadingPlan, planLoading } from './loading';
import { noteOnNewTools } from './newToolsNote';
import { ownDefinitions } from './ownTools';
import { wantedToolsNote } from './wantedToolsNote';

export interface PlanInputs {
  readonly catalog: Catalog;
  readonly settings: Settings;
  readonly pins: Pins;
  /** Ids of the `#tool`s of the prompt. */
  readonly references: ReadonlySet<string>;
  readonly model: ModelInfo;
  readonly counter: TokenCounter;
  /** The conversation so far. */
  readonly transcript: Transcript;
  /** The agent, if the tools belong to another agent, which runs them itself. */
  readonly agent?: CallingAgent;
  /** The plan that the conversation began with, even if the transcript no longer has its beginning. */
  readonly conversationPlan?: ConversationPlan | undefined;
  /** Whether scripts can run here. */
  readonly scripts?: boolean;
  /** Set if the user asked for an answer without calls. */
  readonly withoutTools?: true | undefined;
  /** Paths of the workspace's folders, unless another agent has given them to the model. */
  readonly workspace?: readonly string[];
}

/** The inputs of {@link planTools}, also before there is a model. */
type ToolPlanInputs = Omit<PlanInputs, 'model'> & { readonly model?: ModelInfo | undefined };

/** The decisions made once at a turn's start, so that the prefix of its requests stays the same. */
export interface Setup {
  readonly plan: LoadingPlan;
  readonly strategy: Choice;
  readonly delivery: Delivery;
  /** The conversation's plan from now on. The same object as in {@link PlanInputs} if nothing has changed. */
  readonly conversationPlan: ConversationPlan;
  /** A text for the model that is added at the conversation's end. */
  readonly note?: string;
  /** Whether `run_code` is offered. */
  readonly code: boolean;
}

/** The turn's setup applied to the current catalog, for one round. */
export interface Round {
  readonly number: number;
  readonly catalog: Catalog;
  readonly deferred: readonly Tool[];
  /** Ids that were discovered before this round. */
  readonly discovered: ReadonlySet<string>;
  /** The queries of the conversation's searches before this round, in lower case. */
  readonly searched: ReadonlySet<string>;
  /** One sentence if a search can't find some current tools. */
  readonly leftOut?: string;
}

/** Returns what a turn begins with, also if `planned` is the reason why it can't run. */
export function begunWith(
  planned: Setup | string,
  inputs: PlanInputs,
): Pick<Setup, 'plan' | 'strategy'> & { readonly delivery: Choice } {
  if (typeof planned !== 'string') return planned;
  const delivery = { name: inputs.settings.delivery, why: planned };
  return { plan: planTools(inputs), delivery, strategy: chooseStrategy(inputs.settings, delivery.name, inputs.model) };
}

/** Plans a turn. A string is the reason why the turn can't run. */
export function planTurn(inputs: PlanInputs): Setup | string {
  const setup = planSetup(inputs);
  if (typeof setup === 'string') return setup;
  const notes = [setup.note, fillFor(setup, inputs), wantedToolsNote(setup.plan, inputs, fixedBase(inputs))].filter(
    (note) => note !== undefined,
  );
  return notes.length > 0 ? { ...setup, note: notes.join('\n') } : setup;
}

/** Returns a note that makes a conversation over a bridge long enough to be cached; undefined if it needs none. */
function fillFor({ plan, delivery, strategy, code, conversationPlan }: Setup, inputs: PlanInputs): string | undefined {
  const { model, agent, settings, transcript } = inputs;
  if (agent || delivery.name !== 'bridge' || settings.guidance === 'off') return undefined;
  const own = ownDefinitions(delivery.name, { strategy: strategy.name, code });
  const beginning = [conversationPlan.guidance?.text ?? '', ...own.map(definitionText)].join('').length;
  const { eager, deferred } = plan;
  return fillingNote({ model, beginning: beginning + definitionsLength(eager), transcript, deferred });
}

function planSetup(inputs: PlanInputs): Setup | string {
  const { settings, model, agent, catalog, scripts } = inputs;
  const plan = planTools(inputs);
  if (!model.toolCalling) return undeferred(plan, [], { why: l10n.t('this model can’t call tools') }, inputs);
  // The provider's code, if it may call tools, replaces our scripts.
  const code = scripts === true && offersCode(settings, model, plan.deferred.length) && !usesProviderCode(inputs);
  const base = fixedBase(inputs);
  // The provider's own search is declared before the conversation, so it can't be added later.
  const beganWithout = isFixed(inputs) && (base ? base.delivery === undefined : plan.deferred.length === 0);
  const choice = chooseDelivery({
    settings,
    model,
    eager: plan.eager.length,
    deferred: plan.deferred.length,
    providerCode: !beganWithout && usesProviderCode(inputs),
    began: base?.delivery,
  });
  if (typeof choice === 'string') {
    if (!agent || catalog.tools.length > model.maxTools) return choice;
    // An agent knows nothing of deferral, so its request must not fail because of it.
    const eager = catalog.tools.filter(({ id }) => plan.decisions.get(id)?.rule !== 'hidden');
    return undeferred(plan, eager, { why: choice, isDegraded: true }, inputs);
  }
  const strategy = chooseStrategy(settings, choice.name, model);
  return planConversation({ plan, strategy, delivery: choice, code }, inputs);
}

/** Returns a setup that sends these tools and defers none. */
function undeferred(
  plan: LoadingPlan,
  eager: readonly Tool[],
  choice: Omit<Delivery, 'name'>,
  inputs: PlanInputs,
): Setup {
  const strategy = chooseStrategy(inputs.settings, 'local');
  const delivery: Delivery = { name: 'local', ...choice };
  return planConversation({ plan: { ...plan, eager, deferred: [] }, strategy, delivery, code: false }, inputs);
}

/** Begins or continues the conversation's plan. The guidance on deferred tools stays while its inputs are the same. */
function planConversation(setup: Omit<Setup, 'conversationPlan' | 'note'>, inputs: PlanInputs): Setup {
  const { settings, conversationPlan: before, workspace } = inputs;
  const { plan, delivery } = setup;
  const inputHashes = planInputsHash({ ...inputs, settings: loadingSettings(inputs) });
  const base = keptBase(setup, inputs);
  if (plan.deferred.length === 0) {
    // If the beginning is kept, it still contains the guidance, the counts and the names.
    const { guidance, announced = {}, names } = (base && before) || {};
    const conversationPlan = { inputHashes, ...plan.kept, announced, guidance, names, base };
    return { ...setup, conversationPlan: settle(before, withoutUndefined(conversationPlan)) };
  }
  const { tools: deferred } = withinDeferredLimit(
    delivery.name,
    plan.deferred,
    discoveredIds(inputs.transcript, inputs.catalog),
    inputs.model,
  );
  // A change of the servers alone keeps the plan: news about them goes to the conversation's end.
  const changed = before ? changedPlanInputs(before, { ...inputHashes, servers: before.inputHashes.servers }) : [];
  const kept = base || changed.length === 0 ? before : undefined;
  const names = kept?.names ?? describedNames(setup, deferred, inputs);
  const decided = { inputHashes, ...plan.kept, ...(names && { names }), ...(base && { base }) };
  if (settings.guidance === 'off') return { ...setup, conversationPlan: settle(before, { ...decided, announced: {} }) };
  const announced = countByServer(deferred);
  if (kept?.guidance?.delivery === delivery.name) {
    const note = noteOnNewTools(kept.announced, announced);
    const conversationPlan = {
      ...decided,
      guidance: kept.guidance,
      announced: note ? { ...kept.announced, ...announced } : kept.announced,
    };
    return { ...setup, conversationPlan: settle(before, conversationPlan), ...(note && { note }) };
  }
  const servers = Object.keys(announced);
  const text = guidanceText({ deferred: deferred.length, servers, delivery: delivery.name, workspace });
  const conversationPlan = settle(before, { ...decided, guidance: { delivery: delivery.name, text }, announced });
  // The guidance at the beginning stays, so the new text goes to the end.
  return { ...setup, conversationPlan, ...(base && { note: text }) };
}

/** Returns the tools' names for servers with deferred tools; undefined unless the provider's model sees such names. */
function describedNames(
  setup: Omit<Setup, 'conversationPlan' | 'note'>,
  deferred: readonly Tool[],
  inputs: PlanInputs,
): ConversationPlan['names'] {
  if (!isNative(setup.delivery.name) || !inputs.model.native?.describesServers) return undefined;
  const servers = new Set(deferred.map(({ server }) => server));
  return namesByServer([
    ...setup.plan.eager.filter(({ server }) => servers.has(server)),
    ...deferred.filter(isDirect(setup, inputs)),
  ]);
}

function withoutUndefined<Part extends object>(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as Part;
}

/** Returns the same object if nothing is new, so that only one copy is stored. */
function settle(before: ConversationPlan | undefined, now: ConversationPlan): ConversationPlan {
  return before && sameJson(before, now) ? before : now;
}

/** Returns the settings for loading. An agent runs tools itself, not in our scripts, and chooses those of VS Code. */
function loadingSettings({ agent, settings }: Pick<PlanInputs, 'agent' | 'settings'>): Settings {
  return agent ? { ...settings, allowedCallers: {}, ...(settings.scope === 'auto' && { scope: 'mcp' }) } : settings;
}

/** Plans which tools of the current catalog are eager and which are deferred. */
export function planTools(inputs: ToolPlanInputs): LoadingPlan {
  const { counter, agent } = inputs;
  const plan = planLoading({
    ...inputs,
    settings: loadingSettings(inputs),
    definitionTokens: (tools) => knownCount(tools, counter),
  });
  return withLoaded(agent ? planForAgent(plan, agent, inputs) : plan, inputs);
}

/** Returns the plan with the tools that are in the conversation already: they stay eager, whatever rules say now. */
function withLoaded(plan: LoadingPlan, inputs: ToolPlanInputs): LoadingPlan {
  const base = fixedBase(inputs);
  if (!base) return plan;
  const { transcript, catalog } = inputs;
  // With `bridge`, a search brings no definition into the conversation.
  const discovered = base.delivery === 'bridge' ? new Set<string>() : discoveredIds(transcript, catalog);
  const joined = joinedTools(joinedSince(base, transcript));
  const loaded = new Set([...base.tools, ...joined].map(({ id }) => id));
  // An agent's plan has eager tools that the rules would defer or omit, so the decisions don't show which are eager.
  const eager = new Set(plan.eager.map(({ id }) => id));
  const decisions = new Map(plan.decisions);
  const reason = l10n.t('in this chat already');
  const reasonLong = l10n.t('it is in this chat already, and what a chat begins with stays until a new one');
  for (const { id } of catalog.tools) {
    const before = decisions.get(id);
    if (!before || before.rule === 'hidden' || eager.has(id) || !loaded.has(id) || discovered.has(id)) continue;
    decisions.set(id, { ...before, loading: 'eager', reason, reasonLong });
    eager.add(id);
  }
  if (eager.size === plan.eager.length) return plan;
  return {
    ...plan,
    decisions,
    eager: catalog.tools.filter(({ id }) => eager.has(id)),
    deferred: plan.deferred.filter(({ id }) => !eager.has(id)),
  };
}

/** Adds tools that read resources linked in this turn's results. Otherwise only the next turn could read the links. */
export function withReaders(setup: Setup, inputs: PlanInputs): Setup {
  const isNew = ({ id, item }: Tool) => item?.kind === 'linked' && !setup.plan.decisions.has(id);
  const { tools } = inputs.catalog;
  if (!tools.some(isNew)) return setup;
  const { decisions } = planTools({ ...inputs, conversationPlan: setup.conversationPlan });
  const added = tools.filter((tool) => isNew(tool) && decisions.get(tool.id)?.loading === 'eager');
  const eager = [...setup.plan.eager, ...added].sort((a, b) => compareText(a.id, b.id));
  return { ...setup, plan: { ...setup.plan, decisions, eager } };
}

/** Applies the turn's setup to the current catalog. New eager tools wait for the next turn, to keep the prefix. */
export function openRound(setup: Setup, number: number, inputs: PlanInputs): Round {
  const { catalog, transcript } = inputs;
  const eager = new Set(setup.plan.eager.map((tool) => tool.id));
  const plan =
    setup.plan.deferred.length > 0 ? planTools({ ...inputs, conversationPlan: setup.conversationPlan }) : setup.plan;
  const known = discoveredIds(transcript, catalog);
  const today = [...plan.eager, ...plan.deferred].filter((tool) => !eager.has(tool.id));
  const { tools: deferred, leftOut } = withinDeferredLimit(setup.delivery.name, today, known, inputs.model);
  const found = new Set(known.size === 0 ? [] : deferred.filter(({ id }) => known.has(id)).map(({ id }) => id));
  return {
    number,
    catalog,
    deferred,
    discovered: new Set([...known].filter((id) => found.has(id))),
    searched: searchedQueries(transcript),
    ...(leftOut ? { leftOut } : {}),
  };
}

/** Whether a tool may be in a request. A tool that only our scripts may call is found by search, but never in one. */
export function isDirect({ code }: Pick<Setup, 'code'>, { settings, agent }: PlanInputs): (tool: Tool) => boolean {
  const callerOf = permissionOf(settings);
  return (tool) => agent !== undefined || !code || callerOf(tool) !== 'code';
}
