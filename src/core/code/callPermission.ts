import type { Tool } from '../catalog/tool';
import { compileGlob } from '../settings/glob';
import type { Settings } from '../settings/settings';

/** Who may call a tool: the model itself, a script, or both. */
export type CallPermission = 'direct' | 'code' | 'both';

type CallerOf = (tool: Pick<Tool, 'id'>) => CallPermission;

interface Rule {
  readonly matches: (id: string) => boolean;
  readonly caller: CallPermission;
}

const made = new WeakMap<Settings['allowedCallers'], readonly Rule[]>();

/** Read once for each value of the setting: the first that matches counts. */
function rulesOf(allowedCallers: Settings['allowedCallers']): readonly Rule[] {
  const rules =
    made.get(allowedCallers) ??
    Object.entries(allowedCallers).map(([glob, caller]) => ({ matches: compileGlob(glob), caller }));
  made.set(allowedCallers, rules);
  return rules;
}

/** Reads `toolsearch.allowedCallers`: the first glob that matches a tool's id counts. */
export function permissionOf({ allowedCallers }: Pick<Settings, 'allowedCallers'>): CallerOf {
  const rules = rulesOf(allowedCallers);
  return ({ id }) => rules.find(({ matches }) => matches(id))?.caller ?? 'both';
}

/**
 * Who may call a tool where the provider runs the code: its sandbox keeps what it is handed, so only tools that a glob
 * names are called from there.
 * @returns undefined where the model alone may
 */
export function providerPermission({
  allowedCallers,
}: Pick<Settings, 'allowedCallers'>): (tool: Pick<Tool, 'id'>) => 'code' | 'both' | undefined {
  const rules = rulesOf(allowedCallers);
  return ({ id }) => {
    const caller = rules.find(({ matches }) => matches(id))?.caller;
    return caller === 'direct' ? undefined : caller;
  };
}
