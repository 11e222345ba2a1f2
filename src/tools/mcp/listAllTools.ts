/** A page of `tools/list`, unchecked. */
export interface ListPage {
  readonly tools?: unknown;
  readonly nextCursor?: unknown;
}

/** More than any server has: a list that never ends has to be stopped. */
const MAX_TOOLS = 10_000;
const MAX_PAGES = 1_000;

/** Reads all pages of a server's tools. If a page can't be read, those before it count, and a sentence says why. */
export async function listAllTools(
  page: (cursor: string | undefined) => Promise<ListPage>,
): Promise<{ readonly tools: readonly unknown[]; readonly problems: readonly string[] }> {
  const tools: unknown[] = [];
  const seen = new Set<string>();
  const stopped = (...problems: readonly string[]) => ({ tools, problems });
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const { tools: listed, nextCursor } = await page(cursor);
    if (!Array.isArray(listed)) return stopped('It answered with something that is no list of tools.');
    const room = MAX_TOOLS - tools.length;
    tools.push(...listed.slice(0, room));
    const isLast = typeof nextCursor !== 'string' || nextCursor === '';
    if (listed.length > room || (pages > MAX_PAGES && !isLast))
      return stopped(`It lists more than ${MAX_TOOLS.toLocaleString('en')} tools or pages: the rest is left out.`);
    if (isLast) return stopped();
    if (seen.has(nextCursor))
      return stopped(`It lists its tools in pages that never end: after page ${pages} it was stopped.`);
    seen.add(nextCursor);
    cursor = nextCursor;
  }
}
