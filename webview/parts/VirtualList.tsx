import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useOffset } from './useOffset';

interface Props<Item> {
  readonly items: readonly Item[];
  /** Returns an item's key, which is the same in every state. */
  readonly keyOf: (item: Item) => number;
  /** Estimates an item's height in pixels, until the item is drawn and measured. */
  readonly estimate: (item: Item) => number;
  /** The element that scrolls; null until it exists. */
  readonly scroller: HTMLElement | null;
  /** The height in pixels of the area above the items that never scrolls away. */
  readonly sticky: number;
  readonly label: string;
  readonly className: string;
  readonly draw: (item: Item, index: number) => ReactNode;
}

/**
 * A list that draws only the visible items and the focused one. Screen readers still get the length of the whole list.
 */
export function VirtualList<Item>({ items, keyOf, estimate, scroller, sticky, label, className, draw }: Props<Item>) {
  const list = useRef<HTMLOListElement>(null);
  const margin = useOffset(list, scroller, items);
  const [focused, setFocused] = useState<number>();
  const kept = focused === undefined ? -1 : items.findIndex((item) => keyOf(item) === focused);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: (index) => estimate(items[index] as Item),
    // Must be the same function while the items are the same. With another function, all items are measured again at
    // each scroll.
    getItemKey: useCallback((index: number) => keyOf(items[index] as Item), [items, keyOf]),
    rangeExtractor: useCallback((range: Range) => withIndex(defaultRangeExtractor(range), kept), [kept]),
    overscan: 4,
    scrollMargin: margin,
    scrollPaddingStart: sticky,
  });
  const first = items[0] === undefined ? undefined : keyOf(items[0]);
  useKeepPlace(first, scroller, margin, (key) => {
    const index = items.findIndex((item) => keyOf(item) === key);
    return index < 0 ? 0 : (virtualizer.measurementsCache[index]?.start ?? margin) - margin;
  });
  return (
    <ol
      ref={list}
      className={`virtual ${className}`}
      aria-label={label}
      style={{ height: virtualizer.getTotalSize() }}
      onFocus={(event) => setFocused(Number(event.target.closest<HTMLElement>('[data-key]')?.dataset.key))}
      onBlur={() => setFocused(undefined)}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          data-key={key}
          aria-setsize={items.length}
          aria-posinset={index + 1}
          style={{ transform: `translateY(${start - margin}px)` }}
        >
          {draw(items[index] as Item, index)}
        </li>
      ))}
    </ol>
  );
}

/** Keeps the visible items in place when items are added above them. */
function useKeepPlace(
  first: number | undefined,
  scroller: HTMLElement | null,
  margin: number,
  startOf: (key: number) => number,
) {
  const before = useRef(first);
  useLayoutEffect(() => {
    const was = before.current;
    before.current = first;
    if (was === undefined || was === first || !scroller || scroller.scrollTop <= margin) return;
    scroller.scrollTop += startOf(was);
  });
}

function withIndex(indexes: number[], index: number): number[] {
  return index < 0 || indexes.includes(index) ? indexes : [...indexes, index].sort((a, b) => a - b);
}
