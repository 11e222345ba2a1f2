import type { Tool } from '../catalog/tool';
import { cut } from '../util/cut';
import { groupBy } from '../util/groupBy';

/** Names of tools have fewer characters a token than prose: words short and joined by underscores. */
const CHARS_PER_TOKEN = 3;
/** Characters kept free on each server's line for how many more it has. */
const MORE_CHARS = 12;

/**
 * The names of deferred tools by server, within so many tokens (estimated): a model that sees `fetch_webpage` knows
 * that there is something to find for "look up this URL". Servers take turns with a name each until there is no
 * room, so that none fills it all; what doesn't fit is counted. Names are data from outside: other characters than
 * a name's own are replaced.
 */
export function namesInSight(tools: readonly Tool[], maxTokens: number): string {
  const lines = [...groupBy(tools, (tool) => tool.server)].map(([server, own]) => ({
    head: `\n- ${JSON.stringify(cut(server, 40))}: `,
    names: own.map((tool) => cut(tool.name, 64).replace(/[^A-Za-z0-9_.-]/g, '_')),
    shown: 0,
  }));
  let room = maxTokens * CHARS_PER_TOKEN;
  let open = lines;
  while (open.length > 0) {
    open = open.filter((line) => {
      const name = line.names[line.shown];
      if (name === undefined) return false;
      const chars = line.shown === 0 ? line.head.length + name.length + MORE_CHARS : name.length + 2;
      if (chars > room) return false;
      room -= chars;
      line.shown++;
      return true;
    });
  }
  return lines
    .filter(({ shown }) => shown > 0)
    .map(({ head, names, shown }) => {
      const more = names.length - shown;
      return `${head}${names.slice(0, shown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    })
    .join('');
}
