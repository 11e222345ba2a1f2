import * as vscode from 'vscode';
import { SEARCH_ONLY } from '../../core/models/searchOnly';
import type { ModelPort } from '../../core/ports';
import type { RelayedModels } from './relayProvider';
import { createVscodeLmPort, readsImages, takesTools } from './vscodeLmPort';

// The models of all other vendors in VS Code, which the extension offers again with tool search.

/** In `toolsearch.offerModels`: all vendors whose models have no tool search of their own in VS Code. */
const EVERY = '*';
/** The beginning of the names of vendors whose models have a tool search in VS Code. */
const WITH_SEARCH = 'copilot';
/** The assumed limit of a reply, which VS Code doesn't tell. */
const MAX_OUTPUT_TOKENS = 16_000;

/** Lists the models of other vendors, and asks them through VS Code. */
export class OtherModels implements RelayedModels, vscode.Disposable {
  readonly vendor = 'toolsearch-others';
  readonly #wanted: () => readonly string[];
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: readonly vscode.Disposable[];
  #models: ReadonlyMap<string, vscode.LanguageModelChat> = new Map();
  readonly onDidChange = this.#changed.event;

  /**
   * @param wanted returns the vendors whose models are offered
   * @param settings fires when `wanted` may have changed
   */
  constructor(wanted: () => readonly string[], settings: { readonly onDidChange: vscode.Event<unknown> }) {
    this.#wanted = wanted;
    this.#disposables = [
      this.#changed,
      settings.onDidChange(() => this.refresh()),
      vscode.lm.onDidChangeChatModels(() => this.refresh()),
    ];
  }

  /** Reads VS Code's models. This can't be done in {@link list}: VS Code's answer would wait for that list. */
  async refresh(): Promise<void> {
    const models = await vscode.lm.selectChatModels();
    const offered = models.filter((model) => takesTools(model) && this.#isOffered(model.vendor));
    const known = new Map(offered.map((model) => [`${model.vendor}/${model.id}`, model]));
    const isSame = [...known.keys()].join('\n') === [...this.#models.keys()].join('\n');
    this.#models = known;
    if (!isSame) this.#changed.fire();
  }

  async list(): Promise<vscode.LanguageModelChatInformation[]> {
    return [...this.#models].map(([id, model]) => ({
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
    }));
  }

  port(id: string): ModelPort | undefined {
    const model = this.#models.get(id);
    if (!model) return undefined;
    const port = createVscodeLmPort(model);
    return { ...port, info: { ...port.info, estimates: true } };
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #isOffered(vendor: string): boolean {
    // Never a model of ours, which would call itself.
    if (vendor.startsWith(SEARCH_ONLY.vendor)) return false;
    const wanted = this.#wanted();
    return wanted.includes(vendor) || (wanted.includes(EVERY) && !vendor.startsWith(WITH_SEARCH));
  }
}
