import type { Tool } from '../catalog/tool';
import { compileGlob } from '../settings/glob';
import type { Settings } from '../settings/settings';

/** Who may call a tool: the model itself, a script, or both. */
export type Caller = 'direct' | 'code' | 'both';

type CallerOf = (tool: Pick<Tool, 'id'>) => Caller;

const made = new WeakMap<Settings['allowedCallers'], CallerOf>();

/** Reads `toolsearch.allowedCallers`, once for each value: the first glob that matches a tool's id counts. */
export function callersOf({ allowedCallers }: Pick<Settings, 'allowedCallers'>): CallerOf {
  let callerOf = made.get(allowedCallers);
  if (!callerOf) {
    const rules = Object.entries(allowedCallers).map(([glob, caller]) => ({ matches: compileGlob(glob), caller }));
    callerOf = ({ id }) => rules.find(({ matches }) => matches(id))?.caller ?? 'both';
    made.set(allowedCallers, callerOf);
  }
  return callerOf;
}
