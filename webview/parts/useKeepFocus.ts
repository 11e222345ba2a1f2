import { useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the focus nearby if its element disappears with the next state, for example a server's Retry button once the
 * server starts. The browser would move the focus to the top of the page. This hook moves it to the nearest surrounding
 * element that still exists and can have the focus: the row, the list's tab stop, or the section.
 */
export function useKeepFocus(): void {
  /** The element that had the focus last, followed by its ancestors. */
  const path = useRef<readonly Element[]>([]);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      path.current = target instanceof Element ? withAncestors(target) : [];
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, []);
  useLayoutEffect(() => {
    const [lost] = path.current;
    // The focus is never taken from another part of VS Code.
    if (!lost || lost.isConnected || document.activeElement !== document.body || !document.hasFocus()) return;
    for (const around of path.current) {
      const heir =
        around.isConnected && (around.matches('[tabindex]') ? around : around.querySelector('[tabindex="0"]'));
      if (heir instanceof HTMLElement) return heir.focus();
    }
  });
}

function withAncestors(element: Element): Element[] {
  const path: Element[] = [];
  for (let each: Element | null = element; each; each = each.parentElement) path.push(each);
  return path;
}
