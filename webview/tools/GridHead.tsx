import type { ReactNode } from 'react';
import { useText } from '../hooks';
import type { Nav, SortKey } from '../nav';
import { Codicon } from '../parts/Codicon';
import { type Kind, Swatch } from '../parts/Swatch';
import { HeadCell } from './Cell';

const PINNED: readonly (readonly ['pin.eager' | 'pin.deferred' | 'pin.off', Kind])[] = [
  ['pin.eager', 'eager'],
  ['pin.deferred', 'avoided'],
  ['pin.off', 'none'],
];

interface Props {
  readonly sort: Nav['sort'];
  /** Whether some sizes are estimates. The column's head shows that once for all rows. */
  readonly estimated: boolean;
  readonly onSort: (sort: Nav['sort']) => void;
}

/** The heads of the columns. Four of them sort. */
export function GridHead({ sort, estimated, onSort }: Props) {
  const { t } = useText();
  const column = (key: SortKey, className: string, label: string) => (
    <SortHead sort={sort} sortKey={key} className={className} onSort={onSort}>
      {label}
    </SortHead>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: as for the other rows.
    <div role="row" className="tr h" aria-rowindex={1} tabIndex={-1}>
      {column('name', '', t('tools.name'))}
      {column('tokens', 'num', estimated ? `≈ ${t('tools.tokens')}` : t('tools.tokens'))}
      <HeadCell className="tri" label={t('tools.setting')}>
        <span>{t('pin.auto')}</span>
        {PINNED.map(([pin, kind]) => (
          <span key={pin} title={t(pin)}>
            <span className="wide">{t(pin)}</span>
            {/* The swatches are the same as in the legend. */}
            <span className="narrow">
              <Swatch kind={kind} />
            </span>
          </span>
        ))}
      </HeadCell>
      {column('loading', 'c-lo', t('tools.loading'))}
      <HeadCell className="c-why">{t('tools.reason')}</HeadCell>
      <HeadCell className="c-at">{t('tools.discoveredAt')}</HeadCell>
      {column('calls', 'c-n num', t('tools.calls'))}
    </div>
  );
}

interface SortHeadProps {
  readonly sort: Nav['sort'];
  readonly sortKey: SortKey;
  readonly className: string;
  readonly onSort: (sort: Nav['sort']) => void;
  readonly children: ReactNode;
}

/**
 * A head that sorts by its column. The first click sorts names upwards and numbers downwards, which is mostly wanted.
 */
function SortHead({ sort, sortKey, className, onSort, children }: SortHeadProps) {
  const on = sort.key === sortKey;
  const first = sortKey === 'tokens' || sortKey === 'calls';
  return (
    <HeadCell className={className} sorted={on ? (sort.descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" onClick={() => onSort({ key: sortKey, descending: on ? !sort.descending : first })}>
        {children}
        {on && <Codicon name={sort.descending ? 'arrow-down' : 'arrow-up'} />}
      </button>
    </HeadCell>
  );
}
