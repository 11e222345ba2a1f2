// Connects the inspector's panel to this window: reads the data that it shows, and handles its requests.

import * as vscode from 'vscode';
import type { Diagnostic } from '../../core/catalog/diagnostic';
import type { Tool } from '../../core/catalog/tool';
import { resultText } from '../../core/conversation/resultText';
import type { Ledger } from '../../core/ledger/ledger';
import type { ToolRun, ToolSource } from '../../core/ports';
import type { SearchPort } from '../../core/search/types';
import { type Pins, pinOf } from '../../core/settings/pins';
import type { Settings } from '../../core/settings/settings';
import type { Session } from '../../core/turn/session';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { openMcpJson } from '../../vscode/configFile';
import { Playground } from '../playground/playground';
import type { ViewInputs } from '../protocol/inputs';
import type { Answer } from '../protocol/messages';
import type { AnyPinTarget, HostCommand, ToHost } from '../protocol/requests';
import type { Pin } from '../protocol/view';
import { SuggestionController, type SuggestionControllerDeps } from '../suggestions/suggestionController';
import { cutBytes } from '../text/bytes';
import { INSPECTOR_STRINGS } from '../text/strings';
import { createText, type StringKey, type Strings, type Text } from '../text/text';
import { exchangeText, exchangeView } from '../view/exchangeView';
import { toolDetail } from '../view/toolDetail';
import { ViewFold } from '../view/viewState';
import { withWithheld } from '../view/withheldTools';
import type { InspectorSource } from './panel';

/** The maximum number of bytes of a tool's result in one message. */
const MAX_OUTPUT = 40_000;

/** The tools, with what only the user sees of their servers. */
interface InspectedSource extends ToolSource {
  /** The servers that are starting, by name, with the time of their start in milliseconds since the epoch. */
  readonly startingSince: ReadonlyMap<string, number>;
  /** The tools that have changed since the user accepted them. */
  readonly changed: readonly Pick<Tool, 'id' | 'server' | 'name'>[];
  startServers(asked: 'byUser', only?: string): Promise<void>;
}

/** The data of the window that the inspector shows. */
interface ShownDeps {
  readonly source: InspectedSource;
  readonly search: SearchPort;
  /** Returns the names of strategies that other extensions registered. */
  readonly registered: () => readonly string[];
  readonly session: Session;
  readonly ledger: Ledger;
  readonly settings: () => Settings;
  readonly pins: () => Pins;
  readonly diagnostics: () => readonly Diagnostic[];
}

/** Actions of the user in the inspector that aren't commands of VS Code. */
interface InspectorActions {
  pin(target: AnyPinTarget, pin: Pin): Promise<void>;
  /** Shows the old and new definitions of a server's tools, or of the tool with this id only. */
  compareChanged(server: string, tool?: string): Promise<void>;
  acceptChanged(server: string, tool?: string): Promise<void>;
  /** Runs a tool for the user. VS Code asks the user first. */
  tryTool(name: string, input: { readonly [name: string]: unknown }, signal: AbortSignal): Promise<ToolRun>;
}

export interface InspectorSourceDeps {
  readonly shown: ShownDeps;
  readonly actions: InspectorActions;
  /** Fires after each change of what is shown. */
  readonly onDidChange: vscode.Event<void>;
  readonly dismissed: SuggestionControllerDeps['dismissed'];
  readonly secrets: () => Promise<KnownSecrets>;
  readonly openText: (name: string, text: string) => Promise<void>;
}

/** Returns the inspector's texts in the user's language. */
export function inspectorStrings(): Strings {
  return Object.fromEntries(Object.entries(INSPECTOR_STRINGS).map(([key, text]) => [key, vscode.l10n.t(text)])) as {
    [key in StringKey]: string;
  };
}

/** Returns a function that reads the current data, from which the view and exports are made. */
export function createViewInputs(deps: InspectorSourceDeps, strings: Strings): () => ViewInputs {
  const locale = vscode.env.language;
  const shown = withWithheld();
  return () => {
    const { standing, strategy, delivery, modelRule } = deps.shown.session.overview();
    const { mode, maxResults } = deps.shown.session.effective.settings;
    return {
      events: deps.shown.ledger.events,
      ...shown(deps.shown.source.catalog, standing),
      tokensOf: deps.shown.session.tokensOf,
      pins: deps.shown.pins(),
      ...(modelRule === undefined ? {} : { modelRule }),
      mode,
      maxResults,
      strategy,
      delivery,
      diagnostics: deps.shown.diagnostics(),
      changed: { tools: deps.shown.source.changed, withheld: deps.shown.settings().changedTools === 'ask' },
      trusted: vscode.workspace.isTrusted,
      startingSince: deps.shown.source.startingSince,
      now: Date.now(),
      locale,
      strings,
    };
  };
}

