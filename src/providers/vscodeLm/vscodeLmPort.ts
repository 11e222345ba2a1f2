import * as vscode from 'vscode';
import {
  CountRefused,
  ModelError,
  type ModelEvent,
  type ModelInfo,
  type ModelPort,
  type ModelRequest,
} from '../../core/ports';
import { descriptionWithExamples } from '../../core/usage/tokens';
import { messageOf } from '../../core/util/messageOf';
import { onAbort } from '../../core/util/signals';
import { withToken } from '../../vscode/cancellation';
import { untilSilent } from '../untilSilent';
import { toMessages } from './lmMessages';
import { SEARCH_ONLY } from './searchOnlyProvider';

/**
 * The maximum number of tools that VS Code's built-in models accept in one request ("Cannot have more than 128 tools
 * per request").
 */
const MAX_TOOLS = 128;

/** Creates the port of a model that another extension offers through `vscode.lm`. */
export function createVscodeLmPort(model: vscode.LanguageModelChat): ModelPort {
  return {
    info: describeModel(model),
    send: (request, signal) => send(model, request, signal),
    countTokens: async (text, signal) => {
      signal.throwIfAborted();
      const counted =
        model.id === SEARCH_ONLY.id ? 0 : await withToken(signal, (token) => model.countTokens(text, token));
      if (!(counted > 0)) throw new CountRefused(vscode.l10n.t('{0} can’t count tokens.', model.name));
      return counted;
    },
  };
}

/** Returns a model's capabilities, which VS Code gives but its stable typings don't have. */
function capabilitiesOf(model: vscode.LanguageModelChat) {
  const { capabilities } = model as { capabilities?: { supportsToolCalling?: unknown; supportsImageToText?: unknown } };
  return capabilities ?? {};
}

/** Whether a model can call tools. It is assumed to unless VS Code denies it. */
export function takesTools(model: vscode.LanguageModelChat): boolean {
  return capabilitiesOf(model).supportsToolCalling !== false;
}

export function readsImages(model: vscode.LanguageModelChat): boolean {
  return capabilitiesOf(model).supportsImageToText === true;
}

function describeModel(model: vscode.LanguageModelChat): ModelInfo {
  return {
    id: model.id,
    vendor: model.vendor,
    name: model.name,
    maxInputTokens: model.maxInputTokens,
    toolCalling: takesTools(model),
    maxTools: MAX_TOOLS,
  };
}

async function* send(
  model: vscode.LanguageModelChat,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  if (signal.aborted) return;
  const source = new vscode.CancellationTokenSource();
  const stop = onAbort(signal, () => source.cancel());
  try {
    const response = await model.sendRequest(
      toMessages(request, { results: request.tools.length > 0, images: readsImages(model) }),
      {
        justification: vscode.l10n.t('Answers your question with tool search.'),
        tools: request.tools.map((tool) => ({
          name: tool.name,
          description: descriptionWithExamples(tool),
          inputSchema: tool.inputSchema,
        })),
        // VS Code can only demand a call if there is a single tool. With more tools, the prompt demands the call.
        ...(request.required.length > 0 && request.tools.length === 1
          ? { toolMode: vscode.LanguageModelChatToolMode.Required }
          : {}),
      },
      source.token,
    );
    // The wait before the first part has no limit, since VS Code may be asking the user for permission.
    for await (const part of untilSilent(response.stream, model.name)) {
      if (part instanceof vscode.LanguageModelTextPart) yield { type: 'text', text: part.value };
      else if (part instanceof vscode.LanguageModelToolCallPart)
        yield { type: 'call', callId: part.callId, name: part.name, input: part.input };
    }
  } catch (error) {
    throw error instanceof ModelError ? error : explain(error, model);
  } finally {
    stop();
    source.dispose();
  }
}

/** Returns a model's failure with a message for the user. VS Code wraps providers' errors in its own. */
function explain(error: unknown, model: vscode.LanguageModelChat): Error {
  const message = messageOf(error);
  if (error instanceof vscode.LanguageModelError) {
    switch (error.code) {
      case vscode.LanguageModelError.NoPermissions.name:
        return new ModelError(
          vscode.l10n.t('You have not allowed Tool Search to use {0}. Ask again and choose Allow.', model.name),
          { refusal: 'key' },
        );
      case vscode.LanguageModelError.NotFound.name:
        return new ModelError(vscode.l10n.t('{0} is no longer available. Choose another model.', model.name), {
          refusal: 'model',
        });
      case vscode.LanguageModelError.Blocked.name:
        return new ModelError(vscode.l10n.t('{0} refused the request: {1}', model.name, message), { refusal: 'limit' });
    }
  }
  return new ModelError(vscode.l10n.t('{0} failed: {1}', model.name, message));
}
