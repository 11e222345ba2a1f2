import type { ConversationPlan } from '../conversation/transcript';
import { cut } from '../util/cut';

/**
 * Returns a sentence about the deferred tools that have come since the conversation began; undefined if there are none.
 * It is added at the end, so that the prefix stays the same. Server names come from outside: they are quoted and cut.
 */
export function noteOnNewTools(
  announced: ConversationPlan['announced'],
  now: ConversationPlan['announced'],
): string | undefined {
  const grown = Object.entries(now).flatMap(([server, count]) => {
    const before = Object.hasOwn(announced, server) ? announced[server] : undefined;
    const more = count - (before ?? 0);
    return more > 0 ? [`${more} ${before === undefined ? '' : 'more '}of ${JSON.stringify(cut(server, 40))}`] : [];
  });
  return grown.length > 0
    ? `(Tools have come since this conversation began: ${grown.slice(0, 30).join(', ')}. A search finds them too.)`
    : undefined;
}
