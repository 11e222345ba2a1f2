import type { PlayColumn, PlayHit } from '../../src/inspector/protocol/playground';
import type { Standing } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { MarkedText } from '../timeline/MarkedText';
import { NothingFound } from './NothingFound';
import { RankLines } from './RankLines';
import { moveOf } from './ranks';
import type { HitPlace } from './useHitKeys';

interface Props {
  readonly index: number;
  readonly column: PlayColumn;
  /** The column on the left. Lines connect its ranks with this column's. */
  readonly before?: PlayColumn;
  /** The column of the strategy in use. */
  readonly against: PlayColumn;
  readonly loading: ReadonlyMap<string, Standing>;
  /** Id of the tool whose ranks are highlighted in all columns. */
  readonly selected?: string;
  readonly isActive: (column: number, row: number) => boolean;
  readonly onFocus: (place: HitPlace) => void;
  readonly onSelect: (id: string) => void;
}

/** The hits of one strategy, best first. A model doesn't get the hits below the dashed line. */
export function Column({ index, column, before, against, loading, selected, isActive, onFocus, onSelect }: Props) {
  const text = useText();
  const { t } = text;
  const { strategy, hits } = column;
  return (
    <section className="col" aria-label={strategy}>
      <h2>
        {strategy} {column.inUse && <span className="dim">{t('play.inUse')}</span>}
      </h2>
      <p className="sub">
        {column.running ? t('play.searching') : column.error === undefined && matched(column, text)}
      </p>
      <div className="list">
        {before && <RankLines left={before.hits} right={hits} selected={selected} />}
        {hits.length > 0 && (
          <ol aria-label={t('play.hits', { strategy })}>
            {hits.map((hit, row) => (
              <Hit
                key={hit.id}
                hit={hit}
                against={column.inUse ? undefined : against}
                loading={loading.get(hit.id)}
                cut={row === column.returned}
                selected={hit.id === selected}
                tabbable={isActive(index, row)}
                at={`${index} ${row}`}
                onFocus={() => onFocus({ column: index, row })}
                onSelect={() => onSelect(hit.id)}
              />
            ))}
          </ol>
        )}
        <NothingFound column={column} />
      </div>
    </section>
  );
}

function matched({ ms, matched, searched }: PlayColumn, text: ReturnType<typeof useText>): string {
  return text.t('play.matched', { time: text.duration(ms), matched, searched });
}

interface HitProps {
  readonly hit: PlayHit;
  readonly against?: PlayColumn;
  readonly loading?: Standing;
  /** Whether this is the first hit that a model wouldn't get. */
  readonly cut: boolean;
  readonly selected: boolean;
  readonly tabbable: boolean;
  readonly at: string;
  readonly onFocus: () => void;
  readonly onSelect: () => void;
}

function Hit({ hit, against, loading, cut, selected, tabbable, at, onFocus, onSelect }: HitProps) {
  const text = useText();
  const { t, number } = text;
  const move = against && moveOf(hit.id, hit.rank, against, text);
  return (
    <li className={cut ? 'cut' : ''}>
      <button
        type="button"
        className="hit"
        aria-pressed={selected}
        title={hit.id}
        tabIndex={tabbable ? 0 : -1}
        data-hit={at}
        onFocus={onFocus}
        onClick={onSelect}
      >
        <span className="rk">{number(hit.rank)}</span>
        <span className="who">
          <span className="name">
            <MarkedText text={hit.name} terms={hit.terms} />
          </span>
          <span className="from">
            {hit.server}
            {loading === 'deferred' ? (
              <span className="sr"> · {t('loading.deferred')}</span>
            ) : (
              loading && ` · ${t(`loading.${loading}`)}`
            )}
            {hit.named && ` · ${t('play.named')}`}
            {hit.weak && ` · ${t('play.weaker')}`}
          </span>
        </span>
        <span className="fig">
          {hit.score !== undefined && <span>{number(hit.score, 2)}</span>}
          {move && (
            <span className="mv">
              <span aria-hidden="true">
                {move.sign === 'new' ? t('play.new') : move.sign} {move.by > 0 && number(move.by)}
              </span>
              <span className="sr">{move.words}</span>
            </span>
          )}
        </span>
      </button>
      {cut && <span className="sr">{t('timeline.below')}</span>}
    </li>
  );
}
