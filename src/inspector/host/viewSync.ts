import type { StateMessage } from '../protocol/messages';
import { type Cells, LIST_KEYS, type ListName, type ListPatch, type PatchMessage } from '../protocol/patch';
import type { EventView, TurnView, ViewState } from '../protocol/view';
import { bytesOf, firstOf } from '../text/bytes';

/**
 * Bytes of JSON in one message, at the most: VS Code copies a message several times, and each copy holds someone
 * up.
 */
const MAX_MESSAGE_BYTES = 60_000;
/** Of the first message, for each of its lists: some screens full, so that it is drawn while the rest follows. */
const BEGINNING_BYTES = 10_000;

type Row = { readonly [field: string]: unknown };

/**
 * Brings the webview to the current view: first with a message that has the beginning of everything, then by
 * small patches. Nothing is assumed of a webview that was hidden: `reset` begins again.
 */
export class ViewSync {
  #sent: { readonly view: ViewState; readonly watched?: TurnView } | undefined;

  /** The webview has nothing, or nobody knows what. */
  reset(): void {
    this.#sent = undefined;
  }

  /**
   * The messages that bring the webview to `view`, in order. Made one at a time, as they are taken. If not all of
   * them are taken, the next update begins again.
   * @param turn whose events are wanted; the newest turn's if it is undefined or there is no such turn
   */
  *update(view: ViewState, turn?: number): Generator<StateMessage | PatchMessage> {
    const sent = this.#sent;
    this.#sent = undefined;
    const next = { view, watched: view.turns.find((each) => each.turn === turn) ?? view.turns[0] };
    if (sent) yield* withMore(joined(patches(sent, next)));
    else {
      const state = beginning(view);
      yield { type: 'state', state };
      // Each list is drawn when it is whole, so that who scrolls one doesn't wait for thousands of rows of another.
      for (const part of patches({ view: state }, next)) yield* withMore(part);
    }
    this.#sent = next;
  }
}

/** The view with only the first rows of its long lists, and no turn's events. */
function beginning(view: ViewState): ViewState {
  return {
    ...view,
    turns: firstOf(view.turns.map(withoutEvents), BEGINNING_BYTES),
    tools: firstOf(view.tools, BEGINNING_BYTES),
    servers: firstOf(view.servers, BEGINNING_BYTES),
  };
}

function withoutEvents({ events: _, ...turn }: TurnView): TurnView {
  return turn;
}

interface Sent {
  readonly view: ViewState;
  readonly watched?: TurnView;
}

type Patch = Omit<PatchMessage, 'more'>;

/** The patches from one view to another: the short fields first, then each long list. */
function patches(from: Sent, to: Sent): Iterable<Patch>[] {
  const watched = to.watched?.turn;
  const message = (lists: readonly ListPatch[], fields?: PatchMessage['fields']): Patch => ({
    type: 'patch',
    fields,
    lists,
    watched,
  });
  const { turns: _, tools: __, servers: ___, ...plain } = to.view;
  const { turns: ____, tools: _____, servers: ______, ...plainBefore } = from.view;
  const gone = Object.fromEntries(Object.keys(plainBefore).map((name) => [name, undefined]));
  // JSON has no `undefined`: a field that is absent now is sent as null.
  const fields = Object.fromEntries(
    Object.entries<unknown>({ ...gone, ...plain })
      .filter(([name, value]) => !same(value, (from.view as unknown as Row)[name]))
      .map(([name, value]) => [name, value ?? null]),
  );
  const known = from.watched?.turn === watched ? (from.watched?.events ?? []) : [];
  function* list(name: ListName, before: readonly unknown[], after: readonly unknown[]): Generator<Patch> {
    for (const patch of listPatches(name, before as readonly Row[], after as readonly Row[])) yield message([patch]);
  }
  return [
    Object.keys(fields).length > 0 || from.watched?.turn !== watched ? [message([], fields)] : [],
    list('servers', from.view.servers, to.view.servers),
    list('turns', from.view.turns, to.view.turns),
    list('events', known, to.watched?.events ?? ([] as readonly EventView[])),
    list('tools', from.view.tools, to.view.tools),
  ];
}

function* joined(parts: readonly Iterable<Patch>[]): Generator<Patch> {
  for (const part of parts) yield* part;
}

function* withMore(patches: Iterable<Patch>): Generator<PatchMessage> {
  let held: Patch | undefined;
  for (const patch of patches) {
    if (held) yield { ...held, more: true };
    held = patch;
  }
  if (held) yield { ...held, more: false };
}

/** The patches from one list to another, in pieces under the limit; each leaves whole rows behind. */
function* listPatches(list: ListName, before: readonly Row[], after: readonly Row[]): Generator<ListPatch> {
  if (before === after) return;
  const key = LIST_KEYS[list];
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head]?.[key] === after[head]?.[key]) head++;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail)?.[key] === after.at(-1 - tail)?.[key]) tail++;
  const insertEnd = after.length - tail;
  let remove = before.length - tail - head;
  let at = head;
  while (at < insertEnd || remove > 0) {
    const piece = new Piece();
    const start = at;
    while (at < insertEnd && piece.takes(list, at, undefined, after[at] as Row)) at++;
    yield { list, splice: { at: start, remove, insert: at - start }, cells: piece.cells };
    remove = 0;
  }
  let piece = new Piece();
  for (let index = 0; index < after.length; index++) {
    if (index >= head && index < insertEnd) continue;
    const old = before[index < head ? index : index - after.length + before.length] as Row;
    const row = after[index] as Row;
    if (old === row) continue;
    if (piece.takes(list, index, old, row)) continue;
    yield { list, cells: piece.cells };
    piece = new Piece();
    piece.takes(list, index, old, row);
  }
  if (piece.cells.length > 0) yield { list, cells: piece.cells };
}

/** The cells of one message, grouped by the fields that change. */
class Piece {
  readonly #groups = new Map<string, { readonly fields: readonly string[]; readonly rows: unknown[][] }>();
  #bytes = 0;

  get cells(): readonly Cells[] {
    return [...this.#groups.values()];
  }

  /** Takes a row's changed cells in; false if there is no room left for them. A piece always takes its first row. */
  takes(list: ListName, index: number, before: Row | undefined, row: Row): boolean {
    const fields = [...new Set([...Object.keys(row), ...Object.keys(before ?? {})])].filter(
      (field) => !(list === 'turns' && field === 'events') && !same(row[field], before?.[field]),
    );
    if (fields.length === 0) return true;
    const cells = [index, ...fields.map((field) => row[field] ?? null)];
    const group = fields.join();
    const bytes = bytesOf(cells) + (this.#groups.has(group) ? 1 : group.length * 2 + 40);
    if (this.#bytes > 0 && this.#bytes + bytes > MAX_MESSAGE_BYTES) return false;
    this.#bytes += bytes;
    const known = this.#groups.get(group);
    if (known) known.rows.push(cells);
    else this.#groups.set(group, { fields, rows: [cells] });
    return true;
  }
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b);
}
