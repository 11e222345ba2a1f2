// Decides for each tool whether its definition is in the request (eager), is found by search (deferred), or neither
// (omitted), and names the rule that decided.

import type { Catalog } from '../catalog/catalog';
import { isListedItem, type Standing, type Tool } from '../catalog/tool';
import { permissionOf } from '../code/callPermission';
import type { ConversationPlan, KeptDecision } from '../conversation/transcript';
import type { ModelInfo } from '../ports';
import { type Pins, pinOf } from '../settings/pins';
import type { Settings } from '../settings/settings';
import type { Tokens } from '../usage/types';
import { l10n } from '../util/l10n';
import { memoize } from '../util/memoize';
import { changedPlanInputs, planInputsHash } from './conversationPlan';
import { hiddenBy } from './hidden';
import { LOADING_RULES, type LoadingRule } from './loadingRules';
import { createMatcher, globsForServer, namedIn } from './patterns';

/** VS Code's tools that read the workspace, by the name after `#`. With scope `auto` they are eager if they fit. */
const READING_TOOLS = ['fileSearch', 'listDirectory', 'problems', 'readFile', 'textSearch'];
/** The tokens that the definitions of the reading tools may take together. */
const READING_TOKENS = 1_500;

/** How one tool is loaded, and why. */
interface LoadingDecision {
  readonly loading: Exclude<Standing, 'discovered'>;
  readonly rule: LoadingRule;
  /** The reason in a few words, for a table's cell. */
  readonly reason: string;
  /** The reason as a whole sentence. */
  readonly reasonLong: string;
}

/** The eager and the deferred tools of a request, both in the catalog's order. */
export interface LoadingPlan {
  readonly eager: readonly Tool[];
  readonly deferred: readonly Tool[];
  readonly decisions: ReadonlyMap<string, LoadingDecision>;
  /** The reason for the decision of mode `auto`, for the header: `on: 214 tools are more than 30`. */
  readonly modeWhy: string;
  /** One sentence on why VS Code's core tools are deferred: they are too many to be eager. */
  readonly coreNote?: string;
  /** The decisions that depend on numbers, made now or taken from an earlier plan of the conversation. */
  readonly kept: Pick<ConversationPlan, 'auto' | 'core'>;
  /** The groups of tools whose token count was just compared with a limit. */
  readonly weighed: readonly Weighed[];
}

/** Tools, their tokens, and the tokens that they may take. */
interface Weighed {
  readonly tools: readonly Tool[];
  readonly tokens: Tokens;
  readonly budget: number;
}

export interface LoadingInputs {
  readonly catalog: Catalog;
  readonly settings: Settings;
  readonly pins: Pins;
  /** Ids of the tools that the prompt names with `#`: eager for this turn. */
  readonly references: ReadonlySet<string>;
  /** Undefined before a model is known. Mode `auto` then looks only at the number of tools. */
  readonly model?: ModelInfo;
  /** Counts a set of definitions together, because a sum of single counts would add up their roundings. */
  readonly definitionTokens: (tools: readonly Tool[]) => Tokens;
  /**
   * The plan that the conversation began with. Decisions that depend on numbers are made once, and again only if their
   * inputs changed.
   */
  readonly opening?: ConversationPlan | undefined;
}

/**
 * Whether the baseline contains an offered tool. With mode off, VS Code's tools that only a search finds aren't
 * offered, so the baseline doesn't contain them.
 */
export function countsInBaseline({ decisions }: Pick<LoadingPlan, 'decisions'>): (tool: Tool) => boolean {
  return ({ id }) => decisions.get(id)?.rule !== 'scope';
}

/** The decisions that rules made, and the tools that no rule decides on. */
interface DecidedByRules {
  readonly decisions: ReadonlyMap<string, LoadingDecision>;
  readonly undecided: readonly Tool[];
  readonly core: readonly Tool[];
}

/** The last decisions and the last plan. A turn plans many times, and a catalog can have 10,000 tools. */
const lastDecided = memoize<DecidedByRules>();
const lastPlan = memoize<Pick<LoadingPlan, 'eager' | 'deferred' | 'decisions' | 'modeWhy'>>();
const NO_REFERENCES: ReadonlySet<string> = new Set();

