/**
 * Returns the slots with the highest scores, at most `room`, in no particular order. It keeps the best slots in a
 * bounded heap with the worst one on top, so that most slots of a large catalog cost one comparison. `compare` decides
 * between equal scores.
 */
export function topK(
  slots: Int32Array,
  scores: Float64Array,
  room: number,
  compare: (a: number, b: number) => number,
): readonly number[] {
  const heap = Array.from(slots.subarray(0, room));
  if (slots.length <= room) return heap;
  const isWorse = (a: number, b: number) => {
    const difference = (scores[a] as number) - (scores[b] as number);
    return difference < 0 || (difference === 0 && compare(a, b) > 0);
  };
  const sink = (from: number) => {
    let at = from;
    for (;;) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < room && isWorse(heap[child] as number, heap[worst] as number)) worst = child;
      }
      if (worst === at) return;
      const slot = heap[at] as number;
      heap[at] = heap[worst] as number;
      heap[worst] = slot;
      at = worst;
    }
  };
  for (let at = room >> 1; at >= 0; at--) sink(at);
  let least = scores[heap[0] as number] as number;
  for (let i = room; i < slots.length; i++) {
    const slot = slots[i] as number;
    if ((scores[slot] as number) < least || !isWorse(heap[0] as number, slot)) continue;
    heap[0] = slot;
    sink(0);
    least = scores[heap[0] as number] as number;
  }
  return heap;
}
