import type { ReactNode } from 'react';

interface Props {
  readonly className: string;
  readonly label: string;
  readonly children: ReactNode;
}

/** Text of any length in a box that scrolls, by keyboard too: for that the focus has to get into it. */
export function ScrollingText({ className, label, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and holds nothing to press can't be read by keyboard otherwise.
    <section className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
