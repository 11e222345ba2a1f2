import { compileGlob } from './glob';
import { fieldOf, type SettingKey, type Settings } from './settings';

export interface ModelSettings {
  readonly settings: Settings;
  /** The first pattern of `toolsearch.models` that the model matched. */
  readonly rule?: string;
}

const made = new WeakMap<Settings, Map<string, ModelSettings>>();

/**
 * Returns the settings for a model, including the values of `toolsearch.models`. A pattern without a slash is for any
 * vendor. The same inputs give the same objects. Without a model, returns the settings that apply to all models.
 */
export function settingsFor(
  settings: Settings,
  model: { readonly vendor: string; readonly id: string } | undefined,
): ModelSettings {
  if (!model || Object.keys(settings.models).length === 0) return { settings };
  const name = `${model.vendor}/${model.id}`;
  const known = made.get(settings) ?? new Map<string, ModelSettings>();
  made.set(settings, known);
  const found = known.get(name) ?? apply(settings, name);
  known.set(name, found);
  return found;
}

function apply(settings: Settings, name: string): ModelSettings {
  const rule = Object.keys(settings.models).find((glob) => compileGlob(glob.includes('/') ? glob : `*/${glob}`)(name));
  if (rule === undefined) return { settings };
  const own = Object.entries(settings.models[rule] ?? {}).map(([key, value]) => [fieldOf(key as SettingKey), value]);
  return { settings: { ...settings, ...Object.fromEntries(own) }, rule };
}
