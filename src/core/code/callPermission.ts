import type { Tool } from '../catalog/tool';
import { compileIdTable } from '../settings/glob';
import type { Settings } from '../settings/settings';

/** The permitted callers of a tool: the model directly (`direct`), a script (`code`), or both. */
export type CallPermission = 'direct' | 'code' | 'both';

type CallerOf = (tool: Pick<Tool, 'id'>) => CallPermission;

type Table = ReturnType<typeof compileIdTable<CallPermission>>;

/** The compiled tables for each value of the setting. */
const made = new WeakMap<Settings['allowedCallers'], readonly Table[]>();

/** Returns the compiled tables. Each value of the setting is compiled once. */
function tablesOf(allowedCallers: Settings['allowedCallers']): readonly Table[] {
  const tables = made.get(allowedCallers) ?? [allowedCallers].flat().map(compileIdTable<CallPermission>);
  made.set(allowedCallers, tables);
  return tables;
}

/**
 * Returns the permission that the tables give a tool. In each table the first matching rule applies. If several tables
 * have a matching rule, the strictest of these permissions applies.
 */
function namedFor(tables: readonly Table[], tool: Pick<Tool, 'id'>): CallPermission | undefined {
  const found = tables.flatMap((permissionIn) => permissionIn(tool.id) ?? []);
  return found.find((permission) => permission !== 'both') ?? found[0];
}

/** Reads `toolsearch.allowedCallers`. Without a rule for a tool, the model and scripts may call it. */
export function permissionOf({ allowedCallers }: Pick<Settings, 'allowedCallers'>): CallerOf {
  const tables = tablesOf(allowedCallers);
  return (tool) => namedFor(tables, tool) ?? 'both';
}

/**
 * Returns whether the provider's code may call a tool. The provider's sandbox stores the results, so that code may only
 * call tools that a glob names.
 * @returns undefined if only the model may call the tool
 */
export function providerPermission({
  allowedCallers,
}: Pick<Settings, 'allowedCallers'>): (tool: Pick<Tool, 'id'>) => 'code' | 'both' | undefined {
  const tables = tablesOf(allowedCallers);
  return (tool) => {
    const permission = namedFor(tables, tool);
    return permission === 'direct' ? undefined : permission;
  };
}
