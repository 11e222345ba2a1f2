import type { Diagnostic } from '../catalog/diagnostic';
import type { Reader, SettingsContext } from './readers';
import { DEFAULT_SETTINGS, SETTING_KEYS, SETTINGS, type Settings } from './settings';

export interface ParsedSettings {
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
  /** A strategy that is set, but isn't there: its extension was disabled, or it is mistyped. */
  readonly missingStrategy?: string;
}

/**
 * Reads the user's settings. Never throws: a bad value is reported under its key and its default stands in; in a list or
 * a table only the bad entry is left out.
 * @param raw the values by key without the `toolsearch.` prefix (`auto.maxTools`); a missing or undefined one is the default
 */
export function parseSettings(raw: { readonly [key: string]: unknown }, context: SettingsContext): ParsedSettings {
  const diagnostics: Diagnostic[] = [];
  const insecure = raw.allowInsecureBaseUrl === true;
  const values: { [field: string]: unknown } = {};
  for (const key of SETTING_KEYS) {
    const { field, fallback } = SETTINGS[key];
    const reader: Reader<unknown> = SETTINGS[key].reader;
    const name = `toolsearch.${key}`;
    const report = (message: string, severity: Diagnostic['severity'] = 'error') => diagnostics.push({ severity, source: name, message });
    values[field] = raw[key] === undefined ? fallback : reader.read(raw[key], { ...context, insecure, name, fallback, report });
  }
  const settings = withinLimit(values as Settings, diagnostics);
  const { strategy } = raw;
  const isMissing = typeof strategy === 'string' && strategy !== settings.strategy;
  return { settings, diagnostics, ...(isMissing ? { missingStrategy: strategy } : {}) };
}

function withinLimit(settings: Settings, diagnostics: Diagnostic[]): Settings {
  const { maxResults, maxResultsLimit } = settings;
  if (maxResults <= maxResultsLimit) return settings;
  // VS Code gives the default where nothing is set, and nobody is to be told of a value that they didn't write.
  if (maxResults !== DEFAULT_SETTINGS.maxResults) {
    const message = `toolsearch.maxResults (${maxResults}) is more than toolsearch.maxResultsLimit (${maxResultsLimit}). Using ${maxResultsLimit}.`;
    diagnostics.push({ severity: 'error', source: 'toolsearch.maxResults', message });
  }
  return { ...settings, maxResults: maxResultsLimit };
}
