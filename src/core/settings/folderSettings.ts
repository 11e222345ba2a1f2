import type { Diagnostic } from '../catalog/diagnostic';
import { l10n } from '../util/l10n';
import { isObject } from '../util/objects';
import type { SettingKey } from './settings';

/** The value of a setting in one folder. */
export interface FolderValue {
  readonly folder: string;
  readonly value: unknown;
}

/**
 * Merges a setting of the window with its values in folders: tables entry by entry, lists one after the other. If two
 * folders have an entry for the same server or tool, the first one applies, and the user is informed.
 */
export function mergeFolders(
  key: SettingKey,
  base: unknown,
  folders: readonly FolderValue[],
): { readonly value: unknown; readonly problems: readonly Diagnostic[] } {
  const problems: Diagnostic[] = [];
  const set = folders.filter(({ value }) => value !== undefined);
  if (set.length === 0) return { value: base, problems };
  if (set.every(({ value }) => Array.isArray(value))) {
    const lists = [...(Array.isArray(base) ? [base] : []), ...set.map(({ value }) => value as unknown[])];
    return { value: [...new Set(lists.flat())], problems };
  }
  const entries = new Map<string, unknown>(isObject(base) ? Object.entries(base) : []);
  const taken = new Map<string, string>();
  for (const { folder, value } of set) {
    // The reader of settings reports a value that isn't a table.
    if (!isObject(value)) return { value, problems };
    for (const [name, entry] of Object.entries(value)) {
      const first = taken.get(name);
      if (first === undefined) {
        taken.set(name, folder);
        entries.set(name, entry);
      } else if (JSON.stringify(entries.get(name)) !== JSON.stringify(entry)) {
        problems.push({
          severity: 'warning',
          source: `toolsearch.${key}`,
          message: l10n.t(
            'The folders {0} and {1} both set “{2}” in toolsearch.{3}. The value of {0} is used.',
            first,
            folder,
            name,
            key,
          ),
        });
      }
    }
  }
  return { value: Object.fromEntries(entries), problems };
}
