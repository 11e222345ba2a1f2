import { useText } from '../hooks';
import type { Nav } from '../nav';
import { Codicon } from '../parts/Codicon';
import { HeadCell } from './Cell';
import { COLUMNS, type Column, classOf } from './columns';

interface Props {
  readonly sort: Nav['sort'];
  /** Whether some sizes are estimates. The column's head shows that once for all rows. */
  readonly estimated: boolean;
  readonly onSort: (sort: Nav['sort']) => void;
}

/** The heads of the columns. */
export function GridHead({ sort, estimated, onSort }: Props) {
  const { t } = useText();
  return (
    // biome-ignore lint/a11y/useSemanticElements: as for the other rows.
    <div role="row" className="tr h" aria-rowindex={1} tabIndex={-1}>
      {COLUMNS.map((column) =>
        column.sort ? (
          <SortHead key={column.id} column={column} sort={sort} onSort={onSort}>
            {column.id === 'tokens' && estimated ? `≈ ${t(column.title)}` : t(column.title)}
          </SortHead>
        ) : (
          <HeadCell key={column.id} className={classOf(column)} label={t(column.title)}>
            {column.head ?? t(column.title)}
          </HeadCell>
        ),
      )}
    </div>
  );
}

interface SortHeadProps extends Omit<Props, 'estimated'> {
  readonly column: Column;
  readonly children: string;
}

/**
 * A head that sorts by its column. The first click sorts names upwards and numbers downwards, which is mostly wanted.
 */
function SortHead({ column, sort, onSort, children }: SortHeadProps) {
  const { id, numeric = false } = column;
  const on = sort.key === id;
  return (
    <HeadCell className={classOf(column)} sorted={on ? (sort.descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" onClick={() => onSort({ key: id, descending: on ? !sort.descending : numeric })}>
        {children}
        {on && <Codicon name={sort.descending ? 'arrow-down' : 'arrow-up'} />}
      </button>
    </HeadCell>
  );
}
