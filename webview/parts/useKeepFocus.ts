import { useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the keyboard near if it was. What has the focus may go away with the next state: a server's Retry once it
 * starts, a tool that its server no longer has. The browser would begin again at the top of the page; here the
 * nearest thing around it that is still there and can have the focus takes over: its row, its list's tab stop, the
 * section.
 */
export function useKeepFocus(): void {
  /** From what had the focus last outwards. */
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
    // Never takes the focus from another part of VS Code.
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
