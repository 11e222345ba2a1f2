import type { Catalog } from '../catalog/catalog';
import { compareText, type Tool } from '../catalog/tool';
import { permissionOf, providerPermission } from '../code/callPermission';
import { joinedSince, joinedTools } from '../conversation/joinedTools';
import type { ConversationPlan, Transcript } from '../conversation/transcript';
import type { ModelInfo } from '../ports';
import type { Pins } from '../settings/pins';
import type { Settings } from '../settings/settings';
import { knownCount } from '../usage/accounting';
import type { TokenCounter } from '../usage/tokenCounter';
import { l10n } from '../util/l10n';
import { memoize } from '../util/memoize';
import { sameJson } from '../util/sameJson';
import { type CallingAgent, planForAgent } from './agentRules';
import { changedPlanInputs, countByServer, namesByServer, newsSince, planInputsHash } from './conversationPlan';
import { type Choice, chooseDelivery, chooseStrategy, type Delivery } from './delivery';
import { discoveredIds } from './discovery';
import { beganWithHidden } from './hidden';
import { type LoadingPlan, planLoading } from './loading';
import { namesInSight } from './namesInSight';
import { guidanceText, offersCode } from './ownTools';

/** The inputs of a turn's plan. */
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
  /** Set if the tools belong to another agent, which runs them itself. */
  readonly caller?: CallingAgent;
  /** The plan that the conversation was opened with, even if its beginning is no longer in the transcript. */
  readonly opening?: ConversationPlan | undefined;
  /** Whether scripts can run here. */
  readonly scripts?: boolean;
  /** Set if the user asked for an answer without calls. */
  readonly withoutTools?: true | undefined;
  /** Paths of the workspace's folders, for a model that no other agent has given them. */
  readonly workspace?: readonly string[];
}

/** The decisions that are made once, at a turn's start, so that the prefix of its requests stays the same. */
export interface Setup {
  readonly plan: LoadingPlan;
  readonly strategy: Choice;
  readonly delivery: Delivery;
  /** The plan of the conversation from here on. The same object as {@link PlanInputs.opening} if nothing is new. */
  readonly opening: ConversationPlan;
  /** News for the model, for the end of the conversation. */
  readonly news?: string;
  /** Whether `run_code` is offered. */
  readonly code: boolean;
}

/** The setup applied to the current catalog, for one round. */
export interface Round {
  readonly number: number;
  readonly catalog: Catalog;
  readonly deferred: readonly Tool[];
  readonly discovered: ReadonlySet<string>;
  /** One sentence if not all current tools can be found. */
  readonly leftOut?: string;
}

/** Plans a turn; a string is the reason why it can't run. */
export function planTurn(inputs: PlanInputs): Setup | string {
  const setup = planSetup(inputs);
  const wish = typeof setup === 'string' ? undefined : wishFor(setup.plan, inputs);
  if (typeof setup === 'string' || wish === undefined) return setup;
  return { ...setup, news: setup.news === undefined ? wish : `${setup.news}\n${wish}` };
}

/**
 * Words what the user wants of this question's tools. Left out if the request itself can demand it: a call of one tool
 * that is in its list. Tools that join the conversation aren't in that list.
 */
function wishFor({ eager }: LoadingPlan, inputs: PlanInputs): string | undefined {
  const { references, model, caller, withoutTools } = inputs;
  if (caller) return undefined;
  if (withoutTools)
    return '(The user wants an answer to this question without tools. Do not call any; they are back with the next question.)';
  const named = eager.filter(({ id }) => references.has(id)).map(({ modelName }) => modelName);
  const [first] = named;
  if (first === undefined) return undefined;
  if (named.length > 1)
    return `(The user named these tools for this question: ${named.join(', ')}. Call one of them before any other tool.)`;
  const base = fixedBase(inputs);
  const isListed = !base || base.tools.some(({ name }) => name === first);
  return model.forcesCalls && isListed ? undefined : `(The user named the tool ${first} for this question: call it.)`;
}

