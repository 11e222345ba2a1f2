import * as vscode from 'vscode';
import { SEARCH_ONLY as SEARCH_ONLY_MODEL } from '../../core/models/searchOnly';
import type { Settings } from '../../core/settings/settings';
import { readConversation } from './agentMessages';

/** The model as VS Code lists it. It has no real limits. */
export const SEARCH_ONLY = {
  id: SEARCH_ONLY_MODEL.id,
  family: SEARCH_ONLY_MODEL.id,
  version: '1',
  maxInputTokens: 128_000,
  maxOutputTokens: 16_000,
} as const;

/**
 * Shows "Search only (no AI)" in the model picker: always, never, or only if VS Code has no other model.
 * @param settings fires when `wanted` may have changed
 */
export function offerSearchOnly(
  wanted: () => Settings['searchOnlyModel'],
  settings: { readonly onDidChange: vscode.Event<unknown> },
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  /** Whether VS Code has other models; undefined until they have been listed. */
  let hasOthers: boolean | undefined;
  const refresh = async () => {
    const models = await vscode.lm.selectChatModels();
    const before = hasOthers;
    hasOthers = models.some(({ vendor }) => vendor !== SEARCH_ONLY_MODEL.vendor);
    if (hasOthers !== before) changed.fire();
  };
  const isOffered = () => wanted() === 'on' || (wanted() === 'auto' && hasOthers === false);
  const offer = vscode.Disposable.from(
    changed,
    settings.onDidChange(() => changed.fire()),
    vscode.lm.onDidChangeChatModels(() => refresh()),
    vscode.lm.registerLanguageModelChatProvider(SEARCH_ONLY_MODEL.vendor, createProvider(isOffered, changed.event)),
  );
  // Before the first list, VS Code answers "Language model unavailable" to every question.
  void refresh();
  return offer;
}

function createProvider(isOffered: () => boolean, onDidChange: vscode.Event<void>): vscode.LanguageModelChatProvider {
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
      // Bundled as a separate file: see esbuild.mjs.
      const { reply } = await import('../searchOnly/searchOnly');
      const transcript = readConversation(messages).items.map(({ item }) => item);
      const answer = reply(transcript, tools);
      if (answer.text) progress.report(new vscode.LanguageModelTextPart(answer.text));
      for (const call of answer.calls)
        progress.report(new vscode.LanguageModelToolCallPart(call.callId, call.name, call.input));
    },
    // There is no tokenizer. VS Code would present an estimate as a measured number.
    provideTokenCount: async () => {
      throw new Error(vscode.l10n.t('“Search only (no AI)” can’t count tokens.'));
    },
  };
}

function information(): vscode.LanguageModelChatInformation {
  return {
    ...SEARCH_ONLY,
    name: vscode.l10n.t('Search only (no AI)'),
    detail: vscode.l10n.t('not a language model'),
    tooltip: vscode.l10n.t(
      'Not a language model. It searches with the words of your question. If the question contains the arguments, it calls the tool that you name, or the first tool found.',
    ),
    capabilities: { toolCalling: true, imageInput: false },
  };
}
