import type { RoundView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
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
  readonly onToggle: () => void;
  readonly onOpen?: () => void;
}

/** A round's row: its bar and its sums. If selected, its parts follow below. */
export function RoundRow({ turn, round, scale, explained, selected, onToggle, onOpen }: Props) {
  const { t, tokens, net, number } = useText();
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
        <button type="button" className="r" aria-label={label} aria-expanded={selected} onClick={onToggle}>
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
      {selected && <RoundParts round={round} onOpen={onOpen} />}
    </>
  );
}
