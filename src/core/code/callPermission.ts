import type { Tool } from '../catalog/tool';
import { compileIdGlob } from '../settings/glob';
import type { Settings } from '../settings/settings';

/** Who may call a tool: the model itself, a script, or both. */
export type CallPermission = 'direct' | 'code' | 'both';

type CallerOf = (tool: Pick<Tool, 'id'>) => CallPermission;

interface Rule {
  readonly matches: (id: string) => boolean;
  readonly caller: CallPermission;
}

/** One list of rules for each table that has any. */
const made = new WeakMap<Settings['allowedCallers'], readonly (readonly Rule[])[]>();

/** Compiles the tables once for each value of the setting. */
function rulesOf(allowedCallers: Settings['allowedCallers']): readonly (readonly Rule[])[] {
  const rules =
    made.get(allowedCallers) ??
    [allowedCallers]
      .flat()
      .map((table) => Object.entries(table).map(([glob, caller]) => ({ matches: compileIdGlob(glob), caller })))
      .filter((table) => table.length > 0);
  made.set(allowedCallers, rules);
  return rules;
}

/** The permission that the setting names for a tool: in each table the first match, of several tables the strictest. */
function namedFor(tables: readonly (readonly Rule[])[], tool: Pick<Tool, 'id'>): CallPermission | undefined {
  const found = tables.flatMap((rules) => rules.find(({ matches }) => matches(tool.id))?.caller ?? []);
  return found.find((caller) => caller !== 'both') ?? found[0];
}

/** Reads `toolsearch.allowedCallers`; without a rule for a tool, anybody may call it. */
export function permissionOf({ allowedCallers }: Pick<Settings, 'allowedCallers'>): CallerOf {
  const tables = rulesOf(allowedCallers);
  return (tool) => namedFor(tables, tool) ?? 'both';
}

/**
 * Who may call a tool if the provider runs the code. Its sandbox keeps the results, so only tools that a glob names are
 * called from there.
 * @returns undefined if only the model may
 */
export function providerPermission({
  allowedCallers,
}: Pick<Settings, 'allowedCallers'>): (tool: Pick<Tool, 'id'>) => 'code' | 'both' | undefined {
  const tables = rulesOf(allowedCallers);
  return (tool) => {
    const caller = namedFor(tables, tool);
    return caller === 'direct' ? undefined : caller;
  };
}
