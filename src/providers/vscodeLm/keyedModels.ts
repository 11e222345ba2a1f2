import * as vscode from 'vscode';
import type { NativeModels } from '../native/nativeModels';
import type { RelayedModels } from './relayProvider';

/**
 * Returns the models of a service for each of the user's keys. VS Code asks once without a key, and once for each entry
 * in Manage Language Models, with its key. A repeated key gives no models, so that no model is listed twice.
 * @param ownKey returns the key from the extension's own command or the environment; undefined if there is none
 */
export function keyedModels(models: NativeModels, ownKey: () => Promise<string | undefined>): RelayedModels {
  /** The keys, in the order in which VS Code asked for their models. */
  let keys: readonly string[] = [];
  return {
    port: (id) => models.port(id),
    async list(options) {
      const configured = configuredKey(options);
      if (configured === undefined) keys = [];
      const key = configured ?? (await ownKey());
      if (key === undefined || keys.includes(key)) return [];
      keys = [...keys, key];
      const offered = await models.offer(key, keys.length);
      return offered.map((model) => ({
        id: model.offeredId,
        family: model.id,
        version: '1',
        name: vscode.l10n.t('{0} with tool search', model.name),
        tooltip: vscode.l10n.t(
          'This model uses your own API key. In every chat mode, tools are deferred and found by search.',
        ),
        // Without a detail, VS Code shows the name of the entry in Manage Language Models.
        ...(configured === undefined ? { detail: models.service.name } : {}),
        maxInputTokens: model.maxInputTokens,
        maxOutputTokens: model.maxOutputTokens,
        capabilities: { toolCalling: true, imageInput: true },
      }));
    },
  };
}

/** Returns the key of an entry in Manage Language Models. The stable typings don't have this property. */
function configuredKey(options: vscode.PrepareLanguageModelChatModelOptions): string | undefined {
  const key = (options as { readonly configuration?: { readonly apiKey?: unknown } }).configuration?.apiKey;
  return typeof key === 'string' && key.trim() !== '' ? key.trim() : undefined;
}
