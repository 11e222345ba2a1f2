import * as z from 'zod/mini';
import { once } from '../../core/util/once';

/**
 * A place in the inspector that a link or a keybinding opens: a turn, the playground with a query, or filtered tools.
 */
const route = once(() =>
  z.discriminatedUnion('section', [
    z.object({ section: z.literal('playground'), query: z.string() }),
    z.object({ section: z.literal('turns'), turn: z.number() }),
    z.object({ section: z.literal('tools'), filter: z.string() }),
  ]),
);
export type Route = z.infer<ReturnType<typeof route>>;

/** Reads a place from a command's argument. If it is undefined, the inspector opens as the user left it. */
export function readRoute(value: unknown): Route | undefined {
  return route().safeParse(value).data;
}
