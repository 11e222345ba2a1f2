// Reads all pages of a server's lists, with limits on their length.

import { l10n } from '../../../core/util/l10n';
import { sizeOf } from '../../../core/util/objects';
import { MAX_MESSAGE } from '../transport/stdioTransport';

/** A page of a server's list, unchecked. */
export interface ListPage {
  readonly [key: string]: unknown;
  readonly nextCursor?: unknown;
  /**
   * The time for which the page is valid, in milliseconds, and whether it is the same for all users. Only the
   * protocol's revision of 2026 has these fields.
   */
  readonly ttlMs?: unknown;
  readonly cacheScope?: unknown;
}

/** A server's list of tools, resources, templates or prompts. */
export interface ServerList<Entry = unknown> {
  /** The entries as the server sent them, unchecked. */
  readonly entries: readonly Entry[];
  /** Problems while the list was read, as sentences. */
  readonly problems: readonly string[];
  /** The time for which the list is valid, in milliseconds; 0 if the server doesn't specify it. */
  readonly ttlMs: number;
  /** Whether the list is the same for all users of the server. */
  readonly isPublic: boolean;
}

/** The method that requests a list, the key of its entries, and the maximum number of entries that are read. */
export interface ListKind {
  readonly method: 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list';
  readonly key: string;
  readonly max: number;
}

/** The list of tools. The limits are higher than any real server needs; they stop a list that never ends. */
export const TOOL_LIST: ListKind = { method: 'tools/list', key: 'tools', max: 10_000 };
const MAX_PAGES = 1_000;
/** The maximum size of all pages together, in characters. */
const MAX_CHARS = MAX_MESSAGE;
/** The maximum validity of a list: a day. */
const MAX_TTL_MS = 24 * 60 * 60_000;

/**
 * Reads all pages of a list. If a page is invalid, reading stops there: the entries so far are returned, with a
 * sentence on the problem.
 */
export async function listAll(
  { method, key, max }: ListKind,
  page: (cursor: string | undefined) => Promise<ListPage>,
): Promise<ServerList> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let ttlMs = MAX_TTL_MS;
  let isPublic = true;
  let room = MAX_CHARS;
  // An incomplete list gets no validity, so that it is soon read again.
  const cutShort = (problem: string): ServerList => ({ entries, problems: [problem], ttlMs: 0, isPublic });
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const { [key]: listed, nextCursor, ttlMs: holds, cacheScope } = await page(cursor);
    room -= sizeOf([listed, nextCursor], room);
    if (room < 0)
      return cutShort(
        l10n.t('Its answer to {0} has more than {1} MB. The rest is left out.', method, MAX_CHARS / 2 ** 20),
      );
    ttlMs = Math.min(ttlMs, typeof holds === 'number' && holds > 0 ? holds : 0);
    isPublic &&= cacheScope === 'public';
    if (!Array.isArray(listed)) return cutShort(l10n.t('Its answer to {0} isn’t a list.', method));
    const free = max - entries.length;
    entries.push(...listed.slice(0, free));
    const isLast = typeof nextCursor !== 'string' || nextCursor === '';
    if (listed.length > free || (pages > MAX_PAGES && !isLast))
      return cutShort(
        l10n.t(
          'Its answer to {0} has more than {1} entries or {2} pages. The rest is left out.',
          method,
          max.toLocaleString('en'),
          MAX_PAGES.toLocaleString('en'),
        ),
      );
    if (isLast) return { entries, problems: [], ttlMs, isPublic };
    if (seen.has(nextCursor))
      return cutShort(
        l10n.t('Its answer to {0} never ends, so Tool Search stopped reading after page {1}.', method, pages),
      );
    seen.add(nextCursor);
    cursor = nextCursor;
  }
}
