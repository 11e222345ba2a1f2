// The rules that decide how each tool is loaded, and the reasons that they give.

import type { Catalog } from '../catalog/catalog';
import { isListedItem, type Tool } from '../catalog/tool';
import { permissionOf } from '../code/callPermission';
import { type Pins, pinOf } from '../settings/pins';
import type { Settings } from '../settings/settings';
import { l10n } from '../util/l10n';
import { hiddenBy, isInner, isOutOfScope } from './hidden';
import { LOADING_RULES, type LoadingDecision, type LoadingRule } from './loadingDecision';
import { createMatcher, globsForServer, namedIn, narrownessIn } from './toolPatterns';

/** VS Code's tools that read the workspace, by the name after `#`. With scope `auto` they are eager if they fit. */
const READING_TOOLS = ['fileSearch', 'listDirectory', 'problems', 'readFile', 'textSearch'];

export interface RuleInputs {
  readonly catalog: Catalog;
  readonly settings: Settings;
  readonly pins: Pins;
  /** Ids of the tools that the prompt names with `#`: eager for this turn. */
  readonly references: ReadonlySet<string>;
}

/** The decisions that rules made, and the tools that no rule decides on. */
export interface DecidedByRules {
  readonly decisions: ReadonlyMap<string, LoadingDecision>;
  readonly undecided: readonly Tool[];
  readonly core: readonly Tool[];
  /** The tools that are eager because their servers want it. They yield if they are too many. */
  readonly wished: readonly Tool[];
  /** With scope `auto`, VS Code's other tools. They are found if there is a search, and never the reason for one. */
  readonly found: readonly Tool[];
}

/** Applies the rules to every tool: the first rule that fits decides. */
export function decideByRules(inputs: RuleInputs): DecidedByRules {
  const decisions = new Map<string, LoadingDecision>();
  const undecided: Tool[] = [];
  const core: Tool[] = [];
  const wished: Tool[] = [];
  const found: Tool[] = [];
  const { scope, coreTools } = inputs.settings;
  const isCore = createMatcher(scope === 'auto' ? READING_TOOLS : coreTools);
  const matchers = matchersOf(inputs);
  for (const tool of inputs.catalog.tools) {
    const decision = decideByRule(tool, inputs, matchers);
    if (decision?.rule === 'hint' && decision.loading === 'eager') wished.push(tool);
    if (decision) decisions.set(tool.id, decision);
    else if (tool.origin !== 'vscode') undecided.push(tool);
    else if (isCore(tool.name) || isCore(tool.referenceName ?? '')) core.push(tool);
    else if (scope === 'auto') found.push(tool);
    else undecided.push(tool);
  }
  return { decisions, undecided, core, wished, found };
}

export function decide(
  loading: LoadingDecision['loading'],
  rule: LoadingRule,
  reason: string,
  long = reason,
): LoadingDecision {
  return { loading, rule, reason, reasonLong: l10n.t('rule {0}, {1}', LOADING_RULES.indexOf(rule) + 1, long) };
}

export function decideCore(scope: Settings['scope']): LoadingDecision {
  const why =
    scope === 'auto'
      ? l10n.t('it reads the workspace, which most questions need')
      : l10n.t('toolsearch.coreTools names it: agents need this tool');
  return decide('eager', 'core', l10n.t('core tool'), why);
}

/** Decides on a tool that its server wants in every request, if there are too many. `why` has the exceeded number. */
export function decideYielding({ server }: Tool, why: string): LoadingDecision {
  return decide(
    'deferred',
    'hint',
    l10n.t('alwaysLoad: too many'),
    l10n.t('its server {0} sets alwaysLoad to true, but all tools that want this don’t fit ({1})', server, why),
  );
}

/** Decides on a VS Code tool that doesn't read the workspace: it is deferred if there is a search. */
export function decideFound(mode: Settings['mode'], hasSearch: boolean): LoadingDecision {
  if (hasSearch) {
    const why = l10n.t('toolsearch.scope is auto: a tool of VS Code is found by search');
    return decide('deferred', 'scope', 'scope: auto', why);
  }
  const why =
    mode === 'off'
      ? l10n.t('toolsearch.scope is auto, and toolsearch.mode is off: no search')
      : l10n.t(
          'no tool of a server is deferred, so there is no search that finds tools of VS Code. Set toolsearch.mode to on to have them found',
        );
  return decide('omitted', 'scope', 'scope: auto', why);
}

/** Decides on a resource or prompt. Rules for a server's tools don't apply to these. */
function decideItem(mode: Settings['mode']): LoadingDecision {
  const why =
    mode === 'off'
      ? l10n.t('resources and prompts are found by search, and toolsearch.mode is off')
      : l10n.t('resources and prompts are found by search');
  return decide(mode === 'off' ? 'omitted' : 'deferred', 'scope', l10n.t('resource or prompt'), why);
}

