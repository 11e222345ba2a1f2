import type { Tool } from '../catalog/tool';
import { cut } from '../util/cut';
import { groupBy } from '../util/groupBy';
import { inTurns } from '../util/inTurns';

/**
 * Estimated characters per token in tool names. The number is lower than for prose, because names are short words
 * joined by underscores.
 */
const CHARS_PER_TOKEN = 3;
/** Characters reserved on each server's line for the number of further tools. */
const MORE_CHARS = 12;

/**
 * Lists the names of deferred tools by server, in at most `maxTokens` tokens (estimated). A model that sees
 * `fetch_webpage` knows that a search has something for "look up this URL". Servers take turns adding a name until
 * there is no room, so that no server fills the list alone. Names that don't fit are counted. Names come from outside:
 * characters that a name can't have are replaced.
 */
export function guidanceNames(tools: readonly Tool[], maxTokens: number): string {
  const lines = [...groupBy(tools, (tool) => tool.server)].map(([server, own]) => ({
    head: `\n- ${JSON.stringify(cut(server, 40))}: `,
    names: own.map((tool) => cut(tool.name, 64).replace(/[^A-Za-z0-9_.-]/g, '_')),
    shown: 0,
  }));
  let room = maxTokens * CHARS_PER_TOKEN;
  const full = new Set<number>();
  for (const { list, item: name } of inTurns(lines.map(({ names }) => names))) {
    const line = lines[list];
    if (!line || full.has(list)) continue;
    const chars = line.shown === 0 ? line.head.length + name.length + MORE_CHARS : name.length + 2;
    if (chars > room) full.add(list);
    else {
      room -= chars;
      line.shown++;
    }
  }
  return lines
    .filter(({ shown }) => shown > 0)
    .map(({ head, names, shown }) => {
      const more = names.length - shown;
      return `${head}${names.slice(0, shown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    })
    .join('');
}
