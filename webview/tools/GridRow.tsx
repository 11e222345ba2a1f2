import { memo } from 'react';
import { useText } from '../hooks';
import { Cell } from './Cell';
import { COLUMNS, type Column, classOf } from './columns';
import { type FrameProps, RowFrame } from './RowFrame';
import type { GridContext, Row, RowOf } from './row';

interface Props extends Omit<FrameProps, 'level'> {
  readonly row: Exclude<Row, RowOf<'detail'>>;
  readonly grid: GridContext;
}

/** The row of all tools, of a server or of a tool, with a cell for each column. */
export const GridRow = memo(function GridRow({ row, grid, ...frame }: Props) {
  const text = useText();
  const context = { ...grid, active: frame.active };
  function draw({ all, server, tool }: Column) {
    if (row.kind === 'all') return all?.(row, text, context);
    return row.kind === 'server' ? server?.(row, text, context) : tool?.(row, text, context);
  }
  const tool = row.kind === 'tool' ? row.tool : undefined;
  return (
    <RowFrame
      {...frame}
      level={row.level}
      className={`tr ${classOfRow(row)}`}
      expanded={row.kind === 'all' ? undefined : row.open}
      menu={tool && { webviewSection: 'tool', tool: tool.id }}
    >
      {COLUMNS.map((column) => (
        <Cell key={column.id} className={classOf(column, column.className)} title={tool && column.hover?.(tool)}>
          {draw(column)}
        </Cell>
      ))}
    </RowFrame>
  );
});

function classOfRow(row: Props['row']): string {
  if (row.kind === 'tool') return `t l${row.level} ${row.open ? 'open' : ''}`;
  return row.kind === 'all' ? 'all' : 's';
}