/** Compiles the settings that name tools. */
function matchersOf(inputs: RuleInputs) {
  const { deferredTools, eagerTools } = inputs.settings;
  return {
    hides: hiddenBy(inputs),
    permission: permissionOf(inputs.settings),
    deferred: serverMatchers(deferredTools),
    eager: serverMatchers(eagerTools),
  };
}

function serverMatchers(setting: Settings['eagerTools']) {
  return {
    /** Whether a pattern names the tool, under its server's name or under `*`. */
    names: namedIn(setting),
    /** Whether the setting names the server itself. */
    hasServer: (server: string) => globsForServer(setting, server) !== undefined,
    narrowness: narrownessIn(setting),
  };
}

function reasonsToHide(by: 'setting' | 'pin' | 'set', { set = '' }: Pins): readonly [short: string, long: string] {
  switch (by) {
    case 'pin':
      return [l10n.t('pinned: off'), l10n.t('you hid it: it isn’t sent to models and can’t be found or called')];
    case 'set':
      return [
        l10n.t('not in the set {0}', set),
        l10n.t('the chosen set “{0}” doesn’t contain it: it isn’t sent to models and can’t be found or called', set),
      ];
    case 'setting':
      return [
        'hiddenTools',
        l10n.t('toolsearch.hiddenTools names it: it isn’t sent to models and can’t be found or called'),
      ];
  }
}

function decideByRule(
  tool: Tool,
  { settings, pins, references }: RuleInputs,
  matchers: ReturnType<typeof matchersOf>,
): LoadingDecision | undefined {
  const hidden = matchers.hides(tool);
  if (hidden) {
    const [reason, reasonLong] = reasonsToHide(hidden, pins);
    return { loading: 'omitted', rule: 'hidden', reason, reasonLong };
  }
  if (matchers.permission(tool) === 'code')
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

  return decideByLists(tool, matchers) ?? decideByKind(tool, settings);
}

function decideByLists(tool: Tool, { eager, deferred }: ReturnType<typeof matchersOf>): LoadingDecision | undefined {
  const isEager = eager.names(tool);
  const isDeferred = deferred.names(tool);
  if (isDeferred && !(isEager && eager.narrowness(tool) >= deferred.narrowness(tool)))
    return decide(
      'deferred',
      'deferredTools',
      'deferredTools',
      isEager
        ? l10n.t('toolsearch.deferredTools names it for {0}, and more narrowly than toolsearch.eagerTools', tool.server)
        : l10n.t('toolsearch.deferredTools names it for {0}', tool.server),
    );
  if (!isEager && deferred.hasServer(tool.server))
    return decide(
      'eager',
      'deferredTools',
      l10n.t('not in deferredTools'),
      l10n.t('toolsearch.deferredTools names other tools of {0}, and only those are deferred', tool.server),
    );
  if (isEager)
    return decide(
      'eager',
      'eagerTools',
      'eagerTools',
      isDeferred
        ? l10n.t('toolsearch.eagerTools names it for {0}, as narrowly as toolsearch.deferredTools or more', tool.server)
        : l10n.t('toolsearch.eagerTools names it for {0}', tool.server),
    );
  return undefined;
}

/** Decides by what the tool's server says, and by whether the tool is for models at all. */
function decideByKind(tool: Tool, settings: Settings): LoadingDecision | undefined {
  if (tool.alwaysLoad !== undefined)
    return decide(
      tool.alwaysLoad ? 'eager' : 'deferred',
      'hint',
      l10n.t('hint: alwaysLoad {0}', String(tool.alwaysLoad)),
      l10n.t('its server sets alwaysLoad to {0}', String(tool.alwaysLoad)),
    );
  if (isInner(tool))
    return decide(
      'omitted',
      'scope',
      l10n.t('VS Code’s own use'),
      l10n.t('VS Code uses this tool itself, or only to demonstrate its dialogs. To use it here, pin it'),
    );
  if (isOutOfScope(tool, settings))
    return decide(
      'omitted',
      'scope',
      'scope: mcp',
      l10n.t(
        'toolsearch.scope is mcp: a tool that belongs to no MCP server is offered only if eagerTools or #tool names it',
      ),
    );
  return undefined;
}

export function decideByMode(on: boolean): LoadingDecision {
  return on
    ? decide('deferred', 'mode', l10n.t('mode on'), l10n.t('toolsearch.mode is on'))
    : decide('eager', 'mode', l10n.t('mode off'), l10n.t('toolsearch.mode is off'));
}
