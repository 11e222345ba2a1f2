import type { PlayBonus, PlayColumn, PlayHit } from '../../src/inspector/protocol/playground';
import { useText } from '../hooks';

const BAR_PX = 48;

/** The parts of a score other than words, by their usual weight. Tools that the query names come before all others. */
const BONUSES: readonly PlayBonus[] = ['named', 'nameCoverage', 'queryCoverage', 'serverFit', 'serverNamed'];

interface Props {
  readonly column: PlayColumn;
  readonly words: NonNullable<PlayColumn['words']>;
  /** Id of the tool that is compared with the first hit. If it isn't among the hits, the second hit is compared. */
  readonly selected?: string;
}

/** The parts of the first hit's score next to those of another hit. In each hit, the parts add up to the score. */
export function ScoreParts({ column, words, selected }: Props) {
  const { t, number, percent } = useText();
  const [first, second] = column.hits;
  if (!first) return null;
  const other = column.hits.find((hit) => hit.id === selected && hit !== first) ?? second;
  const shown = other ? [first, other] : [first];
  // The bonus for being named exceeds all others together, so its bar is drawn only as long as the longest of these.
  const others = BONUSES.filter((bonus) => bonus !== 'named');
  const most = Math.max(
    ...shown.flatMap((hit) => [
      ...(hit.parts?.words.map((part) => part.adds) ?? []),
      ...others.map((bonus) => bonusOf(hit, bonus)),
    ]),
  );
  const cell = (hit: PlayHit, adds: number, via?: string, isSearchWord?: boolean) => (
    <td className="num" key={hit.id}>
      {via !== undefined && <span className="dim">{t('play.via', { word: via })} </span>}
      {isSearchWord && <span className="dim">{t('play.searchWord')} </span>}
      {adds > 0 && (
        <>
          <span className="inbar" style={{ width: Math.min(1, adds / most) * BAR_PX }} />
          {number(adds, 2)}
        </>
      )}
    </td>
  );
  const working = words.filter(({ word }) => shown.some((hit) => partOf(hit, word)));
  const idle = words.filter((one) => !working.includes(one));
  const bonuses = BONUSES.filter((bonus) => shown.some((hit) => bonusOf(hit, bonus) > 0));
  return (
    <section className="explain" aria-labelledby={`why-${column.strategy}`}>
      <h2 id={`why-${column.strategy}`}>
        {other ? t('play.why', { first: first.id, second: other.id }) : t('play.whyOne', { first: first.id })}
      </h2>
      <table className="ranks">
        <thead>
          <tr>
            <th scope="col">{t('play.whyWord')}</th>
            <th scope="col" className="num">
              {t('play.inTools')}
            </th>
            {shown.map((hit) => (
              <th scope="col" className="num" key={hit.id} title={hit.id}>
                {hit.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {working.map(({ word, tools }) => (
            <tr key={word}>
              <th scope="row">
                <mark>{word}</mark>
              </th>
              <td className="num">{number(tools)}</td>
              {shown.map((hit) => {
                const part = partOf(hit, word);
                return cell(hit, part?.adds ?? 0, part?.via, part?.isSearchWord);
              })}
            </tr>
          ))}
          {bonuses.map((bonus) => (
            <tr key={bonus}>
              <th scope="row">{t(`play.bonus.${bonus}`)}</th>
              <td />
              {shown.map((hit) => cell(hit, bonusOf(hit, bonus)))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('timeline.score')}</th>
            <td />
            {shown.map((hit) => (
              <td className="num" key={hit.id}>
                {hit.score !== undefined && number(hit.score, 2)}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
      {shown.map(
        (hit) =>
          hit.weak && (
            <p className="foot" key={hit.id}>
              {hit.name}:{' '}
              {t('play.weak', { score: percent(below(hit.weak.score)), covered: percent(below(hit.weak.covered)) })}
            </p>
          ),
      )}
      <p className="foot dim">
        {idle.length > 0 &&
          `${t(other ? 'play.whyIdle' : 'play.whyIdleOne', { words: idle.map(({ word }) => word).join(', ') })} `}
        {column.hits.length > 2 && <span className="wide">{t('play.whySelect')}</span>}
      </p>
    </section>
  );
}

function partOf(hit: PlayHit, word: string) {
  return hit.parts?.words.find((part) => part.word === word);
}

function bonusOf(hit: PlayHit, bonus: PlayBonus): number {
  return hit.parts?.bonuses[bonus] ?? 0;
}

/** Returns whole percents, rounded down, so that 49.8 % isn't shown as the 50 % that would have been enough. */
function below(share: number): number {
  return Math.floor(100 * share) / 100;
}