function planSetup(inputs: PlanInputs): Setup | string {
  const { settings, model, catalog, transcript, caller } = inputs;
  const plan = planTools(inputs);
  if (!model.toolCalling) {
    const delivery = { name: 'local' as const, why: l10n.t('this model can’t call tools') };
    return open(
      {
        plan: { ...plan, eager: [], deferred: [] },
        strategy: chooseStrategy(settings, delivery.name),
        delivery,
        code: false,
      },
      inputs,
    );
  }
  const code = offersScripts(inputs, plan.deferred.length);
  const base = fixedBase(inputs);
  // The provider's own search comes before the conversation, so it can't begin later.
  const beganWithout = isFixed(inputs) && (base ? base.delivery === undefined : plan.deferred.length === 0);
  const joins = beganWithout && settings.delivery === 'auto';
  const choice = chooseDelivery({
    settings: joins ? { ...settings, delivery: 'local' } : settings,
    code,
    model,
    eager: plan.eager.length,
    deferred: plan.deferred.length,
    discovered: discoveredIds(transcript, catalog).size,
  });
  if (!choice.ok) return (caller && undeferred(plan, choice.message, inputs)) ?? choice.message;
  const delivery = joins ? { ...choice.delivery, why: 'auto: found tools join the chat at its end' } : choice.delivery;
  return open({ plan, strategy: chooseStrategy(settings, delivery.name, model), delivery, code }, inputs);
}

/** Opens a conversation or goes on with it. The guidance on deferred tools stays while its inputs hold. */
function open(setup: Omit<Setup, 'opening' | 'news'>, inputs: PlanInputs): Setup {
  const { settings, opening: before, workspace } = inputs;
  const { plan, delivery } = setup;
  const grounds = planInputsHash(inputs);
  const base = keptBase(setup, inputs);
  if (plan.deferred.length === 0) {
    // The beginning of the conversation is still there.
    const { guidance, told = {}, names } = (base && before) || {};
    const opening = { grounds, ...plan.kept, told, guidance, names, base };
    return { ...setup, opening: settle(before, withoutUndefined(opening)) };
  }
  const { tools: deferred } = withinDeferredLimit(
    setup,
    plan.deferred,
    discoveredIds(inputs.transcript, inputs.catalog),
    inputs.model,
  );
  // Servers may come and go. News of that goes to the end.
  const changed = before ? changedPlanInputs(before, { ...grounds, servers: before.grounds.servers }) : [];
  const holding = base || changed.length === 0 ? before : undefined;
  const names = holding?.names ?? describedNames(setup, deferred, inputs);
  const decided = {
    grounds,
    ...plan.kept,
    ...(names && { names }),
    ...(base && { base }),
  };
  if (settings.guidance === 'off') return { ...setup, opening: settle(before, { ...decided, told: {} }) };
  const told = countByServer(deferred);
  if (holding?.guidance?.delivery === delivery.name) {
    const news = newsSince(holding.told, told);
    const opening = {
      ...decided,
      guidance: holding.guidance,
      told: news ? { ...holding.told, ...told } : holding.told,
    };
    return { ...setup, opening: settle(before, opening), ...(news && { news }) };
  }
  const inSight = settings.guidance === 'names' ? namesInSight(deferred, settings.guidanceTokens) : '';
  const text =
    guidanceText({ deferred: deferred.length, servers: Object.keys(told), delivery: delivery.name, workspace }) +
    (inSight && `\nTheir names, by server:${inSight}`);
  const opening = settle(before, { ...decided, guidance: { delivery: delivery.name, text }, told });
  // The guidance at the beginning stays as it is.
  return { ...setup, opening, ...(base && { news: text }) };
}

/**
 * The beginning of the conversation, if this turn's requests keep it: not for another model, nor with another
 * delivery.
 */
function keptBase(
  { plan, delivery }: Pick<Setup, 'plan' | 'delivery'>,
  inputs: PlanInputs,
): ConversationPlan['base'] | undefined {
  const base = fixedBase(inputs);
  const began = base?.delivery;
  const { delivery: set } = inputs.settings;
  const now = plan.deferred.length > 0 || set === 'auto' ? delivery.name : set;
  return began === undefined || began === now || (plan.deferred.length === 0 && set === 'auto') ? base : undefined;
}

