/** Resolves when the last step that is waiting has had its turn. */
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Does a step of starting a server when its turn has come, with room for all else before it. Starting a process holds this one
 * up until the new one runs its program, for some 20 ms on a busy machine: twenty servers in a row would be half a second.
 */
export function startInTurn<Started>(step: () => Started): Promise<Awaited<Started>> {
  // Not setImmediate, whose first turn would come right after what asked for it, with nothing in between.
  const turn = lastTurn.then(() => new Promise<void>((resolve) => setTimeout(resolve))).then(step);
  lastTurn = turn.catch(() => {});
  return turn as Promise<Awaited<Started>>;
}
