import type { ReactNode } from 'react';

interface Props {
  readonly className?: string;
  readonly title?: string;
  readonly children?: ReactNode;
}

/**
 * A cell of the grid. It isn't a `td`, because rows of a virtual grid are positioned one by one, which table elements
 * can't be.
 */
export function Cell({ className, title, children }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above.
    // biome-ignore lint/a11y/useFocusableInteractive: rows take the focus, and the controls in them.
    <div className={className} role="gridcell" title={title}>
      {children}
    </div>
  );
}

interface HeadProps {
  readonly className?: string;
  readonly label?: string;
  readonly sorted?: 'ascending' | 'descending' | 'none';
  readonly children: ReactNode;
}

export function HeadCell({ className, label, sorted, children }: HeadProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as for a cell.
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it takes the focus.
    <div className={className} role="columnheader" aria-label={label} aria-sort={sorted}>
      {children}
    </div>
  );
}
