import * as vscode from 'vscode';
import type { Diagnostic } from '../../core/catalog/diagnostic';
import { baseUrlOf, SERVICES, type Service, type ServiceId } from '../../core/settings/services';
import type { Settings } from '../../core/settings/settings';
import type { KnownSecrets } from '../../core/util/knownSecrets';
import { l10n } from '../../core/util/l10n';
import { type Address, type CreatePort, NativeModels } from '../native/nativeModels';
import { NativeProvider, type NativeProviderDeps } from './nativeProvider';

// Registers the models of the services in VS Code's model picker.

interface NativesDeps extends Omit<NativeProviderDeps, 'models' | 'ownKey' | 'onDidChange'> {
  readonly ownKey: (service: ServiceId) => Promise<string | undefined>;
  readonly onDidChangeKeys: vscode.Event<void>;
  readonly onDidChangeSettings: vscode.Event<Settings>;
  /** Returns the problems in the settings. */
  readonly settingProblems: () => readonly Diagnostic[];
  /** Collects all keys, also those from Manage Language Models. */
  readonly secrets: KnownSecrets;
  /** Called for each key. The ports are loaded only once. */
  readonly loadPorts: () => Promise<{ readonly [service in ServiceId]: CreatePort }>;
}

export interface Natives {
  /** The models of each service, for direct calls. */
  readonly natives: readonly NativeModels[];
  readonly test: (service: Service, apiKey: string) => ReturnType<NativeModels['test']>;
  readonly disposable: vscode.Disposable;
}

/** Adds the services' models to the model picker. */
export function registerNatives(deps: NativesDeps): Natives {
  const changed = new vscode.EventEmitter<void>();
  const addresses = () => Object.values(SERVICES).map(({ id }) => baseUrlOf(id, deps.services.user.settings()) ?? '');
  let known = addresses().join('\n');
  const register = (service: Service) => {
    const models = new NativeModels(service, deps.secrets, {
      loadPorts: async () => (await deps.loadPorts())[service.id],
      address: () => addressOf(service, deps),
      now: deps.services.clock.now,
    });
    const provider = new NativeProvider({
      ...deps,
      models,
      ownKey: () => deps.ownKey(service.id),
      onDidChange: changed.event,
    });
    return { models, disposable: vscode.lm.registerLanguageModelChatProvider(service.vendor, provider) };
  };
  const registered = { anthropic: register(SERVICES.anthropic), openai: register(SERVICES.openai) };
  const all = Object.values(registered);
  return {
    natives: all.map(({ models }) => models),
    test: (service, apiKey) => registered[service.id].models.test(apiKey),
    disposable: vscode.Disposable.from(
      changed,
      ...all.map(({ disposable }) => disposable),
      deps.onDidChangeKeys(() => changed.fire()),
      deps.onDidChangeSettings(() => {
        const now = addresses().join('\n');
        if (now === known) return;
        known = now;
        changed.fire();
      }),
    ),
  };
}

function addressOf({ id, setting }: Service, deps: Pick<NativesDeps, 'services' | 'settingProblems'>): Address {
  const url = baseUrlOf(id, deps.services.user.settings());
  if (url !== undefined) return { url };
  const found = deps.settingProblems().find(({ source, severity }) => source === setting && severity === 'error');
  return { problem: found?.message ?? l10n.t("The address in {0} can't be used.", setting) };
}