/** The beginning of the conversation with this model; undefined if it may change, or isn't decided yet. */
function fixedBase(inputs: PlanInputs): ConversationPlan['base'] | undefined {
  const { opening, model, caller, catalog } = inputs;
  if (!isFixed(inputs) || opening?.grounds.model !== `${model.vendor}/${model.id}`) return undefined;
  const { base } = opening;
  // A model that lets tools be taken away loses a hidden one at the end.
  if (base && !model.removesTools && beganWithHidden(opening, inputs)) return undefined;
  if (!base || !caller) return base;
  // Another agent may give itself other instructions, or take tools away.
  const isTheirs =
    model.removesTools === true || base.tools.every(({ id, server }) => server === '' || catalog.byId.has(id));
  return isTheirs && base.system.startsWith(caller.system) ? base : undefined;
}

/** Whether the beginning of the conversation stays as it is. A demand for a call needs every tool in the list. */
export function isFixed({ model, caller }: PlanInputs): boolean {
  return model.addsTools === true && caller?.mustCall !== true;
}

/** Names of all tools in the request, of servers with deferred tools, if the provider's model sees such names. */
function describedNames(
  setup: Omit<Setup, 'opening' | 'news'>,
  deferred: readonly Tool[],
  inputs: PlanInputs,
): ConversationPlan['names'] {
  if (!isNative(setup) || !inputs.model.native?.describesServers) return undefined;
  const servers = new Set(deferred.map(({ server }) => server));
  return namesByServer([
    ...setup.plan.eager.filter(({ server }) => servers.has(server)),
    ...deferred.filter(isDirect(setup, inputs)),
  ]);
}

function withoutUndefined<Part extends object>(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as Part;
}

/** Returns the same object if nothing is new, so that it is kept once. */
function settle(before: ConversationPlan | undefined, now: ConversationPlan): ConversationPlan {
  return before && sameJson(before, now) ? before : now;
}

/** A caller that knows nothing of deferral must not fail for it while all of its tools fit into a request. */
function undeferred(plan: LoadingPlan, why: string, inputs: PlanInputs): Setup | undefined {
  const { catalog, settings, model } = inputs;
  if (plan.deferred.length === 0 || catalog.tools.length > model.maxTools) return undefined;
  return open(
    {
      plan: {
        ...plan,
        eager: catalog.tools.filter(({ id }) => plan.decisions.get(id)?.rule !== 'hidden'),
        deferred: [],
      },
      strategy: chooseStrategy(settings, 'local'),
      delivery: { name: 'local', why, degraded: why },
      code: false,
    },
    inputs,
  );
}

/** Plans which tools of the current catalog are eager and deferred. */
export function planTools(inputs: PlanInputs): LoadingPlan {
  const { counter, caller, settings } = inputs;
  const plan = planLoading({
    ...inputs,
    // A caller runs its tools itself, and not from scripts of ours.
    // Its tools of VS Code are its own to choose.
    settings: caller
      ? { ...settings, allowedCallers: {}, ...(settings.scope === 'auto' && { scope: 'mcp' }) }
      : settings,
    definitionTokens: (tools) => knownCount(tools, counter),
  });
  return withLoaded(caller ? planForAgent(plan, caller, inputs) : plan, inputs);
}

