import type { Tool } from '../catalog/tool';
import { compileIdTable } from '../settings/glob';
import type { Settings } from '../settings/settings';

/** The permitted callers of a tool: the model directly (`direct`), a script (`code`), or both. */
export type CallPermission = 'direct' | 'code' | 'both';

type CallerOf = (tool: Pick<Tool, 'id'>) => CallPermission;

/**
 * Returns the permission that the setting's tables give a tool. In each table the first matching rule applies. If
 * several tables have a matching rule, the strictest of these permissions applies.
 */
function namedIn({ allowedCallers }: Pick<Settings, 'allowedCallers'>) {
  const tables = [allowedCallers].flat().map(compileIdTable<CallPermission>);
  return (tool: Pick<Tool, 'id'>): CallPermission | undefined => {
    const found = tables.flatMap((permissionIn) => permissionIn(tool.id) ?? []);
    return found.find((permission) => permission !== 'both') ?? found[0];
  };
}

/** Reads `toolsearch.allowedCallers`. Without a rule for a tool, the model and scripts may call it. */
export function permissionOf(settings: Pick<Settings, 'allowedCallers'>): CallerOf {
  const named = namedIn(settings);
  return (tool) => named(tool) ?? 'both';
}

/**
 * Returns whether the provider's code may call a tool. The provider's sandbox stores the results, so that code may only
 * call tools that a glob names.
 * @returns undefined if only the model may call the tool
 */
export function providerPermission(
  settings: Pick<Settings, 'allowedCallers'>,
): (tool: Pick<Tool, 'id'>) => 'code' | 'both' | undefined {
  const named = namedIn(settings);
  return (tool) => {
    const permission = named(tool);
    return permission === 'direct' ? undefined : permission;
  };
}
