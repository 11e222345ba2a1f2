import type { Catalog } from '../catalog/catalog';
import type { Standing, Tool } from '../catalog/tool';
import type { ModelInfo } from '../ports';
import { type Pins, pinOf } from '../settings/pins';
import type { Settings } from '../settings/settings';
import { LOADING_RULES, type LoadingRule } from './loadingRules';
import { createMatcher, globsForServer } from './patterns';

/** How one tool is loaded, and why. */
export interface LoadingDecision {
  readonly loading: Exclude<Standing, 'discovered'>;
  readonly rule: LoadingRule;
  /** A few words for a table's cell. */
  readonly reason: string;
  /** The whole sentence. */
  readonly reasonLong: string;
}

/** What goes into a request and what search may find; both in the catalog's order. */
export interface LoadingPlan {
  readonly eager: readonly Tool[];
  readonly deferred: readonly Tool[];
  readonly decisions: ReadonlyMap<string, LoadingDecision>;
  /** What mode `auto` came to, for the header: `on: 214 tools are more than 30`. */
  readonly modeWhy: string;
}

export interface LoadingInputs {
  readonly catalog: Catalog;
  readonly settings: Settings;
  readonly pins: Pins;
  /** Ids of the `#tool`s of the prompt: eager for this turn. */
  readonly references: ReadonlySet<string>;
  /** Undefined before a model is known: then only the number of tools decides in mode `auto`. */
  readonly model?: ModelInfo;
  /** Tokens of a set of definitions (one batched figure, not a sum of roundings). */
  readonly definitionTokens: (tools: readonly Tool[]) => number;
}

/** Decides on every tool: the first rule that speaks wins. */
export function planLoading(inputs: LoadingInputs): LoadingPlan {
  const decisions = new Map<string, LoadingDecision>();
  const undecided: Tool[] = [];
  const matchers = { deferred: serverMatchers(inputs.settings.deferredTools), eager: serverMatchers(inputs.settings.eagerTools) };
  for (const tool of inputs.catalog.tools) {
    const decision = decideByRule(tool, inputs, matchers);
    if (decision) decisions.set(tool.id, decision);
    else undecided.push(tool);
  }
  const mode = decideByMode(undecided, inputs);
  for (const tool of undecided) decisions.set(tool.id, mode);
  const withLoading = (loading: LoadingDecision['loading']) =>
    inputs.catalog.tools.filter((tool) => decisions.get(tool.id)?.loading === loading);
  return { eager: withLoading('eager'), deferred: withLoading('deferred'), decisions, modeWhy: mode.reasonLong };
}

function decide(loading: LoadingDecision['loading'], rule: LoadingRule, reason: string, long = reason): LoadingDecision {
  return { loading, rule, reason, reasonLong: `rule ${LOADING_RULES.indexOf(rule) + 1}, ${long}` };
}

type ServerMatcher = (server: string) => ((name: string) => boolean) | undefined;

/** Compiles a server's globs once, however many tools it has. */
function serverMatchers(setting: Settings['eagerTools']): ServerMatcher {
  const made = new Map<string, ((name: string) => boolean) | undefined>();
  return (server) => {
    if (!made.has(server)) {
      const globs = globsForServer(setting, server);
      made.set(server, globs && createMatcher(globs));
    }
    return made.get(server);
  };
}

function decideByRule(
  tool: Tool,
  { settings, pins, references }: LoadingInputs,
  matchers: { readonly deferred: ServerMatcher; readonly eager: ServerMatcher },
): LoadingDecision | undefined {
  const toolPin = pinOf(pins, { kind: 'tool', id: tool.id });
  if (toolPin !== 'auto') return decide(toolPin, 'pin', 'pinned: tool', `you pinned this tool ${toolPin}`);
  const serverPin = pinOf(pins, { kind: 'server', id: tool.server });
  if (serverPin !== 'auto') return decide(serverPin, 'pin', 'pinned: server', `you pinned the server ${tool.server} ${serverPin}`);

  if (references.has(tool.id))
    return decide('eager', 'reference', '#tool in the prompt', 'the prompt names it with #: eager for this turn');

  const isDeferred = matchers.deferred(tool.server);
  if (isDeferred) {
    return isDeferred(tool.name)
      ? decide('deferred', 'deferredTools', 'deferredTools', `toolsearch.deferredTools names it for ${tool.server}`)
      : decide(
          'eager',
          'deferredTools',
          'not in deferredTools',
          `toolsearch.deferredTools names other tools of ${tool.server}, and exactly those are deferred`,
        );
  }
  if (matchers.eager(tool.server)?.(tool.name))
    return decide('eager', 'eagerTools', 'eagerTools', `toolsearch.eagerTools names it for ${tool.server}`);

  if (tool.alwaysLoad !== undefined) {
    const loading = tool.alwaysLoad ? 'eager' : 'deferred';
    return decide(loading, 'hint', `hint: alwaysLoad ${tool.alwaysLoad}`, `its server says alwaysLoad: ${tool.alwaysLoad}`);
  }
  if (tool.origin === 'vscode' && settings.scope === 'mcp') {
    return decide(
      'omitted',
      'scope',
      'scope: mcp',
      'toolsearch.scope is mcp: a tool of no MCP server is offered only where eagerTools or #tool names it',
    );
  }
  return undefined;
}

function decideByMode(undecided: readonly Tool[], { settings, model, definitionTokens }: LoadingInputs): LoadingDecision {
  if (settings.mode === 'off') return decide('eager', 'mode', 'mode off', 'toolsearch.mode is off');
  if (settings.mode === 'on') return decide('deferred', 'mode', 'mode on', 'toolsearch.mode is on');
  const count = undecided.length;
  const max = settings.autoMaxTools;
  if (count > max)
    return decide('deferred', 'mode', `auto: ${count} tools > ${max}`, `mode auto: ${count} tools are more than auto.maxTools (${max})`);
  const window = model?.maxInputTokens ?? 0;
  if (window > 0) {
    const budget = (window * settings.autoContextPercent) / 100;
    const tokens = definitionTokens(undecided);
    if (tokens > budget) {
      return decide(
        'deferred',
        'mode',
        `auto: > ${settings.autoContextPercent} % of context`,
        `mode auto: about ${tokens} tokens of definitions are more than auto.contextPercent (${settings.autoContextPercent} % of ${window})`,
      );
    }
  }
  return decide(
    'eager',
    'mode',
    `auto: ${count} tools ≤ ${max}`,
    `mode auto: ${count} tools are no more than auto.maxTools (${max}), and their definitions fit`,
  );
}
