import type { EventView, HitView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { MarkedText } from './MarkedText';

const BAR_PX = 40;

interface Props {
  readonly search: EventView & { kind: 'search' };
  /** The ids of the tools that the turn called; empty while it runs. */
  readonly called: ReadonlySet<string>;
}

/** The hits of a search, best first. The hits below the dashed line weren't returned to the model. */
export function Hits({ search, called }: Props) {
  const { t } = useText();
  const best = Math.max(...search.hits.map((hit) => hit.score), Number.EPSILON);
  const cut = search.hits.findIndex((hit) => !hit.returned);
  return (
    <table className="hits">
      <caption className="sr">{t('timeline.hits')}</caption>
      <colgroup>
        <col className="rk" />
        <col className="sc" />
        <col />
        <col className="st" />
      </colgroup>
      <thead className="sr">
        <tr>
          <th scope="col">{t('timeline.rank')}</th>
          <th scope="col">{t('timeline.score')}</th>
          <th scope="col">{t('tools.name')}</th>
          <th scope="col">{t('timeline.state')}</th>
        </tr>
      </thead>
      <tbody>
        {search.hits.map((hit, index) => (
          <Hit
            key={hit.id}
            hit={hit}
            called={hit.returned && called.has(hit.id)}
            width={(Math.max(0, hit.score) / best) * BAR_PX}
            limit={index === cut ? search.limit : undefined}
          />
        ))}
      </tbody>
    </table>
  );
}

interface HitProps {
  readonly hit: HitView;
  readonly called: boolean;
  /** The width of the score's bar, in pixels. */
  readonly width: number;
  /** Set on the first hit that the limit cut off. */
  readonly limit?: number | undefined;
}

function Hit({ hit, called, width, limit }: HitProps) {
  const { t, number, percent } = useText();
  return (
    <tr className={`${limit === undefined ? '' : 'cut'} ${hit.returned ? '' : 'below'} ${called ? 'used' : ''}`}>
      <td className="rk">{number(hit.rank)}</td>
      <td className="sc">
        <span className="inbar" style={{ width }} />
        {/* A provider's own search returns tools without scores. */}
        {hit.score > 0 && number(hit.score, 2)}
      </td>
      <td title={hit.id}>
        <span className="srv">{hit.server}/</span>
        <MarkedText text={hit.name} terms={hit.terms} />
      </td>
      <td className="st">
        {hit.returned ? (
          t(called ? 'timeline.used' : 'timeline.returned')
        ) : (
          <>
            {hit.weak ? (
              <span title={t('play.weak', { score: percent(hit.weak.score), covered: percent(hit.weak.covered) })}>
                {t('timeline.weaker')}
              </span>
            ) : (
              limit !== undefined && <span aria-hidden="true">{t('timeline.limit', { n: limit })}</span>
            )}
            <span className="sr">{t('timeline.below')}</span>
          </>
        )}
      </td>
    </tr>
  );
}