/** The plan with the tools that the conversation has already: they stay in it, whatever would load them today. */
function withLoaded(plan: LoadingPlan, inputs: PlanInputs): LoadingPlan {
  const base = fixedBase(inputs);
  if (!base) return plan;
  const { transcript, catalog } = inputs;
  const discovered = discoveredIds(transcript, catalog);
  const joined = joinedTools(joinedSince(base, transcript));
  const loaded = new Set([...base.tools, ...joined].map(({ id }) => id));
  // An agent's plan has eager tools that the rules would defer or omit, so decisions don't tell which are eager.
  const eager = new Set(plan.eager.map(({ id }) => id));
  const decisions = new Map(plan.decisions);
  for (const { id } of catalog.tools) {
    const before = decisions.get(id);
    if (!before || before.rule === 'hidden' || eager.has(id) || !loaded.has(id) || discovered.has(id)) continue;
    decisions.set(id, { ...before, loading: 'eager', ...STAYS });
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

const STAYS = {
  reason: 'in this chat already',
  reasonLong: 'it is in this chat already, and what a chat begins with stays until a new one',
};

/**
 * Adds the tools that read what this turn's results linked to. Without them, a model whose tools are all in the request
 * could read on in the next turn alone.
 */
export function withReaders(setup: Setup, inputs: PlanInputs): Setup {
  const isNew = ({ id, item }: Tool) => item?.kind === 'linked' && !setup.plan.decisions.has(id);
  const { tools } = inputs.catalog;
  if (!tools.some(isNew)) return setup;
  const { decisions } = planTools({ ...inputs, opening: setup.opening });
  const added = tools.filter((tool) => isNew(tool) && decisions.get(tool.id)?.loading === 'eager');
  const eager = [...setup.plan.eager, ...added].sort((a, b) => compareText(a.id, b.id));
  return { ...setup, plan: { ...setup.plan, decisions, eager } };
}

/** The tools of the last round that aren't eager in its turn. */
const lastToday = memoize<readonly Tool[]>();

/**
 * Today's catalog under the turn's setup: what became eager meanwhile waits for the next turn, so that the prefix
 * stays.
 */
export function openRound(setup: Setup, number: number, inputs: PlanInputs): Round {
  const { catalog, transcript } = inputs;
  const eager = new Set(setup.plan.eager.map((tool) => tool.id));
  const plan = setup.plan.deferred.length > 0 ? planTools({ ...inputs, opening: setup.opening }) : setup.plan;
  const known = discoveredIds(transcript, catalog);
  const today = lastToday([setup.plan.eager, setup.plan.deferred.length > 0, plan.eager, plan.deferred], () =>
    setup.plan.deferred.length > 0 ? [...plan.eager, ...plan.deferred].filter((tool) => !eager.has(tool.id)) : [],
  );
  const { tools: deferred, leftOut } = withinDeferredLimit(setup, today, known, inputs.model);
  const found = new Set(known.size === 0 ? [] : deferred.filter(({ id }) => known.has(id)).map(({ id }) => id));
  return {
    number,
    catalog,
    deferred,
    discovered: new Set([...known].filter((id) => found.has(id))),
    ...(leftOut ? { leftOut } : {}),
  };
}

/** Limits the tools for a provider that searches itself: discovered ones first, then in the catalog's order. */
function withinDeferredLimit(
  setup: Pick<Setup, 'delivery'>,
  deferred: readonly Tool[],
  discovered: ReadonlySet<string>,
  { native, name }: ModelInfo,
) {
  const max = isNative(setup) ? (native?.maxDeferred ?? 0) : Number.POSITIVE_INFINITY;
  if (deferred.length <= max) return { tools: deferred };
  let room = max - deferred.filter((tool) => discovered.has(tool.id)).length;
  return {
    tools: deferred.filter((tool) => discovered.has(tool.id) || room-- > 0),
    leftOut: l10n.t(
      "{0} takes {1} deferred tools in a request, but there are {2}. The last {3}, by server and name, can't be found. Set toolsearch.delivery to local or bridge to search all of them.",
      name,
      max,
      deferred.length,
      deferred.length - max,
    ),
  };
}

/** Whether a tool may be in a request: what only our scripts may call is found, and never in one. */
export function isDirect({ code }: Pick<Setup, 'code'>, { settings, caller }: PlanInputs): (tool: Tool) => boolean {
  const callerOf = permissionOf(settings);
  return (tool) => caller !== undefined || !code || callerOf(tool) !== 'code';
}

/** Whether the provider holds the deferred tools. */
export function isNative({ delivery }: Pick<Setup, 'delivery'>): boolean {
  return delivery.name === 'server' || delivery.name === 'client';
}

/** Whether a turn's model is offered our scripts: they can run, and no code of the provider's takes their place. */
export function offersScripts(
  inputs: Pick<PlanInputs, 'settings' | 'model' | 'catalog' | 'scripts' | 'caller'>,
  deferred: number,
): boolean {
  return inputs.scripts === true && offersCode(inputs.settings, inputs.model, deferred) && !usesProviderCode(inputs);
}

/**
 * Whether code of the provider's may call tools: only those that a glob names, and not if the user turned our own
 * scripts on. Another agent runs its calls itself, and knows nothing of code that waits for them.
 */
export function usesProviderCode({
  model,
  settings,
  catalog,
  caller,
}: Pick<PlanInputs, 'model' | 'settings' | 'catalog' | 'caller'>): boolean {
  if (model.runsCode !== true || caller || settings.codeMode === 'on') return false;
  return catalog.tools.some((tool) => providerPermission(settings)(tool) !== undefined);
}
