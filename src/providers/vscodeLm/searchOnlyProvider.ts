import * as vscode from 'vscode';
import { reply, SEARCH_ONLY } from '../searchOnly/searchOnly';
import { fromMessages } from './lmMessages';

/** Offers "Search only (no AI)" in the model picker. `isOffered` is asked each time, so that the setting takes effect at once. */
export function createSearchOnlyProvider(
  isOffered: () => boolean,
  onDidChange: vscode.Event<void>,
): vscode.LanguageModelChatProvider {
  return {
    onDidChangeLanguageModelChatInformation: onDidChange,
    provideLanguageModelChatInformation: () => (isOffered() ? [information()] : []),
    provideLanguageModelChatResponse: async (_model, messages, options, progress) => {
      const tools = (options.tools ?? []).map((tool) => ({
        id: tool.name,
        server: '',
        name: tool.name,
        description: tool.description,
        inputSchema: (tool.inputSchema ?? {}) as { readonly [key: string]: unknown },
      }));
      const answer = reply(fromMessages(messages), tools);
      if (answer.text) progress.report(new vscode.LanguageModelTextPart(answer.text));
      for (const call of answer.calls)
        progress.report(new vscode.LanguageModelToolCallPart(call.callId, call.name, call.input));
    },
    // It has no tokeniser, and a number made up here would be passed on as measured.
    provideTokenCount: async () => {
      throw new Error(vscode.l10n.t('Search only (no AI) has no tokeniser.'));
    },
  };
}

function information(): vscode.LanguageModelChatInformation {
  return {
    ...SEARCH_ONLY,
    name: vscode.l10n.t('Search only (no AI)'),
    detail: vscode.l10n.t('not a language model'),
    tooltip: vscode.l10n.t(
      'Not a language model: it turns your prompt into one tool search and calls the first tool found if the prompt holds its required arguments.',
    ),
    capabilities: { toolCalling: true, imageInput: false },
  };
}