/** Applies the rules to every tool: the first rule that fits decides. */
function decideByRules(inputs: LoadingInputs): DecidedByRules {
  const decisions = new Map<string, LoadingDecision>();
  const undecided: Tool[] = [];
  const core: Tool[] = [];
  const { mode, scope, coreTools } = inputs.settings;
  const isCore = createMatcher(scope === 'auto' ? READING_TOOLS : coreTools);
  const matchers = {
    hides: hiddenBy(inputs),
    deferred: serverMatchers(inputs.settings.deferredTools),
    eager: serverMatchers(inputs.settings.eagerTools),
  };
  for (const tool of inputs.catalog.tools) {
    const decision = decideByRule(tool, inputs, matchers);
    if (decision) decisions.set(tool.id, decision);
    else if (tool.origin !== 'vscode') undecided.push(tool);
    else if (isCore(tool.name) || isCore(tool.referenceName ?? '')) core.push(tool);
    else if (scope === 'auto') decisions.set(tool.id, decideFound(mode));
    else undecided.push(tool);
  }
  return { decisions, undecided, core };
}

/** Decides on every tool: first by rules, then by mode and numbers. */
export function planLoading(inputs: LoadingInputs): LoadingPlan {
  const { catalog, settings, pins, references } = inputs;
  const { mode, scope } = settings;
  const decided = lastDecided([catalog.tools, settings, pins, references.size > 0 ? references : NO_REFERENCES], () =>
    decideByRules(inputs),
  );
  const { core } = decided;
  const coreLimit = core.length > 0 && mode !== 'off' ? decideOnce('core', core, inputs) : undefined;
  const coreIsDeferred = coreLimit?.kept.loading === 'deferred';
  const coreNote =
    coreIsDeferred && scope === 'all'
      ? l10n.t(
          'VS Code’s core tools are deferred like other tools, {0}. Name fewer in toolsearch.coreTools.',
          coreLimit.kept.reasonLong,
        )
      : undefined;
  const undecided = coreIsDeferred && scope === 'all' ? [...decided.undecided, ...core] : decided.undecided;
  const auto = mode === 'auto' ? decideOnce('auto', undecided, inputs) : undefined;
  const { loading, reason, reasonLong } = auto?.kept ?? { reason: mode };
  const plan = lastPlan([decided, coreIsDeferred, loading, reason, reasonLong], () => {
    const decisions = new Map(decided.decisions);
    if (undecided === decided.undecided)
      for (const tool of core) decisions.set(tool.id, coreIsDeferred ? decideFound(mode) : decideCore(scope));
    const rest = auto
      ? decide(auto.kept.loading, 'mode', auto.kept.reason, auto.kept.reasonLong)
      : decideByMode(mode === 'on');
    for (const tool of undecided) decisions.set(tool.id, rest);
    const withLoading = (wanted: LoadingDecision['loading']) =>
      catalog.tools.filter((tool) => decisions.get(tool.id)?.loading === wanted);
    return {
      eager: withLoading('eager'),
      deferred: withLoading('deferred'),
      decisions,
      modeWhy: rest.reasonLong,
    };
  });
  return {
    ...plan,
    ...(coreNote && { coreNote }),
    kept: { ...(auto && { auto: auto.kept }), ...(coreLimit && { core: coreLimit.kept }) },
    weighed: [auto?.weighed, coreLimit?.weighed].filter((weighed) => weighed !== undefined),
  };
}

function decide(
  loading: LoadingDecision['loading'],
  rule: LoadingRule,
  reason: string,
  long = reason,
): LoadingDecision {
  return { loading, rule, reason, reasonLong: l10n.t('rule {0}, {1}', LOADING_RULES.indexOf(rule) + 1, long) };
}

