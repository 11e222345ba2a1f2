import * as vscode from 'vscode';
import type { Diagnostic } from '../core/catalog/diagnostic';
import { VSCODE_SERVER } from '../core/catalog/tool';
import { isUse } from '../core/ledger/events';
import type { Ledger } from '../core/ledger/ledger';
import { toolsInRequest } from '../core/usage/toolsInRequest';
import { once } from '../core/util/once';
import type { InspectorDeps } from '../inspector/host/inspector';
import { INSPECTOR_VIEW_TYPE } from '../inspector/host/viewTypes';
import type { ChangedTool } from '../tools/changes/seenTools';
import { registerCommands } from '../ui/commands/commands';
import { Comparison } from '../ui/commands/compareChangedTools';
import { StatusBar } from '../ui/statusBar';
import { commandsOf, type Parts } from './commands';

/** The value of `toolsearch.mode` for a pin on all tools. */
const MODE_OF_PIN = { auto: 'auto', eager: 'off', deferred: 'on', off: undefined } as const;

/** Creates everything besides the chat: the inspector, exports, the status bar, commands and the log. */
export function composeInspector(parts: Parts): void {
  const { shared, tools, turns, ledger } = parts;
  const { context, log, secrets, warn } = shared;
  const { pins, source } = tools;
  const { session } = turns;
  const diagnostics = () => {
    const { coreNote, setNote } = session.overview();
    return [
      ...(setNote ? [{ severity: 'error' as const, source: 'toolsearch.sets', message: setNote }] : []),
      ...tools.diagnostics(),
      ...(coreNote ? [{ severity: 'warning' as const, source: 'toolsearch.coreTools', message: coreNote }] : []),
    ];
  };
  const changed = onAnyChange(parts);
  const comparison = new Comparison<ChangedTool>();
  const inspector = once(async () => {
    const { createInspector } = await import('../inspector/host/inspector');
    const made = createInspector(depsOf(parts, { diagnostics, changed, comparison }));
    context.subscriptions.push(made);
    return made;
  });
  context.subscriptions.push(
    comparison,
    vscode.window.registerWebviewPanelSerializer(INSPECTOR_VIEW_TYPE, {
      deserializeWebviewPanel: async (panel) => (await inspector()).panel.deserializeWebviewPanel(panel),
    }),
    registerCommands(commandsOf(parts, inspector), log, secrets.redact),
  );
  context.subscriptions.push(
    showStatus(parts, diagnostics, changed),
    changed(logProblems(diagnostics, warn)),
    changed(
      setContexts(() => ({
        hasTools: source.catalog.tools.length > 0,
        hasTurns: ledger.events.length > 0,
        hasAnswer: ledger.events.some((event) => event.type === 'turnEnded' && event.status === 'answered'),
        hasServers: source.catalog.servers.some(({ name }) => name !== VSCODE_SERVER),
        hasPins: Object.keys({ ...pins.current.tools, ...pins.current.servers }).length > 0,
      })),
    ),
  );
}

function depsOf(
  { shared, tools, turns, models, ledger }: Parts,
  own: {
    readonly diagnostics: () => readonly Diagnostic[];
    readonly changed: vscode.Event<void>;
    readonly comparison: Comparison<ChangedTool>;
  },
): InspectorDeps {
  const { diagnostics, changed, comparison } = own;
  const { context, stored, secrets } = shared;
  const { settings, pins, source, search } = tools;
  const changedOf = (server: string, tool?: string) =>
    source.changed.filter((each) => each.server === server && (tool === undefined || each.id === tool));
  return {
    shown: {
      source,
      search,
      registered: () => tools.registry.names(),
      session: turns.session,
      ledger,
      settings: () => settings.current,
      pins: () => pins.current,
      diagnostics,
    },
    actions: {
      // A pin on all tools sets `toolsearch.mode`.
      pin: (target, pin) =>
        target.kind === 'all'
          ? settings.update('mode', MODE_OF_PIN[pin])
          : pins.set({ kind: target.kind, id: target.id }, pin),
      compareChanged: (server, tool) => comparison.show(server, changedOf(server, tool)),
      acceptChanged: async (server, tool) => {
        const { tools, compared } = comparison.accepted(changedOf(server, tool));
        source.acceptChanged(tools);
        // A tool that has changed again after the comparison isn't accepted.
        const left = changedOf(server, tool);
        if (compared && left.length > 0) await comparison.show(server, left);
      },
      tryTool: turns.tryTool,
    },
    onDidChange: changed,
    secrets: async () => secrets.with([...(await models.keys.all()), ...(await (await tools.hosting.inputs()).kept())]),
    version: context.extension.packageJSON.version,
    extensionUri: context.extensionUri,
    memento: stored.memento,
  };
}

/** Calls the listener after any change of the data that the inspector and the status bar show. */
function onAnyChange({ shared: { context }, tools, turns, ledger }: Parts): vscode.Event<void> {
  const changed = new vscode.EventEmitter<void>();
  const fire = () => changed.fire();
  tools.source.onDidChange(fire);
  ledger.onDidChange(fire);
  turns.session.onDidEndTurn(fire);
  context.subscriptions.push(changed, tools.settings.onDidChange(fire), tools.pins.onDidChange(fire));
  return changed.event;
}

function showStatus(
  { tools: { source, settings, pins }, turns: { session }, ledger }: Parts,
  diagnostics: () => readonly Diagnostic[],
  changed: vscode.Event<void>,
): vscode.Disposable {
  const statusBar = new StatusBar();
  const used = usedTools(ledger);
  const update = () => {
    const { counts, unsent, delivery, setNote } = session.overview();
    const { servers } = source.catalog;
    const { sets } = settings.current;
    const named = (state: string) => servers.filter((server) => server.state === state).map((server) => server.name);
    statusBar.update({
      ...toolsInRequest(counts, delivery.name),
      unsent,
      used: used(),
      startingServers: named('starting'),
      failedServers: named('failed'),
      diagnostics: diagnostics().length,
      trusted: vscode.workspace.isTrusted,
      set: pins.current.set ?? (Object.keys(sets).length === 0 ? undefined : ''),
      setNote,
    });
  };
  return vscode.Disposable.from(statusBar, changed(update));
}

/** Returns a function that counts the tools that were called. It reads each event once. */
function usedTools(ledger: Ledger): () => number {
  const used = new Set<string>();
  let read = 0;
  return () => {
    for (const event of ledger.events.slice(read)) if (isUse(event)) used.add(event.tool);
    read = ledger.events.length;
    return used.size;
  };
}

/** Updates the context keys that `when` and `enablement` in package.json use, such as `toolsearch.hasTools`. */
function setContexts(read: () => { readonly [key: string]: boolean }): () => void {
  const set = new Map<string, boolean>();
  return () => {
    for (const [key, value] of Object.entries(read())) {
      if (set.get(key) === value) continue;
      set.set(key, value);
      void vscode.commands.executeCommand('setContext', `toolsearch.${key}`, value);
    }
  };
}

/** Writes the problems to the log whenever they change. */
function logProblems(diagnostics: () => readonly Diagnostic[], warn: (message: string) => void): () => void {
  let logged = '';
  return () => {
    const lines = diagnostics().map(({ source, message }) => `${source}: ${message}`);
    if (lines.join('\n') === logged) return;
    logged = lines.join('\n');
    for (const line of lines) warn(line);
  };
}
