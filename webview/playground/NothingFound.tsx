import type { PlayColumn } from '../../src/inspector/protocol/playground';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';

interface Props {
  readonly column: PlayColumn;
  /** Whether to name the strategy. Not needed inside the strategy's own column. */
  readonly named?: boolean;
}

/** The reason why a strategy found nothing. */
export function NothingFound({ column, named = false }: Props) {
  const { t } = useText();
  const { strategy, error, nearest } = column;
  const name = named && (
    <>
      <b>{strategy}</b>{' '}
    </>
  );
  if (error !== undefined) {
    return (
      <p className="note">
        {name}
        <Codicon name="error" tone="err" /> {error}
      </p>
    );
  }
  if (column.running || column.hits.length > 0) return null;
  return (
    <p className="note dim">
      {name}
      {t('play.nothing')} {nearest.length > 0 && t('play.nearest', { names: nearest.join(', ') })}
    </p>
  );
}
