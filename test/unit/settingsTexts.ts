import { SETTING_GROUPS, SETTING_KEYS, SETTINGS, type SettingKey } from '../../src/core/settings/settings';

// Generates the settings in package.json, their English texts and docs/settings.md from the table of settings.

interface Schema {
  readonly [key: string]: unknown;
}

/** `contributes.configuration` of package.json, one titled group after the other. */
export function configuration(): readonly object[] {
  return SETTING_GROUPS.map(({ id, rows }, order) => ({
    title: `%settings.${id}%`,
    order,
    properties: Object.fromEntries(
      keysOf(rows).map((key, index) => {
        const { fallback, scope } = SETTINGS[key];
        return [`toolsearch.${key}`, { ...property(key), default: fallback, scope, order: index }];
      }),
    ),
  }));
}

function property(key: SettingKey): Schema {
  const { choices, schema }: { choices?: object; schema: Schema } = SETTINGS[key].reader;
  return {
    markdownDescription: `%setting.${key}%`,
    ...(key === 'models' ? perModel(schema) : schema),
    ...(choices ? { markdownEnumDescriptions: Object.keys(choices).map((value) => `%setting.${key}.${value}%`) } : {}),
  };
}

/** The schema of `toolsearch.models` with the descriptions of the settings that each model can have. */
function perModel(schema: Schema): Schema {
  const entry = schema.additionalProperties as { properties: Schema };
  const properties = Object.keys(entry.properties).map((key) => [key, property(key as SettingKey)]);
  return { ...schema, additionalProperties: { ...entry, properties: Object.fromEntries(properties) } };
}

/** The English texts of the settings, by their keys in package.nls.json. */
export function texts(): { readonly [key: string]: string } {
  return Object.fromEntries([
    ...SETTING_GROUPS.map(({ id, title }) => [`settings.${id}`, title]),
    ...SETTING_KEYS.flatMap((key) => [
      [`setting.${key}`, SETTINGS[key].description],
      ...choicesOf(key).map(([value, text]) => [`setting.${key}.${value}`, text]),
    ]),
  ]);
}

/** docs/settings.md: each setting with its default and its possible values. */
export function page(): string {
  const groups = SETTING_GROUPS.map(({ title, rows }) => `## ${title}\n\n${keysOf(rows).map(section).join('\n\n')}`);
  return `# Settings\n\nGenerated from the table in \`src/core/settings/settings.ts\`.\n\n${groups.join('\n\n')}\n`;
}

const SCOPES = { window: '', resource: ' · each folder can set it', application: ' · only the user can set it' };

function section(key: SettingKey): string {
  const { description, fallback, scope } = SETTINGS[key];
  const lines = choicesOf(key).map(([value, text]) => `- \`${value}\`: ${linked(text)}`);
  const list = lines.length > 0 ? `\n\n${lines.join('\n')}` : '';
  return `### \`toolsearch.${key}\`\n\nDefault: ${inCode(fallback)}${SCOPES[scope]}\n\n${linked(description)}${list}`;
}

const inCode = (value: unknown): string => `\`${JSON.stringify(value).replaceAll('","', '", "')}\``;

/** Replaces VS Code's links to settings by the settings' names. */
const linked = (text: string): string => text.replace(/`#([\w.]+)#`/g, '`$1`');

function choicesOf(key: SettingKey): readonly [string, string][] {
  const { choices }: { choices?: { readonly [value: string]: string } } = SETTINGS[key].reader;
  return Object.entries(choices ?? {});
}

const keysOf = (rows: object): readonly SettingKey[] => Object.keys(rows) as SettingKey[];