export function createInspectorSource(deps: InspectorSourceDeps, inputs: () => ViewInputs): InspectorSource {
  const fold = new ViewFold();
  const playground = new Playground({
    search: deps.shown.search,
    tool: (id) => deps.shown.source.catalog.byId.get(id),
    // Discovered tools are treated as deferred, since they must be found again in the next chat.
    candidates: (scope) =>
      new Set(
        [...deps.shown.session.overview().loading].flatMap(([id, { loading }]) =>
          scope === 'deferred' && loading === 'eager' ? [] : [id],
        ),
      ),
    settings: deps.shown.settings,
    registered: deps.shown.registered,
  });
  const { strings, locale } = inputs();
  const text = createText(strings, locale);
  const changed = new vscode.EventEmitter<void>();
  deps.onDidChange(() => changed.fire());
  let trial = new AbortController();
  const suggestions = new SuggestionController(
    {
      events: () => deps.shown.ledger.events,
      catalog: () => deps.shown.source.catalog,
      loading: () => deps.shown.session.overview().loading,
      tokensOf: (tool) => deps.shown.session.tokensOf(tool),
      pins: {
        get: (target) => pinOf(deps.shown.pins(), target),
        set: (target, pin) => deps.actions.pin(target, pin),
      },
      dismissed: deps.dismissed,
    },
    () => changed.fire(),
  );
  return {
    prepare: (watched) => fold.prepare(inputs(), watched),
    state: (watched) => fold.fold({ ...inputs(), suggestions: suggestions.view(text) }, watched),
    onDidChange: changed.event,
    handle: async (request, answer) => {
      switch (request.type) {
        case 'getTool': {
          const { byId, tools } = inputs().catalog;
          const tool = byId.get(request.id);
          if (!tool) throw new Error(text.t('detail.gone', { tool: request.id }));
          const hinted = deps.shown.settings().mcpHost === 'extension';
          const count = (chars: number) => deps.shown.session.tokensOfText(chars);
          return answer({ type: 'tool', detail: toolDetail(tool, text, { tools, count, hinted }) });
        }
        case 'run':
          return runCommand(request, deps);
        case 'pin':
          return deps.actions.pin(request.target, request.pin);
        case 'play':
          return playground.ask(request.question, (played) => answer({ type: 'played', answer: played }));
        case 'getExchange':
          return showExchange(request, deps, text, answer);
        case 'tryTool':
          trial.abort();
          trial = new AbortController();
          return tryTool(request, deps, trial.signal, answer);
        case 'suggest':
          return suggestions.act(request);
      }
    },
  };
}

/** Runs a tool that the user tries, and sends its result to the panel. */
async function tryTool(
  { id, input }: Extract<ToHost, { type: 'tryTool' }>,
  deps: InspectorSourceDeps,
  signal: AbortSignal,
  answer: (answer: Answer) => void,
): Promise<void> {
  const name = deps.shown.source.catalog.byId.get(id)?.modelName ?? id;
  const run = await deps.actions.tryTool(name, input, signal);
  const output = cutBytes((await deps.secrets()).redact(resultText(run)), MAX_OUTPUT);
  answer({ type: 'tried', id, run: { outcome: run.outcome, output } });
}

/** Sends a round's request and reply to the panel, or opens them in an editor. Throws if they aren't stored. */
async function showExchange(
  { turn, round, whole }: Extract<ToHost, { type: 'getExchange' }>,
  { shown: { ledger, session }, secrets, openText }: InspectorSourceDeps,
  text: Text,
  answer: (answer: Answer) => void,
): Promise<void> {
  const exchange = ledger.exchanges.of(turn, round);
  if (!exchange) throw new Error(text.t('exchange.gone'));
  const known = await secrets();
  if (whole) return openText(`turn-${turn}-round-${round}.json`, exchangeText(known.redactIn(exchange)));
  const view = exchangeView(exchange, (chars) => session.tokensOfText(chars));
  return answer({ type: 'exchange', exchange: known.redactIn(view) });
}

/** The commands of VS Code itself, with their arguments. */
const OF_VSCODE: { readonly [command in HostCommand]?: readonly [id: string, ...given: unknown[]] } = {
  openSettings: ['workbench.action.openSettings', 'toolsearch.'],
  addServer: ['workbench.mcp.addConfiguration'],
  manageTrust: ['workbench.trust.manage'],
};

async function runCommand(
  { command, server, tool }: Extract<ToHost, { type: 'run' }>,
  deps: InspectorSourceDeps,
): Promise<void> {
  switch (command) {
    case 'openMcpJson':
      return openMcpJson();
    case 'startServers':
      return deps.shown.source.startServers('byUser', server);
    case 'compareChanged':
      return deps.actions.compareChanged(server ?? '', tool);
    case 'acceptChanged':
      return deps.actions.acceptChanged(server ?? '', tool);
    default:
      await vscode.commands.executeCommand(...(OF_VSCODE[command] ?? ([`toolsearch.${command}`] as const)));
  }
}
