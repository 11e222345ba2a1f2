import type { StateMessage } from '../protocol/messages';
import { type Cells, LIST_KEYS, type ListName, type ListPatch, type PatchMessage } from '../protocol/patch';
import type { EventView, TurnView, ViewState } from '../protocol/view';
import { bytesOf, firstOf } from '../text/bytes';

/**
 * The maximum number of bytes of JSON in one message. VS Code copies each message several times, and each copy blocks a
 * process.
 */
const MAX_MESSAGE_BYTES = 60_000;
/**
 * The maximum number of bytes of each list in the first message: a few screens, so that the page can draw while the
 * rest follows.
 */
const BEGINNING_BYTES = 10_000;

type ViewRow = { readonly [field: string]: unknown };

/**
 * Creates the messages that bring the webview to the current view. The first message has the beginning of all lists,
 * and small patches follow. After `reset`, everything is sent again.
 */
export class ViewSync {
  #sent: SentView | undefined;

  /** Called if the webview has no data or an unknown part of it. */
  reset(): void {
    this.#sent = undefined;
  }

  /**
   * Yields the messages that bring the webview to `view`. They are created one by one. If the caller doesn't take all
   * of them, the next update sends everything again.
   * @param turn the turn whose events are sent; if it is undefined or doesn't exist, the newest turn's are sent
   */
  *update(view: ViewState, turn?: number): Generator<StateMessage | PatchMessage> {
    const sent = this.#sent;
    this.#sent = undefined;
    const next = { view, watched: view.turns.find((each) => each.turn === turn) ?? view.turns[0] };
    if (sent) yield* withMore(patches(sent, next));
    else {
      const state = beginning(view);
      yield { type: 'state', state };
      // Each list is drawn when it is complete, so that the user can scroll it before thousands of rows of another list
      // arrive.
      for (const part of patches({ view: state }, next)) yield* withMore([part]);
    }
    this.#sent = next;
  }
}

/** Returns the view with only the first rows of its long lists, and without events. */
function beginning(view: ViewState): ViewState {
  const turns = view.turns.map(({ events: _, ...turn }) => turn);
  return {
    ...view,
    turns: firstOf(turns, BEGINNING_BYTES),
    tools: firstOf(view.tools, BEGINNING_BYTES),
    servers: firstOf(view.servers, BEGINNING_BYTES),
  };
}

interface SentView {
  readonly view: ViewState;
  readonly watched?: TurnView;
}

type Patch = Omit<PatchMessage, 'more'>;

/** Returns the patches from one view to another: first the short fields, then each long list. */
function patches(from: SentView, to: SentView): Iterable<Patch>[] {
  const watched = to.watched?.turn;
  const message = (lists: readonly ListPatch[], fields?: PatchMessage['fields']): Patch => ({
    type: 'patch',
    fields,
    lists,
    watched,
  });
  const [before, after] = [from.view, to.view] as unknown as readonly [ViewRow, ViewRow];
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !(name in LIST_KEYS) && !same(after[name], before[name]),
  );
  // JSON has no `undefined`, so null is sent for a field that was removed.
  const fields = Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
  const known = from.watched?.turn === watched ? (from.watched?.events ?? []) : [];
  function* list(name: ListName, before: readonly unknown[], after: readonly unknown[]): Generator<Patch> {
    for (const patch of listPatches(name, before as readonly ViewRow[], after as readonly ViewRow[]))
      yield message([patch]);
  }
  return [
    Object.keys(fields).length > 0 || from.watched?.turn !== watched ? [message([], fields)] : [],
    list('servers', from.view.servers, to.view.servers),
    list('turns', from.view.turns, to.view.turns),
    list('events', known, to.watched?.events ?? ([] as readonly EventView[])),
    list('tools', from.view.tools, to.view.tools),
  ];
}

function* withMore(parts: readonly Iterable<Patch>[]): Generator<PatchMessage> {
  let held: Patch | undefined;
  for (const part of parts)
    for (const patch of part) {
      if (held) yield { ...held, more: true };
      held = patch;
    }
  if (held) yield { ...held, more: false };
}

/** Yields the patches from one list to another, each below the size limit. After each patch, all rows are complete. */
function* listPatches(list: ListName, before: readonly ViewRow[], after: readonly ViewRow[]): Generator<ListPatch> {
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
    const piece = new PatchPiece();
    const start = at;
    while (at < insertEnd && piece.takes(list, at, undefined, after[at] as ViewRow)) at++;
    yield { list, splice: { at: start, remove, insert: at - start }, cells: piece.cells };
    remove = 0;
  }
  let piece = new PatchPiece();
  for (let index = 0; index < after.length; index++) {
    if (index >= head && index < insertEnd) continue;
    const old = before[index < head ? index : index - after.length + before.length] as ViewRow;
    const row = after[index] as ViewRow;
    if (old === row) continue;
    if (piece.takes(list, index, old, row)) continue;
    yield { list, cells: piece.cells };
    piece = new PatchPiece();
    piece.takes(list, index, old, row);
  }
  if (piece.cells.length > 0) yield { list, cells: piece.cells };
}

/** The changed cells in one message, grouped by the names of their fields. */
class PatchPiece {
  readonly #groups = new Map<string, { readonly fields: readonly string[]; readonly rows: unknown[][] }>();
  #bytes = 0;

  get cells(): readonly Cells[] {
    return [...this.#groups.values()];
  }

  /** Adds a row's changed cells. Returns false if they don't fit; the first row always fits. */
  takes(list: ListName, index: number, before: ViewRow | undefined, row: ViewRow): boolean {
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
