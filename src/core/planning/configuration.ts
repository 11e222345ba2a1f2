import type { Diagnostic } from '../catalog/diagnostic';
import type { Pins } from '../settings/pins';
import { fieldOf, SETTING_KEYS, type SettingKey, type Settings } from '../settings/settings';
import type { Overview } from './overview';

/**
 * A place where a value is set. A value can come from several places: the entries of an object are merged from all of
 * them.
 */
export type SettingOrigin = 'default' | 'user' | 'workspace';

/** Returns settings in the form of settings.json, without the prefix. `parseSettings` reads them back unchanged. */
export function writeSettings(settings: Settings): { readonly [key in SettingKey]: unknown } {
  // A refused address is written as null. If it were left out, the default address would be used instead.
  return Object.fromEntries(SETTING_KEYS.map((key) => [key, settings[fieldOf(key)] ?? null])) as {
    [key in SettingKey]: unknown;
  };
}

/**
 * Describes the settings in effect, their sources and their effects. The result is JSON to paste into a report or
 * another machine's settings.json. It contains no secrets: keys and inputs are in no setting.
 */
export function describeConfiguration(inputs: {
  readonly settings: Settings;
  readonly origins: (key: SettingKey) => readonly SettingOrigin[];
  readonly pins: Pins;
  readonly overview: Pick<Overview, 'strategy' | 'delivery' | 'modeWhy' | 'counts' | 'modelRule'>;
  readonly problems: readonly Diagnostic[];
}): string {
  const values = writeSettings(inputs.settings);
  const settings = Object.fromEntries(SETTING_KEYS.map((key) => [`toolsearch.${key}`, values[key]]));
  const from = Object.fromEntries(
    SETTING_KEYS.map((key) => [`toolsearch.${key}`, inputs.origins(key).join(', ')] as const).filter(
      ([, origin]) => origin !== 'default',
    ),
  );
  const { strategy, delivery, modeWhy, counts, modelRule } = inputs.overview;
  return JSON.stringify(
    {
      settings,
      from: { ...from, 'everything else': 'default' },
      now: {
        tools: counts,
        ...(modelRule === undefined ? {} : { models: `${modelRule} of toolsearch.models` }),
        mode: modeWhy,
        strategy: `${strategy.name}: ${strategy.why}`,
        delivery: `${delivery.name}: ${delivery.why}`,
      },
      pins: inputs.pins,
      problems: inputs.problems.map(({ severity, source, message }) => `${severity}, ${source}: ${message}`),
    },
    undefined,
    2,
  );
}
