import type { Diagnostic } from '../catalog/diagnostic';
import { isObject } from '../util/objects';
import type { Reader, SettingsContext } from './readers';
import { fieldOf, SETTING_KEYS, SETTINGS, type SettingKey, type Settings } from './settings';

interface ParsedSettings {
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
  /** Returns the strategy that a rule of `toolsearch.models`, or else the setting, names though it isn't registered. */
  readonly missingStrategy: (rule?: string) => MissingStrategy | undefined;
}

/** A strategy that a setting names but that isn't registered: its extension is disabled, or the name is mistyped. */
export interface MissingStrategy {
  readonly name: string;
  /** The setting that names the strategy. */
  readonly setting: string;
}

/**
 * Reads the user's settings. Never throws: a bad value is reported under its key and replaced by its default. In a list
 * or a table, only the bad entry is left out.
 * @param raw the values by key without the `toolsearch.` prefix (`auto.maxTools`); a missing one has its default
 * @param ofUser returns the value in the user's own settings
 */
export function parseSettings(
  raw: { readonly [key: string]: unknown },
  context: SettingsContext,
  ofUser: (key: SettingKey) => unknown = () => undefined,
): ParsedSettings {
  const insecure = raw.allowInsecureBaseUrl === true;
  const read = SETTING_KEYS.map((key) => readSetting(key, raw[key], { ...context, insecure, ofUser: ofUser(key) }));
  const settings = Object.fromEntries(SETTING_KEYS.map((key, at) => [fieldOf(key), read[at]?.value])) as Settings;
  const missing = (name: unknown, read: unknown, setting: string) =>
    typeof name === 'string' && name !== read ? { name, setting } : undefined;
  return {
    settings,
    diagnostics: read.flatMap(({ problems }) => problems),
    missingStrategy(rule) {
      const own = rule === undefined || !isObject(raw.models) ? undefined : raw.models[rule];
      return isObject(own) && own.strategy !== undefined
        ? missing(own.strategy, settings.models[rule ?? '']?.strategy, `“${rule}” of toolsearch.models`)
        : missing(raw.strategy, settings.strategy, 'toolsearch.strategy');
    },
  };
}

/** The maximum number of problems of one setting that are reported. */
const MAX_PROBLEMS = 1_000;

/** Reads a setting's value. Bad entries are left out; for an undefined value the default applies. */
export function readSetting(
  key: SettingKey,
  value: unknown,
  given: SettingsContext & { readonly insecure: boolean; readonly ofUser?: unknown },
): { readonly value: unknown; readonly problems: readonly Diagnostic[] } {
  const problems: Diagnostic[] = [];
  const { fallback } = SETTINGS[key];
  const reader: Reader<unknown> = SETTINGS[key].reader;
  const name = `toolsearch.${key}`;
  const report = (message: string, severity: Diagnostic['severity'] = 'error') => {
    if (problems.length < MAX_PROBLEMS) problems.push({ severity, source: name, message });
  };
  const used = value === undefined ? fallback : reader.read(value, { ...given, name, fallback, report });
  return { value: used, problems };
}
