/** A page of `tools/list`, unchecked. */
export interface ListPage {
  readonly tools?: unknown;
  readonly nextCursor?: unknown;
}

/** More than any server has; one that goes on for ever has to be stopped somewhere. */
const MAX_TOOLS = 10_000;
const MAX_PAGES = 1_000;

/** Reads all pages of a server's tools, and says so where it can't: what has been read till then is used. */
export async function listAllTools(
  page: (cursor: string | undefined) => Promise<ListPage>,
): Promise<{ readonly tools: readonly unknown[]; readonly problems: readonly string[] }> {
  const tools: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; ; pages++) {
    const { tools: listed, nextCursor } = await page(cursor);
    if (!Array.isArray(listed)) return { tools, problems: ['It answered with something that is no list of tools.'] };
    for (const tool of listed) tools.push(tool);
    if (typeof nextCursor !== 'string' || nextCursor === '') return { tools, problems: [] };
    if (seen.has(nextCursor))
      return {
        tools,
        problems: [`It lists its tools in pages that never end: after page ${pages + 1} it was stopped.`],
      };
    if (tools.length > MAX_TOOLS || pages >= MAX_PAGES)
      return {
        tools: tools.slice(0, MAX_TOOLS),
        problems: [`It lists more than ${MAX_TOOLS.toLocaleString('en')} tools or pages: the rest is left out.`],
      };
    seen.add(nextCursor);
    cursor = nextCursor;
  }
}
