import * as vscode from 'vscode';
import { SEARCH_ONLY } from '../../core/models/searchOnly';
import type { ModelPort } from '../../core/ports';
import { createVscodeLmPort, readsImages, takesTools } from './vscodeLmPort';

/** In `toolsearch.offerModels`: all vendors whose models have no tool search of their own in VS Code. */
const EVERY = '*';
/** The beginning of the names of vendors whose models have a tool search in VS Code. */
const WITH_SEARCH = 'copilot';
/** The assumed limit of a reply, which VS Code doesn't tell. */
const MAX_OUTPUT_TOKENS = 16_000;

/**
 * Returns the models of all other vendors in VS Code, which the extension offers again with tool search.
 * @param wanted returns the vendors whose models are offered
 * @param settings fires when `wanted` may have changed
 */
export function createOtherModels(
  wanted: () => readonly string[],
  settings: { readonly onDidChange: vscode.Event<unknown> },
) {
  const changed = new vscode.EventEmitter<void>();
  let models: ReadonlyMap<string, vscode.LanguageModelChat> = new Map();
  const isOffered = (vendor: string) =>
    // Never a model of ours, which would call itself.
    !vendor.startsWith(SEARCH_ONLY.vendor) &&
    (wanted().includes(vendor) || (wanted().includes(EVERY) && !vendor.startsWith(WITH_SEARCH)));
  /** Reads VS Code's models. This can't be done in `list`: VS Code's answer would wait for that list. */
  const refresh = async () => {
    const all = await vscode.lm.selectChatModels();
    const offered = all.filter((model) => takesTools(model) && isOffered(model.vendor));
    const known = new Map(offered.map((model) => [`${model.vendor}/${model.id}`, model]));
    const isSame = [...known.keys()].join('\n') === [...models.keys()].join('\n');
    models = known;
    if (!isSame) changed.fire();
  };
  const listening = vscode.Disposable.from(
    changed,
    settings.onDidChange(() => refresh()),
    vscode.lm.onDidChangeChatModels(() => refresh()),
  );
  return {
    vendor: 'toolsearch-others',
    onDidChange: changed.event,
    refresh,
    list: async (): Promise<vscode.LanguageModelChatInformation[]> =>
      [...models].map(([id, model]) => ({
        id,
        family: model.family,
        version: model.version,
        name: vscode.l10n.t('{0} with tool search', model.name),
        detail: model.vendor,
        tooltip: vscode.l10n.t(
          '{0} of {1}. In every chat mode, tools are deferred and found by search.',
          model.name,
          model.vendor,
        ),
        maxInputTokens: model.maxInputTokens,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        capabilities: { toolCalling: true, imageInput: readsImages(model) },
      })),
    port(id: string): ModelPort | undefined {
      const model = models.get(id);
      if (!model) return undefined;
      const port = createVscodeLmPort(model);
      return { ...port, info: { ...port.info, estimates: true } };
    },
    dispose: () => listening.dispose(),
  };
}
