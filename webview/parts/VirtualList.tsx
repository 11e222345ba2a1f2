import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
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
  /** If set, the list is a list box: one tab stop, whose arrow keys, Home, End, PageUp and PageDown choose an item. */
  readonly options?: Options;
  readonly draw: (item: Item, index: number) => ReactNode;
}

interface Options {
  /** The id of the list box. */
  readonly id: string;
  /** The key of the chosen item. */
  readonly chosen: number;
  readonly onChoose: (key: number) => void;
  /** Called when Enter is pressed. */
  readonly onEnter: () => void;
}

/** The number of items that PageUp and PageDown pass. */
const PAGE = 8;

/**
 * A list that draws only the visible items and the focused or chosen one. Screen readers still get the length of the whole list.
 */
export function VirtualList<Item>({
  items,
  keyOf,
  estimate,
  scroller,
  sticky,
  label,
  className,
  options,
  draw,
}: Props<Item>) {
  const list = useRef<HTMLOListElement>(null);
  const margin = useOffset(list, scroller, items);
  const [focused, setFocused] = useState<number>();
  const keptKey = options?.chosen ?? focused;
  const kept = keptKey === undefined ? -1 : items.findIndex((item) => keyOf(item) === keptKey);
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
  const isBox = options !== undefined;
  useEffect(() => {
    if (isBox && kept >= 0) virtualizer.scrollToIndex(kept, { align: 'auto' });
  }, [isBox, kept, virtualizer]);
  function choose(event: KeyboardEvent<HTMLElement>): void {
    if (!options) return;
    if (event.key === 'Enter') options.onEnter();
    const last = items.length - 1;
    const to = {
      ArrowDown: kept + 1,
      ArrowUp: kept - 1,
      Home: 0,
      End: last,
      PageDown: kept + PAGE,
      PageUp: kept - PAGE,
    }[event.key];
    const item = to === undefined ? undefined : items[Math.max(0, Math.min(last, to))];
    if (to !== undefined) event.preventDefault();
    if (item !== undefined) options.onChoose(keyOf(item));
  }
  return (
    <ol
      ref={list}
      {...(options && {
        id: options.id,
        role: 'listbox',
        tabIndex: 0,
        'aria-activedescendant': kept < 0 ? undefined : `${options.id}-${options.chosen}`,
        onKeyDown: choose,
      })}
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
          {...(options && {
            id: `${options.id}-${key}`,
            role: 'option',
            'aria-selected': key === options.chosen,
            onClick: () => options.onChoose(Number(key)),
          })}
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
