import * as vscode from 'vscode';
import { wireName } from '../../core/agents/agentCatalog';
import type { RelayDeps } from '../../core/agents/relayRequest';
import { type AgentItem, ReplyCache } from '../../core/agents/replyCache';
import type { JsonSchema } from '../../core/catalog/tool';
import { ModelError, type ModelPort } from '../../core/ports';
import { splitTranscript } from '../../core/usage/accounting';
import type { TokenCounter } from '../../core/usage/tokenCounter';
import { withSignal } from '../../vscode/cancellation';
import type { NativeModels } from '../native/nativeModels';
import { KEPT_MIME, readConversation } from './agentMessages';

// Offers a service's models through VS Code's API for model providers.

export interface NativeProviderDeps {
  readonly relay: RelayDeps;
  readonly models: NativeModels;
  /** Returns the key from the extension's own command or the environment; undefined if there is none. */
  readonly ownKey: () => Promise<string | undefined>;
  /** Fires when the models may have changed. */
  readonly onDidChange: vscode.Event<void>;
  /** Resolves when the tools are known. */
  readonly ready: () => Promise<void>;
}

/** A model that VS Code passes back to the extension. */
interface NativeInformation extends vscode.LanguageModelChatInformation {}

/** The approximate number of tokens of an image. Both services scale images down to about this. */
const IMAGE_TOKENS = 1_600;

/** Makes a service's models available to every chat mode and extension of VS Code. */
export class NativeProvider implements vscode.LanguageModelChatProvider<NativeInformation> {
  readonly #deps: NativeProviderDeps;
  readonly #kept = new ReplyCache();
  /** The keys, in the order in which VS Code asked for their models. */
  #keys: readonly string[] = [];
  readonly onDidChangeLanguageModelChatInformation: vscode.Event<void>;

  constructor(deps: NativeProviderDeps) {
    this.#deps = deps;
    this.onDidChangeLanguageModelChatInformation = deps.onDidChange;
  }

  /**
   * Returns the models of a key. VS Code asks once without a key, and once for each entry in Manage Language Models,
   * with its key. A repeated key gives no models, so that no model is listed twice.
   */
  async provideLanguageModelChatInformation(
    options: vscode.PrepareLanguageModelChatModelOptions,
  ): Promise<NativeInformation[]> {
    const configured = configuredKey(options);
    if (configured === undefined) this.#keys = [];
    const key = configured ?? (await this.#deps.ownKey());
    if (key === undefined || this.#keys.includes(key)) return [];
    this.#keys = [...this.#keys, key];
    const models = await this.#deps.models.offer(key, this.#keys.length);
    return models.map((model) => ({
      id: model.offeredId,
      family: model.id,
      version: '1',
      name: vscode.l10n.t('{0} with tool search', model.name),
      tooltip: vscode.l10n.t(
        'This model uses your own API key. In every chat mode, tools are deferred and found by search.',
      ),
      // Without a detail, VS Code shows the name of the entry in Manage Language Models.
      ...(configured === undefined ? { detail: this.#deps.models.service.name } : {}),
      maxInputTokens: model.maxInputTokens,
      maxOutputTokens: model.maxOutputTokens,
      capabilities: { toolCalling: true, imageInput: true },
    }));
  }

  // biome-ignore lint/complexity/useMaxParams: VS Code's interface.
  async provideLanguageModelChatResponse(
    model: NativeInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    await this.#deps.ready();
    const { system, items } = readConversation(messages);
    const transcript = this.#kept.restore(items.map(withWireNames));
    await withSignal(token, async (signal) => {
      try {
        const port = this.#port(model);
        const { relay } = await import('../../core/agents/relay');
        const outcome = await relay(
          this.#deps.relay,
          {
            port,
            system,
            transcript,
            tools: (options.tools ?? []).map(({ name, description, inputSchema }) => ({
              name,
              description,
              inputSchema: (inputSchema ?? { type: 'object', properties: {} }) as JsonSchema,
            })),
            mustCall: options.toolMode === vscode.LanguageModelChatToolMode.Required,
          },
          {
            text: (delta) => progress.report(new vscode.LanguageModelTextPart(delta)),
            call: ({ callId, name, input }) =>
              progress.report(new vscode.LanguageModelToolCallPart(callId, name, input as object)),
          },
          signal,
        );
        if (signal.aborted) return;
        this.#kept.remember(outcome.kept, outcome.visible, transcript);
        progress.report(vscode.LanguageModelDataPart.json(outcome.kept, KEPT_MIME));
      } catch (error) {
        if (signal.aborted) throw new vscode.CancellationError();
        throw explain(error);
      }
    });
  }

  provideTokenCount(
    model: NativeInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
    token: vscode.CancellationToken,
  ): Promise<number> {
    return withSignal(token, async (signal) => {
      const { text: counted, images } = typeof text === 'string' ? { text, images: 0 } : countable(text);
      const port = this.#port(model);
      const count = (own: AbortSignal) => port.countTokens(counted, own);
      return (await this.#counterOf(port).countForCaller(counted, count, signal)) + images * IMAGE_TOKENS;
    });
  }

  #port(model: NativeInformation): ModelPort {
    const port = this.#deps.models.port(model.id);
    if (port) return port;
    throw vscode.LanguageModelError.NotFound(
      vscode.l10n.t('{0} is no longer available. Choose another model.', model.name),
    );
  }

  #counterOf(port: ModelPort): TokenCounter {
    return this.#deps.relay.services.counters.of(port.info);
  }
}

/** Returns the key of an entry in Manage Language Models. The stable typings don't have this property. */
function configuredKey(options: vscode.PrepareLanguageModelChatModelOptions): string | undefined {
  const key = (options as { readonly configuration?: { readonly apiKey?: unknown } }).configuration?.apiKey;
  return typeof key === 'string' && key.trim() !== '' ? key.trim() : undefined;
}

/** Replaces tool names that no provider accepts with valid ones. */
function withWireNames({ item, ...rest }: AgentItem): AgentItem {
  return item.kind === 'assistant'
    ? { ...rest, item: { ...item, calls: item.calls.map((call) => ({ ...call, name: wireName(call.name) })) } }
    : { ...rest, item };
}

function countable(message: vscode.LanguageModelChatRequestMessage): {
  readonly text: string;
  readonly images: number;
} {
  const { system, items } = readConversation([message]);
  const images = message.content.filter(
    (part) => part instanceof vscode.LanguageModelDataPart && part.mimeType.startsWith('image/'),
  ).length;
  const { history, searches } = splitTranscript(items.map(({ item }) => item));
  return { text: [system, history, searches].filter(Boolean).join('\n'), images };
}

/** Converts an error to VS Code's own error for the same reason, if there is one. */
function explain(error: unknown): unknown {
  if (!(error instanceof ModelError)) return error;
  switch (error.refusal) {
    case 'key':
      return vscode.LanguageModelError.NoPermissions(error.message);
    case 'model':
      return vscode.LanguageModelError.NotFound(error.message);
    case 'limit':
      return vscode.LanguageModelError.Blocked(error.message);
    case undefined:
      return new Error(error.message);
  }
}
