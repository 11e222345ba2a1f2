import * as vscode from 'vscode';
import type { ToolSearchApi, ToolSearchExports, TurnReport } from '../tool-search';
import { composeEndpoint } from './compose/endpoint';
import { composeInspector } from './compose/inspector';
import { composeModels } from './compose/models';
import { createTurnServices } from './compose/services';
import { createLog, createStored, type Shared } from './compose/shared';
import { composeTools } from './compose/tools';
import { composeTurns } from './compose/turns';
import { KnownSecrets } from './core/util/knownSecrets';
import { l10n } from './core/util/l10n';
import { oneLine } from './core/util/plainText';

/** Ends the extension's work in this window. */
let stop: () => Promise<unknown> = async () => {};

/** Called when the window closes or reloads. VS Code waits for the promise. */
export async function deactivate(): Promise<void> {
  await stop();
}

/**
 * Creates all parts of the extension and connects them. Returns at once: stored files are read afterwards, and a first
 * question waits for them.
 */
export function activate(context: vscode.ExtensionContext): ToolSearchExports {
  l10n.use(vscode.l10n.t);
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
  const tools = composeTools(shared);
  const services = createTurnServices(shared, tools);
  const models = composeModels(shared, tools, services);
  const turns = composeTurns(shared, tools, models, services);
  const endpoint = composeEndpoint(shared, tools, turns);
  composeInspector({ shared, tools, turns, models, endpoint, ledger: services.ledger });

  // If something can't be read, this is logged, and the extension works without it.
  const logged = (error: unknown) => log.error(error instanceof Error ? error : String(error));
  const started = Promise.all([tools.load().catch(logged), turns.load().catch(logged)]).then(() => {});
  void started.then(() => endpoint.apply());

  const ended = new vscode.EventEmitter<TurnReport>();
  turns.session.onDidEndTurn((report) => ended.fire(secrets.redactIn(report)));
  context.subscriptions.push(ended);
  const api: ToolSearchApi = {
    registerStrategy: (name, strategy) => new vscode.Disposable(tools.registry.register(name, strategy)),
    onDidEndTurn: ended.event,
    lastReport: () => secrets.redactIn(turns.session.lastReport),
  };
  return {
    getApi(version) {
      if (version !== 1) throw new Error(`This Tool Search has version 1 of its API, not ${version}.`);
      return api;
    },
  };
}
