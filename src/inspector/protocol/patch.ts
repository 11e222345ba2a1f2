// Patches of the view, and the function with which the webview applies them.

import type { EventView, ServerView, ToolView, TurnView, ViewState } from './view';

/** The lists whose rows are sent one by one, and the field that identifies a row. `events` are those of one turn. */
export const LIST_KEYS = { turns: 'turn', tools: 'id', servers: 'name', events: 'seq' } as const;
export type ListName = keyof typeof LIST_KEYS;

/**
 * Rows in which the same fields change. Each row is `[index, …values]`, in the order of `fields`; null removes a field.
 */
export interface Cells {
  readonly fields: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * A change of a list. First, rows are removed and inserted at one position, then cells are set. The cells of all
 * inserted rows are included.
 */
export interface ListPatch {
  readonly list: ListName;
  readonly splice?: { readonly at: number; readonly remove: number; readonly insert: number };
  readonly cells: readonly Cells[];
}

/** The fields of a {@link ViewState} that aren't lists. A changed field is sent as a whole. */
type PlainFields = Omit<ViewState, 'turns' | 'tools' | 'servers'>;

/** A change that turns the webview's view into the next one. */
export interface PatchMessage {
  readonly type: 'patch';
  /** The changed fields; null for a field that was removed. */
  readonly fields?: { readonly [Name in keyof PlainFields]?: PlainFields[Name] | null };
  readonly lists: readonly ListPatch[];
  /** The turn of the `events`. Events of other turns are removed. Undefined before the first turn. */
  readonly watched?: number;
  /** Whether another patch follows at once. The page is drawn after the last one. */
  readonly more: boolean;
}

type PatchRow = { readonly [field: string]: unknown };

/** Returns the view after a patch. Unchanged rows remain the same objects, so that React doesn't draw them again. */
export function applyPatch(state: ViewState, patch: PatchMessage): ViewState {
  let { turns, tools, servers } = state;
  let events = turns.find((turn) => turn.turn === patch.watched)?.events ?? [];
  for (const change of patch.lists) {
    if (change.list === 'turns') turns = applyList(turns as readonly unknown[], change) as readonly TurnView[];
    if (change.list === 'tools') tools = applyList(tools as readonly unknown[], change) as readonly ToolView[];
    if (change.list === 'servers') servers = applyList(servers as readonly unknown[], change) as readonly ServerView[];
    if (change.list === 'events') events = applyList(events as readonly unknown[], change) as readonly EventView[];
  }
  const fields = Object.fromEntries(
    Object.entries(patch.fields ?? {}).map(([name, value]) => [name, value ?? undefined]),
  );
  return { ...state, ...fields, turns: withEvents(turns, patch.watched, events), tools, servers };
}

function applyList(list: readonly unknown[], { splice, cells }: ListPatch): readonly unknown[] {
  const rows = [...list];
  if (splice) rows.splice(splice.at, splice.remove, ...Array.from({ length: splice.insert }, () => ({})));
  for (const { fields, rows: changed } of cells) {
    for (const [index, ...values] of changed) {
      const row: { [field: string]: unknown } = { ...(rows[index as number] as PatchRow) };
      for (const [column, field] of fields.entries()) row[field] = values[column] ?? undefined;
      rows[index as number] = row;
    }
  }
  return rows;
}

function withEvents(
  turns: readonly TurnView[],
  watched: number | undefined,
  events: readonly EventView[],
): readonly TurnView[] {
  if (turns.every((turn) => turn.events === (turn.turn === watched ? events : undefined))) return turns;
  return turns.map((turn) => {
    const own = turn.turn === watched ? events : undefined;
    return turn.events === own ? turn : { ...turn, events: own };
  });
}