function decideCore(scope: Settings['scope']): LoadingDecision {
  const why =
    scope === 'auto'
      ? l10n.t('it reads the workspace, which most questions need')
      : l10n.t('toolsearch.coreTools names it: agents need this tool');
  return decide('eager', 'core', l10n.t('core tool'), why);
}

/** Decides on a VS Code tool that doesn't read the workspace: it is deferred, and mode `auto` doesn't count it. */
function decideFound(mode: Settings['mode']): LoadingDecision {
  return mode === 'off'
    ? decide(
        'omitted',
        'scope',
        'scope: auto',
        l10n.t('toolsearch.scope is auto, and toolsearch.mode is off: no search'),
      )
    : decide(
        'deferred',
        'scope',
        'scope: auto',
        l10n.t('toolsearch.scope is auto: a tool of VS Code is found by search'),
      );
}

/** Decides on a resource or prompt. Rules for a server's tools don't apply to these. */
function decideItem(mode: Settings['mode']): LoadingDecision {
  const reason = l10n.t('resource or prompt');
  return mode === 'off'
    ? decide(
        'omitted',
        'scope',
        reason,
        l10n.t('resources and prompts are found by search, and toolsearch.mode is off'),
      )
    : decide('deferred', 'scope', reason, l10n.t('resources and prompts are found by search'));
}

interface ServerMatcher {
  /** Whether a pattern names the tool, under its server's name or under `*`. */
  readonly names: (tool: Tool) => boolean;
  /** Whether the setting names the server itself. */
  readonly hasServer: (server: string) => boolean;
}

function serverMatchers(setting: Settings['eagerTools']): ServerMatcher {
  return { names: namedIn(setting), hasServer: (server) => globsForServer(setting, server) !== undefined };
}

function reasonsToHide(
  by: 'setting' | 'pin' | 'set',
  { set = '' }: Pins,
): Pick<LoadingDecision, 'reason' | 'reasonLong'> {
  switch (by) {
    case 'pin':
      return {
        reason: l10n.t('pinned: off'),
        reasonLong: l10n.t('you pinned it off: it is neither sent nor found nor called'),
      };
    case 'set':
      return {
        reason: l10n.t('not in the set {0}', set),
        reasonLong: l10n.t('the chosen set “{0}” doesn’t have it: it is neither sent nor found nor called', set),
      };
    default:
      return {
        reason: 'hiddenTools',
        reasonLong: l10n.t('toolsearch.hiddenTools names it: it is neither sent nor found nor called'),
      };
  }
}

function decideByRule(
  tool: Tool,
  { settings, pins, references }: LoadingInputs,
  matchers: {
    readonly hides: ReturnType<typeof hiddenBy>;
    readonly deferred: ServerMatcher;
    readonly eager: ServerMatcher;
  },
): LoadingDecision | undefined {
  const hidden = matchers.hides(tool);
  if (hidden) return { loading: 'omitted', rule: 'hidden', ...reasonsToHide(hidden, pins) };
  if (permissionOf(settings)(tool) === 'code')
    return {
      loading: 'deferred',
      rule: 'callers',
      reason: 'allowedCallers: code',
      reasonLong: l10n.t('toolsearch.allowedCallers lets only scripts call it'),
    };
  const toolPin = pinOf(pins, { kind: 'tool', id: tool.id });
  if (toolPin !== 'auto' && toolPin !== 'off')
    return decide(toolPin, 'pin', l10n.t('pinned: tool'), l10n.t('you pinned this tool {0}', toolPin));
  if (isListedItem(tool)) return decideItem(settings.mode);
  const serverPin = pinOf(pins, { kind: 'server', id: tool.server });
  if (serverPin !== 'auto' && serverPin !== 'off')
    return decide(
      serverPin,
      'pin',
      l10n.t('pinned: server'),
      l10n.t('you pinned the server {0} {1}', tool.server, serverPin),
    );

  if (references.has(tool.id))
    return decide(
      'eager',
      'reference',
      l10n.t('#tool in the prompt'),
      l10n.t('the prompt names it with #: eager for this turn'),
    );

  if (matchers.deferred.names(tool))
    return decide(
      'deferred',
      'deferredTools',
      'deferredTools',
      l10n.t('toolsearch.deferredTools names it for {0}', tool.server),
    );
  if (matchers.deferred.hasServer(tool.server))
    return decide(
      'eager',
      'deferredTools',
      l10n.t('not in deferredTools'),
      l10n.t('toolsearch.deferredTools names other tools of {0}, and only those are deferred', tool.server),
    );
  if (matchers.eager.names(tool))
    return decide('eager', 'eagerTools', 'eagerTools', l10n.t('toolsearch.eagerTools names it for {0}', tool.server));

  if (tool.alwaysLoad !== undefined) {
    const loading = tool.alwaysLoad ? 'eager' : 'deferred';
    return decide(
      loading,
      'hint',
      l10n.t('hint: alwaysLoad {0}', String(tool.alwaysLoad)),
      l10n.t('its server sets alwaysLoad to {0}', String(tool.alwaysLoad)),
    );
  }
  if (tool.origin === 'vscode' && settings.scope === 'mcp') {
    return decide(
      'omitted',
      'scope',
      'scope: mcp',
      l10n.t('toolsearch.scope is mcp: a tool of no MCP server is offered only if eagerTools or #tool names it'),
    );
  }
  return undefined;
}

