import type { SumsView, TurnView, ViewState } from '../../src/inspector/protocol/view';
import type { Text } from '../../src/inspector/text/text';
import { useText } from '../hooks';
import { PARTS } from '../parts/kinds';
import { type Kind, Swatch } from '../parts/Swatch';
import { type Unit, weighedTurn } from '../weigh';

interface Props {
  readonly state: ViewState;
  readonly unit: Unit;
}

/** The result in one look: the share that was kept out, in a sentence, as a bar and by kind; then the session. */
export function Headline({ state, unit }: Props) {
  const text = useText();
  const { t, n } = text;
  const { session } = state.header;
  const newest = state.turns.find(({ rounds, baseline }) => rounds.length > 0 || baseline.value > 0);
  if (!newest || !session)
    return <p className="big none">{t(state.turns.length > 0 ? 'header.uncounted' : 'header.none')}</p>;
  const turn = weighedTurn(newest, unit);
  const sums = (unit === 'price' && session.price) || session;
  const certainty = turn.sent.certainty === 'measured' ? turn.baseline.certainty : turn.sent.certainty;
  return (
    <>
      <div className="headline">
        <p className={`big ${turn.net.value < 0 ? 'neg' : ''}`}>{shareOf(turn, text, 'header.kept', 'header.more')}</p>
        <p className="sentence">
          {t(unit === 'price' ? 'header.sentencePrice' : 'header.sentence', {
            sent: text.number(turn.sent.value),
            baseline: text.number(turn.baseline.value),
            turn: turn.turn,
          })}{' '}
          <span className="dim">({t(certainty)})</span>
          <span className="dim asked" title={turn.prompt}>
            {turn.prompt}
          </span>
        </p>
        <p className="session">
          {t(sums.net.value < 0 ? 'header.session.more' : 'header.session.kept', {
            share: text.percent(ratio(sums)),
            tokens: text.number(Math.abs(sums.net.value)),
            turns: n('count.turns', state.totals.turns),
          })}
        </p>
      </div>
      <HeadBar turn={turn} unit={unit} />
    </>
  );
}

function shareOf(sums: SumsView, text: Text, kept: 'header.kept', more: 'header.more'): string {
  return text.t(sums.net.value < 0 ? more : kept, { share: text.percent(ratio(sums)) });
}

/** Share of the baseline that was saved, or that was sent on top of it. */
function ratio({ net, baseline }: SumsView): number {
  return Math.abs(net.value) / Math.max(1, baseline.value);
}

/** The sent tokens by kind, and the tokens that were kept out. */
function HeadBar({ turn, unit }: { readonly turn: TurnView; readonly unit: Unit }) {
  const { t, number } = useText();
  const kept: { kind: Kind; label: string; value: number } = {
    kind: 'avoided',
    label: t('kind.avoided'),
    value: Math.max(0, turn.net.value),
  };
  const parts = [...PARTS.map(({ kind, part, label }) => ({ kind, label: t(label), value: turn[part].value })), kept];
  const total = Math.max(1, turn.sent.value, turn.baseline.value);
  let end = 0;
  return (
    <>
      <svg className="headbar" aria-hidden="true">
        {parts.map(({ kind, value }) => {
          const x = end;
          end += (value / total) * 100;
          return (
            value > 0 && (
              <rect key={kind} className={`seg ${kind}`} x={`${x}%`} y=".5" width={`${end - x}%`} height="13" />
            )
          );
        })}
        {turn.net.value < 0 && (
          <rect className="base" x={`${(turn.baseline.value / total) * 100}%`} width="2" height="14" />
        )}
      </svg>
      <ul
        className="legend"
        aria-label={t(unit === 'price' ? 'header.partsPrice' : 'header.parts', { turn: turn.turn })}
      >
        {parts.map(({ kind, label, value }) => (
          <li key={kind}>
            <Swatch kind={kind} />
            {label}&nbsp;<b>{number(value)}</b>
            <span className="sr"> {t('header.unit')}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
