import type { ReactNode } from 'react';

interface Props {
  readonly className: string;
  readonly label: string;
  readonly children: ReactNode;
}

/** A box that scrolls text of any length. It can have the focus, so that the keyboard can scroll it too. */
export function ScrollingText({ className, label, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and holds nothing to press can't be read by keyboard otherwise.
    <section className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
