import * as vscode from 'vscode';
import { wireName } from '../../core/agents/agentCatalog';
import type { RelayDeps } from '../../core/agents/relayRequest';
import { type AgentItem, ReplyCache } from '../../core/agents/replyCache';
import type { JsonSchema } from '../../core/catalog/tool';
import { IMAGE_TOKENS } from '../../core/conversation/keptHistory';
import { ModelError, type ModelPort } from '../../core/ports';
import { splitTranscript } from '../../core/usage/accounting';
import { withSignal } from '../../vscode/cancellation';
import { KEPT_MIME, readConversation } from './agentMessages';

/** Models that the extension offers in VS Code, for every chat mode and extension. */
export interface RelayedModels {
  list(options: vscode.PrepareLanguageModelChatModelOptions): Promise<vscode.LanguageModelChatInformation[]>;
  /** Returns the port of a listed model; undefined for any other model. */
  port(id: string): ModelPort | undefined;
}

interface RelayProviderDeps {
  readonly relay: RelayDeps;
  readonly models: RelayedModels;
  /** Fires when the models may have changed. */
  readonly onDidChange: vscode.Event<void>;
  /** Resolves when the tools are known. */
  readonly ready: () => Promise<void>;
}

/** Answers requests to the extension's models: the requests' tools are deferred and found by search. */
export class RelayProvider implements vscode.LanguageModelChatProvider {
  readonly #deps: RelayProviderDeps;
  readonly #kept = new ReplyCache();
  readonly onDidChangeLanguageModelChatInformation: vscode.Event<void>;

  constructor(deps: RelayProviderDeps) {
    this.#deps = deps;
    this.onDidChangeLanguageModelChatInformation = deps.onDidChange;
  }

  provideLanguageModelChatInformation(
    options: vscode.PrepareLanguageModelChatModelOptions,
  ): Promise<vscode.LanguageModelChatInformation[]> {
    return this.#deps.models.list(options);
  }

  // biome-ignore lint/complexity/useMaxParams: VS Code's interface.
  async provideLanguageModelChatResponse(
    model: vscode.LanguageModelChatInformation,
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
    model: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
    token: vscode.CancellationToken,
  ): Promise<number> {
    return withSignal(token, async (signal) => {
      const { text: counted, images } = typeof text === 'string' ? { text, images: 0 } : countable(text);
      const port = this.#port(model);
      const counter = this.#deps.relay.services.counters.of(port.info);
      const count = (own: AbortSignal) => port.countTokens(counted, own);
      return (await counter.countForCaller(counted, count, signal)) + images * IMAGE_TOKENS;
    });
  }

  #port(model: vscode.LanguageModelChatInformation): ModelPort {
    const port = this.#deps.models.port(model.id);
    if (port) return port;
    throw vscode.LanguageModelError.NotFound(
      vscode.l10n.t('{0} is no longer available. Choose another model.', model.name),
    );
  }
}

/** Replaces tool names that no provider accepts with valid ones. */
function withWireNames({ item, ...rest }: AgentItem): AgentItem {
  return item.kind === 'assistant'
    ? { ...rest, item: { ...item, calls: item.calls.map((call) => ({ ...call, name: wireName(call.name) })) } }
    : { ...rest, item };
}

function countable(message: vscode.LanguageModelChatRequestMessage) {
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
