import type { EventView, ServerView, ToolView, TurnView, ViewState } from './view';

/** Lists whose rows are sent one by one, and the field that tells rows apart. `events` are those of one turn. */
export const LIST_KEYS = { turns: 'turn', tools: 'id', servers: 'name', events: 'seq' } as const;
export type ListName = keyof typeof LIST_KEYS;

/**
 * Rows that have the same fields to set: `[index, …values]`, in the order of `fields`; null if a value is
 * absent.
 */
export interface Cells {
  readonly fields: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * A change of a list. First rows go and come at one place, then cells are set; every row that comes has its cells
 * here.
 */
export interface ListPatch {
  readonly list: ListName;
  readonly splice?: { readonly at: number; readonly remove: number; readonly insert: number };
  readonly cells: readonly Cells[];
}

/** All of a {@link ViewState} that isn't a list: sent whole if it changed. */
type PlainFields = Omit<ViewState, 'turns' | 'tools' | 'servers'>;

/** A change that turns the webview's view into the next one. */
export interface PatchMessage {
  readonly type: 'patch';
  /** The fields that changed; null for one that is absent now. */
  readonly fields?: { readonly [Name in keyof PlainFields]?: PlainFields[Name] | null };
  readonly lists: readonly ListPatch[];
  /** The turn that `events` belong to; the events of any other turn are dropped. Absent before the first turn. */
  readonly watched?: number;
  /** Others follow at once: what comes of them all is drawn with the last. */
  readonly more: boolean;
}

type Row = { readonly [field: string]: unknown };

/** The view after a patch; rows that it doesn't name stay the same objects, so that React can leave them alone. */
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
      const row: { [field: string]: unknown } = { ...(rows[index as number] as Row) };
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
