import type { Tool } from '../catalog/tool';
import { toolNamed } from '../code/toolNamed';
import type { Settings } from '../settings/settings';
import { createMatcher, globsFor } from './patterns';

type Hides = (tool: Pick<Tool, 'server' | 'name'>) => boolean;

const made = new WeakMap<Settings['hiddenTools'], Hides>();

/** Reads `toolsearch.hiddenTools`. A hidden tool is neither sent nor found nor called, whoever asks. */
export function hiddenBy({ hiddenTools }: Pick<Settings, 'hiddenTools'>): Hides {
  const known = made.get(hiddenTools);
  if (known) return known;
  const servers = new Map<string, (name: string) => boolean>();
  const hides: Hides = ({ server, name }) => {
    const matches = servers.get(server) ?? createMatcher(globsFor(hiddenTools, server));
    servers.set(server, matches);
    return matches(name);
  };
  made.set(hiddenTools, hides);
  return hides;
}

/** Why a tool of this name can't be called, if the user hid it. */
export function hiddenWords(
  name: string,
  tools: readonly Tool[],
  settings: Pick<Settings, 'hiddenTools'>,
): string | undefined {
  const tool = toolNamed(name, tools.filter(hiddenBy(settings)));
  return tool && `${tool.modelName} was not called: the user hid it (toolsearch.hiddenTools). Do without it.`;
}
