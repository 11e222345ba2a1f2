import type { ReactNode, Ref } from 'react';

/** The properties that every row of the grid needs to be found, announced and reached. */
export interface FrameProps {
  /** Index among the rows. */
  readonly index: number;
  readonly level: number;
  /** The one row that is a tab stop. */
  readonly active: boolean;
  /** Pixels from the top of its group; undefined for a row that stays in the flow. */
  readonly top?: number;
}

interface Props extends FrameProps {
  readonly className: string;
  readonly expanded?: boolean;
  /** For VS Code's context menu; see `webview/context` in package.json. */
  readonly menu?: { readonly webviewSection: string; readonly [key: string]: string };
  readonly ref?: Ref<HTMLDivElement>;
  readonly children: ReactNode;
}

/** The header is row 1, so row 0 of ours is the second. */
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
