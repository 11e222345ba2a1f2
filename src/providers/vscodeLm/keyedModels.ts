import * as vscode from 'vscode';
import type { ModelPort } from '../../core/ports';
import type { NativeModels } from '../native/nativeModels';
import type { RelayedModels } from './relayProvider';

// The models of a service for each of the user's keys.

export class KeyedModels implements RelayedModels {
  readonly #models: NativeModels;
  readonly #ownKey: () => Promise<string | undefined>;
  /** The keys, in the order in which VS Code asked for their models. */
  #keys: readonly string[] = [];

  /** @param ownKey returns the key from the extension's own command or the environment; undefined if there is none */
  constructor(models: NativeModels, ownKey: () => Promise<string | undefined>) {
    this.#models = models;
    this.#ownKey = ownKey;
  }

  /**
   * Returns the models of a key. VS Code asks once without a key, and once for each entry in Manage Language Models,
   * with its key. A repeated key gives no models, so that no model is listed twice.
   */
  async list(options: vscode.PrepareLanguageModelChatModelOptions): Promise<vscode.LanguageModelChatInformation[]> {
    const configured = configuredKey(options);
    if (configured === undefined) this.#keys = [];
    const key = configured ?? (await this.#ownKey());
    if (key === undefined || this.#keys.includes(key)) return [];
    this.#keys = [...this.#keys, key];
    const models = await this.#models.offer(key, this.#keys.length);
    return models.map((model) => ({
      id: model.offeredId,
      family: model.id,
      version: '1',
      name: vscode.l10n.t('{0} with tool search', model.name),
      tooltip: vscode.l10n.t(
        'This model uses your own API key. In every chat mode, tools are deferred and found by search.',
      ),
      // Without a detail, VS Code shows the name of the entry in Manage Language Models.
      ...(configured === undefined ? { detail: this.#models.service.name } : {}),
      maxInputTokens: model.maxInputTokens,
      maxOutputTokens: model.maxOutputTokens,
      capabilities: { toolCalling: true, imageInput: true },
    }));
  }

  port(id: string): ModelPort | undefined {
    return this.#models.port(id);
  }
}

/** Returns the key of an entry in Manage Language Models. The stable typings don't have this property. */
function configuredKey(options: vscode.PrepareLanguageModelChatModelOptions): string | undefined {
  const key = (options as { readonly configuration?: { readonly apiKey?: unknown } }).configuration?.apiKey;
  return typeof key === 'string' && key.trim() !== '' ? key.trim() : undefined;
}
