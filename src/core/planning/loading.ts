import type { Tool } from '../catalog/tool';
import type { ConversationPlan, KeptDecision } from '../conversation/transcript';
import type { ModelInfo } from '../ports';
import { ZERO } from '../usage/tokens';
import type { Tokens } from '../usage/types';
import { l10n } from '../util/l10n';
import { memoize } from '../util/memoize';
import { changedPlanInputs, planInputsHash } from './conversationPlan';
import type { LoadingDecision } from './loadingDecision';
import {
  type DecidedByRules,
  decide,
  decideByMode,
  decideByRules,
  decideCore,
  decideFound,
  decideYielding,
  type RuleInputs,
} from './loadingRules';

/** The tokens that the definitions of the reading tools may take together. */
const READING_TOKENS = 1_500;

/** The eager and the deferred tools of a request, both in the catalog's order. */
export interface LoadingPlan {
  readonly eager: readonly Tool[];
  readonly deferred: readonly Tool[];
  readonly decisions: ReadonlyMap<string, LoadingDecision>;
  /** The number of VS Code's tools that the request doesn't contain and no search finds. */
  readonly unsent: number;
  /** One sentence on why VS Code's core tools are deferred: they are too many to be eager. */
  readonly coreNote?: string;
  /** The decisions that depend on counts of tools and tokens. Made now, or taken from the conversation's plan. */
  readonly kept: Pick<ConversationPlan, 'auto' | 'core' | 'wished'>;
}

export interface LoadingInputs extends RuleInputs {
  /** Undefined before a model is known. Mode `auto` then looks only at the number of tools. */
  readonly model?: ModelInfo;
  /** Counts a set of definitions together. A sum of single counts would add up their rounding errors. */
  readonly definitionTokens: (tools: readonly Tool[]) => Tokens;
  /** The plan that the conversation began with. Its decisions by counts are made again only if their inputs changed. */
  readonly conversationPlan?: ConversationPlan | undefined;
}

/** Whether the baseline contains a tool. With mode off, it has none of VS Code's tools that only a search finds. */
export function countsInBaseline({ decisions }: Pick<LoadingPlan, 'decisions'>): (tool: Tool) => boolean {
  return ({ id }) => decisions.get(id)?.rule !== 'scope';
}

/** The last decisions and plan. Without them, a turn's work for 10,000 tools is 1.4 times as much: each round plans. */
const lastDecided = memoize<DecidedByRules>();
const lastPlan = memoize<Pick<LoadingPlan, 'eager' | 'deferred' | 'unsent' | 'decisions'>>();
const NO_REFERENCES: ReadonlySet<string> = new Set();

/** Decides on every tool: first by rules, then by mode and by counts of tools and tokens. */
export function planLoading(inputs: LoadingInputs): LoadingPlan {
  const { catalog, settings, pins, references } = inputs;
  const { mode, scope } = settings;
  const decided = lastDecided([catalog.tools, settings, pins, references.size > 0 ? references : NO_REFERENCES], () =>
    decideByRules(inputs),
  );
  const { core, wished } = decided;
  const wish = wished.length > 0 && mode !== 'off' ? decideOnce('wished', wished, inputs) : undefined;
  const coreLimit = core.length > 0 && mode !== 'off' ? decideOnce('core', core, inputs) : undefined;
  const coreIsDeferred = coreLimit?.loading === 'deferred';
  const coreNote =
    coreIsDeferred && scope === 'all'
      ? l10n.t(
          'VS Code’s core tools are deferred like other tools ({0}). To keep them in requests, list fewer in toolsearch.coreTools.',
          coreLimit.reasonLong,
        )
      : undefined;
  const undecided = coreIsDeferred && scope === 'all' ? [...decided.undecided, ...core] : decided.undecided;
  const auto = mode === 'auto' ? decideOnce('auto', undecided, inputs) : undefined;
  const { loading, reason, reasonLong } = auto ?? { reason: mode };
  const plan = lastPlan([decided, coreIsDeferred, wish?.reasonLong, loading, reason, reasonLong], () => {
    const decisions = new Map(decided.decisions);
    if (wish?.loading === 'deferred')
      for (const tool of wished) decisions.set(tool.id, decideYielding(tool, wish.reasonLong));
    const isDeferred = loading === 'deferred' || [...decisions.values()].some((each) => each.loading === 'deferred');
    const hasSearch = mode === 'on' || (mode === 'auto' && isDeferred);
    for (const tool of decided.found) decisions.set(tool.id, decideFound(mode, hasSearch));
    if (undecided === decided.undecided)
      for (const tool of core)
        decisions.set(tool.id, coreIsDeferred ? decideFound(mode, hasSearch) : decideCore(scope));
    const rest = auto ? decide(auto.loading, 'mode', auto.reason, auto.reasonLong) : decideByMode(mode === 'on');
    for (const tool of undecided) decisions.set(tool.id, rest);
    const withLoading = (wanted: LoadingDecision['loading']) =>
      catalog.tools.filter((tool) => decisions.get(tool.id)?.loading === wanted);
    return {
      eager: withLoading('eager'),
      deferred: withLoading('deferred'),
      unsent: hasSearch ? 0 : decided.found.length,
      decisions,
    };
  });
  return {
    ...plan,
    ...(coreNote && { coreNote }),
    kept: { ...(auto && { auto }), ...(coreLimit && { core: coreLimit }), ...(wish && { wished: wish }) },
  };
}

