import type { Tool } from '../catalog/tool';
import { compileGlob } from '../settings/glob';
import type { Settings } from '../settings/settings';

/** Who may call a tool: the model itself, a script, or both. */
export type Caller = 'direct' | 'code' | 'both';

/** Reads `toolsearch.allowedCallers`: the first glob that matches a tool's id counts. */
export function createCallers(settings: Pick<Settings, 'allowedCallers'>): (tool: Pick<Tool, 'id'>) => Caller {
  const rules = Object.entries(settings.allowedCallers).map(([glob, caller]) => ({ matches: compileGlob(glob), caller }));
  return rules.length === 0 ? () => 'both' : ({ id }) => rules.find(({ matches }) => matches(id))?.caller ?? 'both';
}
