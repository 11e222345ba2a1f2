import * as vscode from 'vscode';
import { RelayTurns } from '../core/agents/relayTurns';
import type { TurnServices } from '../core/turn/turnServices';
import { once } from '../core/util/once';
import { createOtherModels } from '../providers/vscodeLm/otherModels';
import { registerNatives } from '../providers/vscodeLm/registerNatives';
import { RelayProvider } from '../providers/vscodeLm/relayProvider';
import { offerSearchOnly } from '../providers/vscodeLm/searchOnlyProvider';
import { outcomeOf } from '../tools/callOutcome';
import { ApiKeys } from '../ui/keys/apiKeys';
import type { Shared } from './shared';
import type { Tools } from './tools';

export type Models = ReturnType<typeof composeModels>;

/**
 * Creates "Search only (no AI)", the models that use the user's own keys, and the models of other vendors with tool
 * search, for every chat in VS Code.
 */
export function composeModels(
  { context, secrets, warn, started }: Shared,
  { settings }: Tools,
  services: TurnServices,
) {
  const keys = new ApiKeys(context.secrets, process.env);
  const learnKeys = async () => {
    for (const key of await keys.all()) secrets.add(key);
  };
  void learnKeys();
  const relayTurns = new RelayTurns(services.ledger, services.clock);
  const relay = { services, turns: relayTurns, log: warn, outcomeOf };
  const models = registerNatives({
    relay,
    ready: started,
    keys,
    settings,
    secrets,
    loadPorts: once(async () => (await import('../providers/native/nativePorts')).createNativePorts()),
  });
  const others = createOtherModels(() => settings.current.offerModels, settings);
  void others.refresh();
  const provider = new RelayProvider({ relay, ready: started, models: others, onDidChange: others.onDidChange });
  context.subscriptions.push(others, vscode.lm.registerLanguageModelChatProvider(others.vendor, provider));
  context.subscriptions.push(keys, keys.onDidChange(learnKeys), models.disposable, relayTurns);
  context.subscriptions.push(offerSearchOnly(() => settings.current.searchOnlyModel, settings));
  return { keys, own: [...models.natives, others], test: models.test };
}
