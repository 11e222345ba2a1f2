import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * Returns the distance from the scroller's content edge to the element in pixels. It is measured when the state or the
 * size of the header or panel changes; a measurement on each scroll would cost a layout.
 */
export function useOffset(
  element: RefObject<HTMLElement | null>,
  scroller: HTMLElement | null,
  state: unknown,
): number {
  const [offset, setOffset] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `state` isn't read, but what it draws is measured.
  useLayoutEffect(() => {
    function measure() {
      if (!element.current || !scroller) return;
      setOffset(
        element.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop,
      );
    }
    measure();
    // The panel's width changes the height of what is above, and so does a header that opens.
    const observer = new ResizeObserver(measure);
    for (const above of [scroller, scroller?.querySelector('header')]) if (above) observer.observe(above);
    return () => observer.disconnect();
  }, [element, scroller, state]);
  return offset;
}