function decideByMode(on: boolean): LoadingDecision {
  return on
    ? decide('deferred', 'mode', l10n.t('mode on'), l10n.t('toolsearch.mode is on'))
    : decide('eager', 'mode', l10n.t('mode off'), l10n.t('toolsearch.mode is off'));
}

/** Decides by numbers. A decision that the conversation already has is used again unless its inputs changed. */
function decideOnce(
  what: 'auto' | 'core',
  tools: readonly Tool[],
  inputs: LoadingInputs,
): { readonly kept: KeptDecision; readonly weighed?: Weighed | undefined } {
  const { opening } = inputs;
  const before = opening?.[what];
  const changed = opening && before ? changedPlanInputs(opening, planInputsHash(inputs)) : [];
  if (before && changed.length === 0) return { kept: before };
  const { weighed, ...decided } = decideByNumbers(what, tools, inputs);
  const anew =
    changed.length > 0
      ? l10n.t('; decided again in this conversation because of a change: {0}', changed.join(', '))
      : '';
  return { kept: { ...decided, reasonLong: `${decided.reasonLong}${anew}` }, weighed };
}

function decideByNumbers(
  what: 'auto' | 'core',
  tools: readonly Tool[],
  { settings, model, definitionTokens }: LoadingInputs,
): KeptDecision & { readonly weighed?: Weighed } {
  const count = tools.length;
  const max = settings.autoMaxTools;
  if (count > max) {
    return {
      loading: 'deferred',
      reason: l10n.t('auto: {0} tools > {1}', count, max),
      reasonLong: l10n.t('mode auto: {0} tools are more than auto.maxTools ({1})', count, max),
    };
  }
  const fits = {
    reason: l10n.t('auto: {0} tools ≤ {1}', count, max),
    reasonLong: l10n.t(
      'mode auto: {0} tools are no more than auto.maxTools ({1}), and their definitions fit',
      count,
      max,
    ),
  };
  const window = model?.maxInputTokens ?? 0;
  if (window === 0) return { loading: 'eager', ...fits };
  const percent = (window * settings.autoContextPercent) / 100;
  const budget = what === 'core' && settings.scope === 'auto' ? Math.min(percent, READING_TOKENS) : percent;
  const tokens = definitionTokens(tools);
  const weighed = { tools, tokens, budget };
  if (tokens.value <= budget) return { loading: 'eager', ...fits, weighed };
  return {
    loading: 'deferred',
    reason: l10n.t('auto: > {0} % of context', settings.autoContextPercent),
    reasonLong: l10n.t(
      'mode auto: {0} tokens of definitions are more than auto.contextPercent ({1} % of {2})',
      `${tokens.certainty === 'estimated' ? '≈ ' : ''}${tokens.value}`,
      settings.autoContextPercent,
      window,
    ),
    weighed,
  };
}
