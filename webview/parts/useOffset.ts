import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * Returns the distance in pixels from the start of the scroller's content to the element. It is measured when the state
 * or the size of the panel or the element before changes. A measurement at each scroll would need a layout each time.
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
    // The height of the elements above depends on the panel's width, and on what is open.
    const observer = new ResizeObserver(measure);
    for (const above of [scroller, element.current?.previousElementSibling]) if (above) observer.observe(above);
    return () => observer.disconnect();
  }, [element, scroller, state]);
  return offset;
}
