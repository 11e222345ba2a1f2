import { l10n } from '../../core/util/l10n';

/** A page of a list, unchecked. */
export interface ListPage {
  readonly [key: string]: unknown;
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

/** What a server lists, unchecked. */
interface ServerList extends Omit<ToolList, 'tools'> {
  readonly entries: readonly unknown[];
}

/** How a kind of list is asked for: its method, the key of its entries, and the most of them that are read. */
export interface ListKind {
  readonly method: 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list';
  readonly key: string;
  readonly max: number;
}

type ReadPage = (cursor: string | undefined) => Promise<ListPage>;

/** More than any server has: a list that never ends has to be stopped. */
const TOOLS: ListKind = { method: 'tools/list', key: 'tools', max: 10_000 };
const MAX_PAGES = 1_000;
/** The longest time for which a list is believed: a day, in milliseconds. */
const MAX_TTL_MS = 24 * 60 * 60_000;

/** Reads all pages of a server's tools. */
export async function listAllTools(page: ReadPage): Promise<ToolList> {
  const { entries: tools, ...list } = await listAll(TOOLS, page);
  return { tools, ...list };
}

/** Reads all pages of a list. If a page can't be read, those before it count, and a sentence says why. */
export async function listAll({ method, key, max }: ListKind, page: ReadPage): Promise<ServerList> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let ttlMs = MAX_TTL_MS;
  let isPublic = true;
  // A list that could not be read whole is read again as soon as possible.
  const stopped = (...problems: readonly string[]): ServerList => ({
    entries,
    problems,
    ttlMs: problems.length > 0 ? 0 : ttlMs,
    isPublic,
  });
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const { [key]: listed, nextCursor, ttlMs: holds, cacheScope } = await page(cursor);
    ttlMs = Math.min(ttlMs, typeof holds === 'number' && holds > 0 ? holds : 0);
    isPublic &&= cacheScope === 'public';
    if (!Array.isArray(listed)) return stopped(l10n.t('Its answer to {0} isn’t a list.', method));
    const room = max - entries.length;
    entries.push(...listed.slice(0, room));
    const isLast = typeof nextCursor !== 'string' || nextCursor === '';
    if (listed.length > room || (pages > MAX_PAGES && !isLast))
      return stopped(
        l10n.t('Its {0} has more than {1} entries or pages: the rest is left out.', method, max.toLocaleString('en')),
      );
    if (isLast) return stopped();
    if (seen.has(nextCursor))
      return stopped(l10n.t('Its {0} never ends. Reading stopped after page {1}.', method, pages));
    seen.add(nextCursor);
    cursor = nextCursor;
  }
}
