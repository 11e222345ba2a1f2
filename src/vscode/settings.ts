import * as vscode from 'vscode';
import { parseSettings } from '../core/parseSettings';
import { type Diagnostic, SETTING_KEYS, type SettingKey, type Settings } from '../core/settings';

const SECTION = 'toolsearch';

/** The user's settings as they are now. */
export class SettingsStore implements vscode.Disposable {
  readonly #strategies: () => readonly string[];
  readonly #changed = new vscode.EventEmitter<Settings>();
  readonly #disposables: vscode.Disposable[];
  #parsed: ReturnType<typeof parseSettings>;

  readonly onDidChange = this.#changed.event;

  /** @param strategies the names that `toolsearch.strategy` may have besides `auto` */
  constructor(strategies: () => readonly string[]) {
    this.#strategies = strategies;
    this.#parsed = this.#read();
    this.#disposables = [
      this.#changed,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SECTION)) this.reload();
      }),
    ];
  }

  /** The same object until something changes. */
  get current(): Settings {
    return this.#parsed.settings;
  }

  /** What is wrong in the settings. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#parsed.diagnostics;
  }

  /** Reads anew: after a change, and when a strategy is registered or goes. */
  reload(): void {
    this.#parsed = this.#read();
    this.#changed.fire(this.#parsed.settings);
  }

  /** Sets a value where it is set now: for the workspace if it is set there, else for the user. */
  async update(key: SettingKey, value: unknown): Promise<void> {
    await this.change(key, () => value);
  }

  /**
   * As {@link update}, from what stands at that place (undefined where nothing does).
   * @returns what stood there, and what sets that place again: to exactly that value, or to nothing
   */
  async change(
    key: SettingKey,
    edit: (value: unknown) => unknown,
  ): Promise<{ readonly before: unknown; readonly set: (value: unknown) => Promise<void> }> {
    const inspected = vscode.workspace.getConfiguration(SECTION).inspect(key);
    const inWorkspace = inspected?.workspaceValue !== undefined;
    const before = inWorkspace ? inspected.workspaceValue : inspected?.globalValue;
    const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    const set = async (value: unknown) => vscode.workspace.getConfiguration(SECTION).update(key, value, target);
    await set(edit(before));
    return { before, set };
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #read(): ReturnType<typeof parseSettings> {
    const configuration = vscode.workspace.getConfiguration(SECTION);
    const raw = Object.fromEntries(SETTING_KEYS.map((key) => [key, configuration.get<unknown>(key)]));
    return parseSettings(raw, { strategies: this.#strategies() });
  }
}
