// Checks the raw values of the settings, replaces invalid ones, and reports the errors.

import type { Diagnostic } from '../catalog/diagnostic';
import { isObject } from '../util/objects';
import type { Reader, SettingsContext } from './readers';
import { fieldOf, SETTING_KEYS, SETTINGS, type SettingKey, type Settings } from './settings';

interface ParsedSettings {
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Returns the strategy that a rule of `toolsearch.models`, or the setting for all models, names although it isn't
   * registered.
   */
  readonly missingStrategy: (rule?: string) => MissingStrategy | undefined;
}

/**
 * A strategy that a setting names but that isn't registered, because its extension is disabled or the name is mistyped.
 */
export interface MissingStrategy {
  readonly name: string;
  /** The setting that names the strategy. */
  readonly setting: string;
}

/**
 * Reads the user's settings. Never throws: a bad value is reported under its key and replaced by its default. In a list
 * or a table, only the bad entry is left out.
 * @param raw the values by key without the `toolsearch.` prefix (`auto.maxTools`); for a missing or undefined value
 * the default applies
 * @param ofUser returns the value in the user's own settings
 */
export function parseSettings(
  raw: { readonly [key: string]: unknown },
  context: SettingsContext,
  ofUser: (key: SettingKey) => unknown = () => undefined,
): ParsedSettings {
  const diagnostics: Diagnostic[] = [];
  const insecure = raw.allowInsecureBaseUrl === true;
  const values: { [field: string]: unknown } = {};
  for (const key of SETTING_KEYS) {
    const { fallback } = SETTINGS[key];
    const reader: Reader<unknown> = SETTINGS[key].reader;
    const name = `toolsearch.${key}`;
    const report = (message: string, severity: Diagnostic['severity'] = 'error') =>
      diagnostics.push({ severity, source: name, message });
    const reading = { ...context, insecure, name, fallback, report, ofUser: ofUser(key) };
    values[fieldOf(key)] = raw[key] === undefined ? fallback : reader.read(raw[key], reading);
  }
  const settings = values as Settings;
  const missing = (name: unknown, read: unknown, setting: string) =>
    typeof name === 'string' && name !== read ? { name, setting } : undefined;
  return {
    settings,
    diagnostics,
    missingStrategy(rule) {
      const own = rule === undefined || !isObject(raw.models) ? undefined : raw.models[rule];
      return isObject(own) && own.strategy !== undefined
        ? missing(own.strategy, settings.models[rule ?? '']?.strategy, `“${rule}” of toolsearch.models`)
        : missing(raw.strategy, settings.strategy, 'toolsearch.strategy');
    },
  };
}
