import * as vscode from 'vscode';
import type { RelayDeps } from '../../core/agents/relayRequest';
import type { Diagnostic } from '../../core/catalog/diagnostic';
import { baseUrlOf, SERVICES, type Service, type ServiceId } from '../../core/settings/modelServices';
import type { Settings } from '../../core/settings/settings';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { l10n } from '../../core/util/l10n';
import { type Address, type CreatePort, NativeModels } from '../native/nativeModels';
import { keyedModels } from './keyedModels';
import { RelayProvider } from './relayProvider';

interface NativesDeps {
  readonly relay: RelayDeps;
  /** Resolves when the tools are known. */
  readonly ready: () => Promise<void>;
  readonly keys: {
    /** Returns the service's key from the extension's own command or the environment; undefined if there is none. */
    readonly get: (service: ServiceId) => Promise<{ readonly value: string } | undefined>;
    readonly onDidChange: vscode.Event<void>;
  };
  readonly settings: {
    readonly onDidChange: vscode.Event<Settings>;
    readonly diagnostics: readonly Diagnostic[];
  };
  /** Collects all keys, also those from Manage Language Models. */
  readonly secrets: KnownSecrets;
  /** Called for each key. The ports are loaded only once. */
  readonly loadPorts: () => Promise<{ readonly [service in ServiceId]: CreatePort }>;
}

/** Registers the services' models in the model picker. `natives` are the models of each service, for direct calls. */
export function registerNatives(deps: NativesDeps) {
  const { services } = deps.relay;
  const changed = new vscode.EventEmitter<void>();
  const addresses = () => Object.values(SERVICES).map(({ id }) => baseUrlOf(id, services.user.settings()) ?? '');
  let known = addresses().join('\n');
  const register = (service: Service) => {
    const models = new NativeModels(service, deps.secrets, {
      loadPorts: async () => (await deps.loadPorts())[service.id],
      address: () => addressOf(service, deps),
      now: services.clock.now,
    });
    const provider = new RelayProvider({
      relay: deps.relay,
      ready: deps.ready,
      models: keyedModels(models, async () => (await deps.keys.get(service.id))?.value),
      onDidChange: changed.event,
    });
    return { models, disposable: vscode.lm.registerLanguageModelChatProvider(service.vendor, provider) };
  };
  const registered = { anthropic: register(SERVICES.anthropic), openai: register(SERVICES.openai) };
  const all = Object.values(registered);
  return {
    natives: all.map(({ models }) => models),
    test: (service: Service, apiKey: string) => registered[service.id].models.test(apiKey),
    disposable: vscode.Disposable.from(
      changed,
      ...all.map(({ disposable }) => disposable),
      deps.keys.onDidChange(() => changed.fire()),
      deps.settings.onDidChange(() => {
        const before = known;
        known = addresses().join('\n');
        if (known !== before) changed.fire();
      }),
    ),
  };
}

function addressOf({ id, setting }: Service, { relay, settings }: Pick<NativesDeps, 'relay' | 'settings'>): Address {
  const url = baseUrlOf(id, relay.services.user.settings());
  if (url !== undefined) return { url };
  const found = settings.diagnostics.find(({ source, severity }) => source === setting && severity === 'error');
  return { problem: found?.message ?? l10n.t("The address in {0} can't be used.", setting) };
}
