import * as vscode from 'vscode';
import { type Catalog, createCatalog } from '../../core/catalog/catalog';
import type { Diagnostic } from '../../core/catalog/diagnostic';
import type { Ledger } from '../../core/ledger/ledger';
import type { Overview } from '../../core/planning/overview';
import type { ToolSource } from '../../core/ports';
import type { SearchPort } from '../../core/search/types';
import { type Pins, pinOf } from '../../core/settings/pins';
import type { Settings } from '../../core/settings/settings';
import type { Session } from '../../core/turn/session';
import { pause } from '../../core/util/signals';
import { yieldToEventLoop } from '../../core/util/yieldToEventLoop';
import { Playground } from '../playground/playground';
import type { ViewInputs } from '../protocol/inputs';
import type { AnyPinTarget, FileRequest, ToHost } from '../protocol/requests';
import type { ScriptRunView } from '../protocol/script';
import type { Pin } from '../protocol/view';
import { SuggestionController, type SuggestionControllerDeps } from '../suggestions/controller';
import { INSPECTOR_STRINGS } from '../text/strings';
import { createText, type StringKey, type Strings } from '../text/text';
import { detailOf } from '../view/toolDetail';
import { ViewFold } from '../view/viewState';
import { withWithheld } from '../view/withheldTools';
import type { InspectorSource } from './panel';

/** Tools that changed since the user accepted them, as the inspector knows them. */
interface ChangedToolsPort {
  tools(): readonly { readonly id: string; readonly server: string; readonly name: string }[];
  /** Whether they are kept from models. */
  withheld(): boolean;
  /** Shows what a server's tools were beside what they are, or one of them alone, by its id. */
  compare(server: string, tool?: string): Promise<void>;
  accept(server: string, tool?: string): Promise<void>;
}

/** What the inspector shows is folded from these. */
export interface InspectorSourceDeps {
  readonly source: ToolSource;
  readonly search: SearchPort;
  /** Names of strategies that other extensions registered. */
  readonly registered: () => readonly string[];
  readonly session: Session;
  readonly ledger: Ledger;
  readonly settings: () => Settings;
  readonly pins: () => Pins;
  readonly diagnostics: () => readonly Diagnostic[];
  /** Milliseconds since the epoch, by the name of a server that is starting. */
  readonly startingSince: () => ReadonlyMap<string, number>;
  /** Calls `listener` after each change of any of these; returns what stops that. */
  onDidChange(listener: () => void): () => void;
  pin(target: AnyPinTarget, pin: Pin): Promise<void>;
  /** Tools that changed since the user accepted them. */
  readonly changed: ChangedToolsPort;
  /** All of them, or one alone. */
  startServers(only?: string): Promise<void>;
  /** Runs a script by the user's hand. */
  runScript(code: string, signal: AbortSignal): Promise<ScriptRunView>;
  readonly suggestions: Pick<
    SuggestionControllerDeps,
    'find' | 'findable' | 'setSetting' | 'addExample' | 'showServer' | 'dismissed' | 'setDismissed'
  >;
}

/** The inspector's words in the user's language. */
export function inspectorStrings(): Strings {
  return Object.fromEntries(Object.entries(INSPECTOR_STRINGS).map(([key, text]) => [key, vscode.l10n.t(text)])) as {
    [key in StringKey]: string;
  };
}

/** How things stand now: what the inspector's view is folded from, and what an export is written from. */
export function createViewInputs(deps: InspectorSourceDeps, strings: Strings): () => ViewInputs {
  const locale = vscode.env.language;
  const shown = withWithheld();
  return () => {
    const { standing, strategy, delivery, modelRule } = deps.session.overview();
    const { mode, maxResults, maxResultsLimit } = deps.session.effective.settings;
    return {
      events: deps.ledger.events,
      ...shown(deps.source.catalog, standing),
      tokensOf: deps.session.tokensOf,
      pins: deps.pins(),
      ...(modelRule === undefined ? {} : { modelRule }),
      mode,
      maxResults,
      maxResultsLimit,
      strategy,
      delivery,
      diagnostics: deps.diagnostics(),
      changed: { tools: deps.changed.tools(), withheld: deps.changed.withheld() },
      trusted: vscode.workspace.isTrusted,
      startingSince: deps.startingSince(),
      now: Date.now(),
      locale,
      strings,
    };
  };
}

