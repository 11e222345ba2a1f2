import { isObject } from '../../core/util/objects';

/** Where the inspector is opened, by a button or a keybinding: its playground with a query, or its tools by a filter. */
export type Route =
  | { readonly section: 'playground'; readonly query: string }
  | { readonly section: 'tools'; readonly filter: string };

/** As a command gets it; undefined for anything else, which opens the inspector where it was. */
export function readRoute(value: unknown): Route | undefined {
  if (!isObject(value)) return undefined;
  const { section, query, filter } = value;
  if (section === 'playground' && typeof query === 'string') return { section, query };
  if (section === 'tools' && typeof filter === 'string') return { section, filter };
  return undefined;
}
