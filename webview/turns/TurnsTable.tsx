import type { RoundView, TurnView } from '../../src/inspector/protocol';
import { useText } from '../hooks';
import { Mark } from '../parts/Mark';
import { PARTS } from './kinds';

/** The bars' data as a table, for whoever reads better than looks. */
export function TurnsTable({ turns }: { readonly turns: readonly TurnView[] }) {
  const { t } = useText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
    <section className="scroll" aria-label={t('view.table')} tabIndex={0}>
      <table className="data">
        <caption className="sr">{t('turns.table')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('column.turn')}</th>
            <th scope="col">{t('column.round')}</th>
            {PARTS.map(({ part, label }) => (
              <th key={part} scope="col" className="num">
                {t(label)}
              </th>
            ))}
            <th scope="col" className="num">
              {t('column.sent')}
            </th>
            <th scope="col" className="num">
              {t('column.baseline')}
            </th>
            <th scope="col" className="num">
              {t('column.net')}
            </th>
            <th scope="col" className="num">
              {t('kind.cache')}
            </th>
          </tr>
        </thead>
        {turns.map((turn) => (
          <tbody key={turn.turn}>
            {turn.rounds.map((round) => (
              <TableRow key={round.round} turn={turn} round={round} />
            ))}
            <SumRow turn={turn} />
          </tbody>
        ))}
      </table>
    </section>
  );
}

function TableRow({ turn, round }: { readonly turn: TurnView; readonly round: RoundView }) {
  const { tokens, net, number } = useText();
  return (
    <tr>
      <td>{number(turn.turn)}</td>
      <th scope="row">{number(round.round)}</th>
      {PARTS.map(({ part }) => (
        <td key={part} className="num">
          {tokens(round[part])}
        </td>
      ))}
      <td className="num">
        {tokens(round.sent)} <Mark certainty={round.sent.certainty} bare />
      </td>
      <td className="num">{tokens(round.baseline)}</td>
      <td className="num">{net(round.net)}</td>
      <td className="num">{round.cacheRead === undefined ? '–' : number(round.cacheRead)}</td>
    </tr>
  );
}

function SumRow({ turn }: { readonly turn: TurnView }) {
  const { t, tokens, net, number } = useText();
  return (
    <tr className="sum">
      <td>{number(turn.turn)}</td>
      <th scope="row">{t('turns.sum')}</th>
      {PARTS.map(({ part }) => (
        <td key={part} />
      ))}
      <td className="num">
        {tokens(turn.sent)} <Mark certainty={turn.sent.certainty} bare />
      </td>
      <td className="num">{tokens(turn.baseline)}</td>
      <td className="num">{net(turn.net)}</td>
      <td />
    </tr>
  );
}