/** Joins these into what the inspector's panel asks for. */
export function createInspectorSource(
  deps: InspectorSourceDeps,
  inputs: () => ViewInputs,
  files: (request: FileRequest) => Promise<void>,
): InspectorSource {
  const fold = new ViewFold();
  const playground = new Playground({
    search: deps.search,
    tool: (id) => deps.source.catalog.byId.get(id),
    candidates: (scope) => candidates(deps.session.overview().loading, scope),
    settings: deps.settings,
    registered: deps.registered,
    pause: yieldToEventLoop,
  });
  const { strings, locale } = inputs();
  const text = createText(strings, locale);
  const listeners = new Set<() => void>();
  let running = new AbortController();
  const offered = offeredCatalog();
  const suggestions = new SuggestionController(
    {
      ...deps.suggestions,
      events: () => deps.ledger.events,
      catalog: () => offered(deps.source.catalog, deps.session.overview().loading),
      loading: () => deps.session.overview().loading,
      tokensOf: (tool) => deps.session.tokensOf(tool),
      settings: deps.settings,
      pin: (target, pin) => deps.pin(target, pin),
      pinOf: (target) => pinOf(deps.pins(), target),
      pause,
      now: () => performance.now(),
    },
    () => {
      for (const listener of listeners) listener();
    },
  );
  return {
    prepare: (watched) => fold.prepare(inputs(), watched),
    state: (watched) => fold.fold({ ...inputs(), suggestions: suggestions.view(text) }, watched),
    onDidChange: (listener) => {
      listeners.add(listener);
      const stop = deps.onDidChange(listener);
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
    handle: async (request, answer) => {
      switch (request.type) {
        case 'getTool': {
          const detail = detailOf(inputs().catalog, request.id, text, (chars) => deps.session.tokensOfText(chars));
          return answer({ type: 'tool', detail });
        }
        case 'run':
          return runCommand(request, deps);
        case 'pin':
          return deps.pin(request.target, request.pin);
        case 'play':
          return playground.ask(request.question, (played) => answer({ type: 'played', answer: played }));
        case 'runScript':
          running.abort();
          running = new AbortController();
          return answer({ type: 'ranScript', run: await deps.runScript(request.code, running.signal) });
        case 'stopScript':
          return running.abort();
        case 'suggest':
          return suggestions.act(request);
        default:
          return files(request);
      }
    },
  };
}

/** Discovered tools count as deferred: in the next chat they must be searched for again. */
function candidates(loading: Overview['loading'], scope: 'all' | 'deferred'): ReadonlySet<string> {
  return new Set([...loading].flatMap(([id, how]) => (scope === 'deferred' && how.loading === 'eager' ? [] : [id])));
}

/** The catalog without tools that no rule offers: nothing is suggested about those. The same while it holds the same. */
function offeredCatalog(): (catalog: Catalog, loading: ReadonlyMap<string, unknown>) => Catalog {
  let made: { readonly of: Catalog; readonly offered: Catalog } | undefined;
  return (catalog, loading) => {
    const tools = catalog.tools.filter((tool) => loading.has(tool.id));
    if (
      made?.of !== catalog ||
      made.offered.tools.length !== tools.length ||
      tools.some((tool) => !made?.offered.byId.has(tool.id))
    ) {
      made = { of: catalog, offered: createCatalog(catalog.revision, tools, catalog.servers) };
    }
    return made.offered;
  };
}

async function runCommand(
  { command, server, tool }: Extract<ToHost, { type: 'run' }>,
  deps: InspectorSourceDeps,
): Promise<void> {
  switch (command) {
    case 'selectStrategy':
    case 'selectDelivery':
    case 'selectMode':
    case 'findTools':
    case 'showLog':
      await vscode.commands.executeCommand(`toolsearch.${command}`);
      return;
    case 'openSettings':
      await vscode.commands.executeCommand('workbench.action.openSettings', 'toolsearch.');
      return;
    case 'openMcpJson':
      return openMcpJson();
    case 'addServer':
      await vscode.commands.executeCommand('workbench.mcp.addConfiguration');
      return;
    case 'startServers':
      return deps.startServers(server);
    case 'compareChanged':
      return deps.changed.compare(server ?? '', tool);
    case 'acceptChanged':
      return deps.changed.accept(server ?? '', tool);
    case 'manageTrust':
      await vscode.commands.executeCommand('workbench.trust.manage');
      return;
  }
}

/** Opens the workspace's `mcp.json`, and writes an empty one where there is none. */
async function openMcpJson(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error(vscode.l10n.t('Open a folder first: mcp.json stands in its .vscode folder.'));
  const uri = vscode.Uri.joinPath(folder.uri, '.vscode', 'mcp.json');
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{\n  "servers": {}\n}\n'));
  }
  await vscode.window.showTextDocument(uri);
}
