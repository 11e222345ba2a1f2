// Reads the settings from VS Code, combines those of user and workspace, and changes them.

import * as vscode from 'vscode';
import type { Diagnostic } from '../core/catalog/diagnostic';
import { type MissingStrategy, parseSettings } from '../core/settings/parseSettings';
import { SETTING_KEYS, type SettingKey, type Settings } from '../core/settings/settings';
import { guarded, guardedModels, type ScopedValues } from '../core/settings/workspaceGuards';
import { isObject } from '../core/util/objects';

const SECTION = 'toolsearch';

/** The user's current settings. */
export class SettingsStore implements vscode.Disposable {
  readonly #strategies: () => readonly string[];
  readonly #changed = new vscode.EventEmitter<Settings>();
  readonly #registered: vscode.Disposable;
  #parsed: ReturnType<typeof parseSettings>;

  readonly onDidChange = this.#changed.event;

  /** @param strategies returns the names that `toolsearch.strategy` may have besides `auto` */
  constructor(strategies: () => readonly string[]) {
    this.#strategies = strategies;
    this.#parsed = this.#read();
    this.#registered = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SECTION)) this.reload();
    });
  }

  /** The current settings: the same object until a setting changes. */
  get current(): Settings {
    return this.#parsed.settings;
  }

  /** The problems in the settings. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#parsed.diagnostics;
  }

  /**
   * Returns a configured strategy that isn't registered; undefined if there is none.
   * @param rule a pattern of `toolsearch.models`; without it, the setting for all models is checked
   */
  missingStrategy(rule?: string): MissingStrategy | undefined {
    return this.#parsed.missingStrategy(rule);
  }

  /** Reads the settings again, after a change or when a strategy is registered or removed. */
  reload(): void {
    this.#parsed = this.#read();
    this.#changed.fire(this.#parsed.settings);
  }

  /** Sets a value in the workspace if the setting is there, otherwise in the user's settings. */
  async update(key: SettingKey, value: unknown): Promise<void> {
    await this.change(key, () => value);
  }

  /** Like {@link update}, but computes the new value from the current one (undefined if there is none). */
  async change(key: SettingKey, edit: (value: unknown) => unknown): Promise<void> {
    const inspected = windowSettings().inspect(key);
    const inWorkspace = inspected?.workspaceValue !== undefined;
    const before = inWorkspace ? inspected.workspaceValue : inspected?.globalValue;
    const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await windowSettings().update(key, edit(before), target);
  }

  /** Removes all of the extension's settings from the user's settings. */
  async resetUser(): Promise<void> {
    for (const key of SETTING_KEYS) {
      if (windowSettings().inspect(key)?.globalValue !== undefined)
        await windowSettings().update(key, undefined, vscode.ConfigurationTarget.Global);
    }
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }

  #read(): ReturnType<typeof parseSettings> {
    const configuration = windowSettings();
    const scopesOf = windowScopes();
    const context = { strategies: this.#strategies() };
    const problems: Diagnostic[] = [];
    const raw = Object.fromEntries(
      SETTING_KEYS.map((key) => {
        const strict = guarded(key, scopesOf(key), context);
        if (!strict) return [key, configuration.get<unknown>(key)];
        problems.push(...strict.problems);
        return [key, strict.value];
      }),
    );
    raw.models = guardedModels(raw.models, scopesOf('models'), scopesOf('codeMode').user);
    const parsed = parseSettings(raw, context, (key) => scopesOf(key).user);
    return { ...parsed, diagnostics: [...parsed.diagnostics, ...problems] };
  }
}

/** Returns the settings of the window. `null` excludes the settings of a folder. */
function windowSettings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(SECTION, null);
}

/**
 * Returns a function for the values of user and workspace. All settings are inspected at once, since VS Code takes about
 * 0.5 ms for each inspection.
 */
function windowScopes(): (key: SettingKey) => ScopedValues {
  const { globalValue, workspaceValue } = vscode.workspace.getConfiguration(undefined, null).inspect(SECTION) ?? {};
  const valueIn = (values: unknown, key: SettingKey) =>
    key.split('.').reduce((value, part) => (isObject(value) ? value[part] : undefined), values);
  return (key) => ({ user: valueIn(globalValue, key), workspace: valueIn(workspaceValue, key) });
}