/** Decides by counts of tools and tokens. The conversation's decision is used again unless its inputs changed. */
function decideOnce(what: 'auto' | 'core' | 'wished', tools: readonly Tool[], inputs: LoadingInputs): KeptDecision {
  const { conversationPlan } = inputs;
  const before = conversationPlan?.[what];
  const changed = conversationPlan && before ? changedSince(conversationPlan, before, inputs) : [];
  // A server can list more such tools during a conversation, and mustn't end it by that.
  const isOver = what === 'wished' && before?.loading === 'eager' && tools.length > inputs.settings.autoMaxTools;
  if (before && changed.length === 0 && !isOver) return before;
  const decided = decideByNumbers(what, tools, inputs);
  const anew =
    changed.length > 0
      ? l10n.t('; decided again in this conversation because of a change: {0}', changed.join(', '))
      : '';
  return { ...decided, reasonLong: `${decided.reasonLong}${anew}` };
}

/**
 * Returns the names of the inputs that changed since a decision. A chat that defers over a bridge goes on deferring if
 * servers go: most often this costs less than if the remaining tools join.
 */
function changedSince(plan: ConversationPlan, { loading }: KeptDecision, inputs: LoadingInputs): readonly string[] {
  const now = planInputsHash(inputs);
  const isBridge = [plan.guidance?.delivery, plan.base?.delivery].includes('bridge');
  const { servers } = isBridge && loading === 'deferred' ? plan.inputHashes : now;
  return changedPlanInputs(plan, { ...now, servers });
}

function decideByNumbers(
  what: 'auto' | 'core' | 'wished',
  tools: readonly Tool[],
  { settings, model, definitionTokens }: LoadingInputs,
): KeptDecision {
  const count = tools.length;
  const max = settings.autoMaxTools;
  if (count > max)
    return {
      loading: 'deferred',
      reason: l10n.t('auto: {0} tools > {1}', count, max),
      reasonLong: l10n.t('mode auto: {0} tools are more than auto.maxTools ({1})', count, max),
    };
  const window = model?.maxInputTokens ?? 0;
  const percent = (window * settings.autoContextPercent) / 100;
  const budget = what === 'core' && settings.scope === 'auto' ? Math.min(percent, READING_TOKENS) : percent;
  const tokens = window === 0 ? ZERO : definitionTokens(tools);
  if (tokens.value <= budget)
    return {
      loading: 'eager',
      reason: l10n.t('auto: {0} tools ≤ {1}', count, max),
      reasonLong: l10n.t(
        'mode auto: {0} tools are no more than auto.maxTools ({1}), and their definitions fit',
        count,
        max,
      ),
    };
  return {
    loading: 'deferred',
    reason: l10n.t('auto: > {0} % of context', settings.autoContextPercent),
    reasonLong: l10n.t(
      'mode auto: {0} tokens of definitions are more than auto.contextPercent ({1} % of {2})',
      `${tokens.certainty === 'estimated' ? '≈ ' : ''}${tokens.value}`,
      settings.autoContextPercent,
      window,
    ),
  };
}
