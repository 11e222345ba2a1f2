import { memo } from 'react';
import type { RoundView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import type { Nav, RoundPlace } from '../nav';
import { Mark } from '../parts/Mark';
import { RoundBar } from './RoundBar';
import { RoundParts } from './RoundParts';
import type { Scale } from './scale';

interface Props {
  readonly turn: number;
  readonly round: RoundView;
  readonly scale: Scale;
  readonly explained: boolean;
  readonly selected: boolean;
  readonly onSelect: (round: Nav['round']) => void;
  /** Opens the round's request and reply; absent for an exported session. */
  readonly onExchange?: (round: RoundPlace) => void;
}

/** The height of a row in pixels. */
export const ROUND_HEIGHT = 24;

/**
 * A round's row: its bar and its sums. If selected, its parts follow below. It is drawn again only if one of its props
 * changes.
 */
export const RoundRow = memo(function RoundRow({
  turn,
  round,
  scale,
  explained,
  selected,
  onSelect,
  onExchange,
}: Props) {
  const { t, tokens, net, number } = useText();
  const place = { turn, round: round.round };
  const label = t('turns.roundLabel', {
    turn,
    round: round.round,
    sent: tokens(round.sent),
    baseline: tokens(round.baseline),
    net: net(round.net),
  });
  return (
    <>
      <div className={`trow tround ${selected ? 'sel' : ''}`}>
        <button
          type="button"
          className="r"
          aria-label={label}
          aria-expanded={selected}
          onClick={() => onSelect(selected ? null : place)}
        >
          <span className="wide">{t('round.name', { round: round.round })}</span>
          <span className="narrow">{number(round.round)}</span>
        </button>
        <RoundBar round={round} scale={scale} explained={explained} />
        <span className="num">
          {tokens(round.sent)} <Mark certainty={round.sent.certainty} bare />
        </span>
        <span className="num b">{tokens(round.baseline)}</span>
        <span className={`num ${round.net.value < 0 ? 'neg' : ''}`}>{net(round.net)}</span>
      </div>
      {selected && <RoundParts round={round} onOpen={onExchange && (() => onExchange(place))} />}
    </>
  );
});
