import type { CostView, SumsView, TurnView, ViewState } from '../../src/inspector/protocol/view';
import type { Text } from '../../src/inspector/text/text';
import { useText } from '../hooks';
import { PARTS } from '../parts/kinds';
import { type Kind, Swatch } from '../parts/Swatch';
import { type Unit, weighedTurn } from '../weigh';

interface Props {
  readonly state: ViewState;
  readonly unit: Unit;
}

/**
 * The newest turn's result at a glance: the saved share, in a sentence and as a bar by kind. The result of the whole
 * session is below it.
 */
export function Headline({ state, unit }: Props) {
  const text = useText();
  const { t, n } = text;
  const { session } = state.header;
  const newest = state.turns.find(({ rounds, baseline }) => rounds.length > 0 || baseline.value > 0);
  if (!newest || !session) return <NoFigures state={state} />;
  const turn = weighedTurn(newest, unit);
  const sums = (unit === 'cost' && session.cost) || session;
  const certainty = turn.sent.certainty === 'measured' ? turn.baseline.certainty : turn.sent.certainty;
  const saved = unit === 'cost' ? 'header.saved' : 'header.kept';
  return (
    <>
      <div className="headline">
        <p className={`big ${turn.net.value < 0 ? 'neg' : ''}`}>
          {t(turn.net.value < 0 ? 'header.more' : saved, { share: text.percent(ratio(turn)) })}
        </p>
        <p className="sentence">
          {sentence(turn, unit, text)} <span className="dim">({t(certainty)})</span>
          <span className="dim asked" title={turn.prompt}>
            {turn.prompt}
          </span>
        </p>
        <p className="session">
          {t(sessionKey(sums, unit), {
            share: text.percent(ratio(sums)),
            tokens: text.number(Math.abs(sums.net.value)),
            cost: session.cost ? costText(session.cost, text) : '',
            turns: n('count.turns', state.totals.turns),
          })}
        </p>
      </div>
      <HeadBar turn={turn} unit={unit} />
    </>
  );
}

/** The headline of a session without figures: no model was asked, or no model has answered yet. */
function NoFigures({ state: { turns } }: Pick<Props, 'state'>) {
  const { t, tokens } = useText();
  const [newest] = turns;
  if (!newest?.withModel) return <p className="big none">{t(newest ? 'header.uncounted' : 'header.none')}</p>;
  const { sent, baseline } = newest.withModel;
  return (
    <p className="sentence">
      {t('header.noModel', { turn: newest.turn, sent: tokens(sent), baseline: tokens(baseline) })}
    </p>
  );
}

/** Returns the turn's figures in a sentence: in US dollars if the list price is known. */
function sentence({ turn, sent, baseline, cost }: TurnView, unit: Unit, { t, number, usd }: Text): string {
  if (unit === 'cost' && cost?.usd)
    return t('header.sentenceUsd', { sent: usd(cost.usd.sent), baseline: usd(cost.usd.baseline), turn });
  return t(unit === 'cost' ? 'header.sentenceCost' : 'header.sentence', {
    sent: number(sent.value),
    baseline: number(baseline.value),
    turn,
  });
}

function sessionKey({ net }: Pick<SumsView, 'net'>, unit: Unit) {
  const more = net.value < 0;
  if (unit === 'cost') return more ? 'header.session.costMore' : 'header.session.saved';
  return more ? 'header.session.more' : 'header.session.kept';
}

/** Returns the difference in a session's cost: in US dollars if all list prices are known. */
function costText({ net, usd }: CostView, { t, number, usd: dollars }: Text): string {
  return usd ? dollars(Math.abs(usd.baseline - usd.sent)) : t('header.fresh', { tokens: number(Math.abs(net.value)) });
}

/** Returns the saved share of the baseline. If more was sent than the baseline, returns the additional share. */
function ratio({ net, baseline }: Pick<SumsView, 'net' | 'baseline'>): number {
  return Math.abs(net.value) / Math.max(1, baseline.value);
}

/** A bar with the sent tokens by kind, and the tokens that were kept out. */
function HeadBar({ turn, unit }: { readonly turn: TurnView; readonly unit: Unit }) {
  const { t, number } = useText();
  const kept: { kind: Kind; label: string; value: number } = {
    kind: 'avoided',
    label: t(unit === 'cost' ? 'column.net' : 'kind.avoided'),
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
      <ul className="legend" aria-label={t(unit === 'cost' ? 'header.partsCost' : 'header.parts', { turn: turn.turn })}>
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
