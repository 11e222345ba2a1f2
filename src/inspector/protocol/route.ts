import * as z from 'zod/mini';

/** A place of the inspector that a button or a keybinding opens: the playground with a query, or the tools by a filter. */
const route = z.discriminatedUnion('section', [
  z.object({ section: z.literal('playground'), query: z.string() }),
  z.object({ section: z.literal('tools'), filter: z.string() }),
]);
export type Route = z.infer<typeof route>;

/** A command's argument as a place; undefined for anything else, which opens the inspector where it was. */
export function readRoute(value: unknown): Route | undefined {
  return route.safeParse(value).data;
}
