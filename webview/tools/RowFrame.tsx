import type { ReactNode, Ref } from 'react';

/** The properties that every row of the grid needs for its position, its announcement and its focus. */
export interface FrameProps {
  /** The row's index among all rows. */
  readonly index: number;
  readonly level: number;
  /** Whether this row is the grid's tab stop. */
  readonly active: boolean;
  /** The distance in pixels from the top of the row's group; undefined for a row in the normal flow. */
  readonly top?: number;
}

interface Props extends FrameProps {
  readonly className: string;
  readonly expanded?: boolean;
  /** Data for VS Code's context menu; see `webview/context` in package.json. */
  readonly menu?: { readonly webviewSection: string; readonly [key: string]: string };
  readonly ref?: Ref<HTMLDivElement>;
  readonly children: ReactNode;
}

/** The `aria-rowindex` of the first row after the header, which is row 1. */
const FIRST_ROW = 2;

export function RowFrame({ index, level, active, top, className, expanded, menu, ref, children }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a virtual grid are placed one by one, which a `tr` can't be.
    <div
      ref={ref}
      role="row"
      className={`${className} ${top === undefined ? '' : 'at'}`}
      data-index={index}
      aria-rowindex={index + FIRST_ROW}
      aria-level={level}
      aria-expanded={expanded}
      tabIndex={active ? 0 : -1}
      data-vscode-context={menu && JSON.stringify({ ...menu, preventDefaultContextMenuItems: true })}
      style={top === undefined ? undefined : { transform: `translateY(${top}px)` }}
    >
      {children}
    </div>
  );
}
