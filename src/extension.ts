import * as vscode from 'vscode';
import type { ToolSearchApi } from './api';
import { composeEndpoint } from './compose/endpoint';
import { composeInspector } from './compose/inspector';
import { createLog } from './compose/log';
import { composeModels } from './compose/models';
import { createStored, type Shared, type TurnServices } from './compose/shared';
import { composeTools } from './compose/tools';
import { composeTurns } from './compose/turns';
import { ResultRenderers } from './core/hooks/resultRenderer';
import { TurnTools } from './core/hooks/turnTools';
import { Ledger } from './core/ledger/ledger';
import type { TurnReport } from './core/ledger/report';
import { LastRequests } from './core/usage/cacheMiss';
import { TokenCounters } from './core/usage/tokenCounter';
import { KnownSecrets } from './core/util/knownSecrets';
import { oneLine } from './core/util/plainText';

/** Ends what runs for a window. */
let stop: () => Promise<unknown> = async () => {};

/** VS Code waits for this when a window closes or reloads. */
export async function deactivate(): Promise<void> {
  await stop();
}

/** Wires what the composers build. Returns at once: files are read while VS Code goes on, and a first question waits for them. */
export function activate(context: vscode.ExtensionContext): ToolSearchApi {
  const secrets = new KnownSecrets();
  const log = createLog(secrets);
  context.subscriptions.push(log);
  const closing: (() => Promise<void>)[] = [];
  stop = () => Promise.allSettled(closing.map((close) => close()));
  const shared: Shared = {
    context,
    stored: createStored(context),
    log,
    secrets,
    warn: (message) => log.warn(oneLine(message)),
    started: () => started,
    closing,
  };
  const asked: TurnServices = {
    ledger: new Ledger(secrets.redactIn),
    counters: new TokenCounters(),
    requests: new LastRequests(),
    renderers: new ResultRenderers(),
    turnTools: new TurnTools(),
  };
  const tools = composeTools(shared);
  const models = composeModels(shared, tools, asked);
  const turns = composeTurns(shared, tools, models, asked);
  const endpoint = composeEndpoint(shared, tools, turns);
  composeInspector(shared, tools, turns, models, endpoint, asked.ledger);

  // What can't be read is logged, and all else goes on without it.
  const logged = (error: unknown) => log.error(error instanceof Error ? error : String(error));
  const started = Promise.all([tools.load().catch(logged), turns.load().catch(logged)]).then(() => {});
  void started.then(() => endpoint.apply());

  const ended = new vscode.EventEmitter<TurnReport>();
  turns.session.onDidEndTurn((report) => ended.fire(secrets.redactIn(report)));
  context.subscriptions.push(ended);
  return {
    registerStrategy: (name, strategy) => new vscode.Disposable(tools.registry.register(name, strategy)),
    prepareTools: (name, filter) => new vscode.Disposable(asked.turnTools.addFilter(name, filter)),
    renderTool: (name, render) => new vscode.Disposable(asked.turnTools.setRenderer(name, render)),
    registerResultRenderer: (name, render) => new vscode.Disposable(asked.renderers.register(name, render)),
    onDidEndTurn: ended.event,
    lastReport: () => secrets.redactIn(turns.session.lastReport),
  };
}
