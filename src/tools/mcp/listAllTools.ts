import { l10n } from '../../core/util/l10n';

/** A page of `tools/list`, unchecked. */
export interface ListPage {
  readonly tools?: unknown;
  readonly nextCursor?: unknown;
  /** How long the page holds, in milliseconds, and for whom. Only the revision of 2026 has these. */
  readonly ttlMs?: unknown;
  readonly cacheScope?: unknown;
}

/** Every tool, as the server lists it, unchecked. */
export interface ToolList {
  readonly tools: readonly unknown[];
  /** Sentences on how the listing went. */
  readonly problems: readonly string[];
  /** How long the list holds, in milliseconds; 0 if the server doesn't say. */
  readonly ttlMs: number;
  /** Whether the list holds for any user of the server, signed in or not. */
  readonly isPublic: boolean;
}

/** More than any server has: a list that never ends has to be stopped. */
const MAX_TOOLS = 10_000;
const MAX_PAGES = 1_000;
/** The longest time for which a list is believed: a day, in milliseconds. */
const MAX_TTL_MS = 24 * 60 * 60_000;

/** Reads all pages of a server's tools. If a page can't be read, those before it count, and a sentence says why. */
export async function listAllTools(page: (cursor: string | undefined) => Promise<ListPage>): Promise<ToolList> {
  const tools: unknown[] = [];
  const seen = new Set<string>();
  let ttlMs = MAX_TTL_MS;
  let isPublic = true;
  // A list that could not be read whole is read again as soon as possible.
  const stopped = (...problems: readonly string[]): ToolList => ({
    tools,
    problems,
    ttlMs: problems.length > 0 ? 0 : ttlMs,
    isPublic,
  });
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const { tools: listed, nextCursor, ttlMs: holds, cacheScope } = await page(cursor);
    ttlMs = Math.min(ttlMs, typeof holds === 'number' && holds > 0 ? holds : 0);
    isPublic &&= cacheScope === 'public';
    if (!Array.isArray(listed)) return stopped(l10n.t('Its answer isn’t a list of tools.'));
    const room = MAX_TOOLS - tools.length;
    tools.push(...listed.slice(0, room));
    const isLast = typeof nextCursor !== 'string' || nextCursor === '';
    if (listed.length > room || (pages > MAX_PAGES && !isLast))
      return stopped(
        l10n.t('It lists more than {0} tools or pages: the rest is left out.', MAX_TOOLS.toLocaleString('en')),
      );
    if (isLast) return stopped();
    if (seen.has(nextCursor))
      return stopped(l10n.t('Its list of tools never ends. Reading stopped after page {0}.', pages));
    seen.add(nextCursor);
    cursor = nextCursor;
  }
}
