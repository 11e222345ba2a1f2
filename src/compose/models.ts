import { RelayTurns } from '../core/agents/relayTurns';
import { once } from '../core/util/once';
import { yieldToEventLoop } from '../core/util/yieldToEventLoop';
import { type Natives, registerNatives } from '../providers/vscodeLm/registerNatives';
import { SearchOnlyModel } from '../providers/vscodeLm/searchOnlyProvider';
import { outcomeOf } from '../tools/outcome';
import { ApiKeys } from '../ui/keys/apiKeys';
import type { Shared, TurnServices } from './shared';
import type { Tools } from './tools';

/** The models that we offer. */
export interface Models extends Pick<Natives, 'natives' | 'test'> {
  readonly keys: ApiKeys;
}

/** "Search only (no AI)", and the models that are asked with the user's own keys, for any chat in VS Code. */
export function composeModels({ context, secrets, warn, started }: Shared, tools: Tools, asked: TurnServices): Models {
  const { settings, pins, source, search } = tools;
  const keys = new ApiKeys(context.secrets, process.env);
  const learnKeys = async () => {
    for (const key of await keys.all()) secrets.add(key);
  };
  void learnKeys();
  const relayTurns = new RelayTurns(asked.ledger, Date.now);
  const models = registerNatives({
    turns: relayTurns,
    source,
    search,
    settings: () => settings.current,
    pins: () => pins.current,
    now: Date.now,
    log: warn,
    yieldToEventLoop,
    counters: asked.counters,
    requests: asked.requests,
    turnTools: asked.turnTools,
    renderResult: (answer, signal) => asked.renderers.render(answer, signal),
    outcomeOf,
    ready: started,
    ownKey: async (service) => (await keys.get(service))?.value,
    secrets,
    onDidChangeKeys: keys.onDidChange,
    onDidChangeSettings: settings.onDidChange,
    settingProblems: () => settings.diagnostics,
    loadPorts: once(async () => (await import('../providers/native/nativePorts')).createNativePorts()),
  });
  const searchOnly = new SearchOnlyModel(() => settings.current.searchOnlyModel, settings);
  void searchOnly.refresh();
  context.subscriptions.push(keys, keys.onDidChange(learnKeys), models.disposable, relayTurns, searchOnly);
  return { keys, natives: models.natives, test: models.test };
}
