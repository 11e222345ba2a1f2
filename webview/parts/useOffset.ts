import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * How far below the scroller's content edge an element begins, in pixels. What stands above it changes with the state
 * that is shown and with the panel's width, and with nothing else: to measure on each scroll would cost a layout.
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
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [element, scroller, state]);
  return offset;
}
