import type { RoundView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { PARTS } from '../parts/kinds';
import { Swatch } from '../parts/Swatch';

interface Props {
  readonly round: RoundView;
  /** Opens the round's request and reply in the timeline; absent for an exported session. */
  readonly onOpen?: () => void;
}

/** All parts of the selected round, as numbers. */
export function RoundParts({ round, onOpen }: Props) {
  const { t, tokens, number } = useText();
  const over = round.net.value < 0;
  const difference = { value: Math.abs(round.net.value), certainty: round.net.certainty };
  return (
    <div className="trow tparts">
      <div className="parts">
        {PARTS.map(({ kind, part, label }) => (
          <span key={kind}>
            <Swatch kind={kind} />
            {t(label)} <b>{tokens(round[part])}</b>
          </span>
        ))}
        <span>
          {!over && <Swatch kind="avoided" />}
          {t(over ? 'turns.overPart' : 'kind.avoided')} <b>{tokens(difference)}</b>
        </span>
        {round.readAgain && (
          <span>
            {t('column.readAgain')} <b>{tokens(round.readAgain)}</b>
          </span>
        )}
        {round.cacheRead !== undefined && (
          <span>
            {t('kind.cache')} <b>{number(round.cacheRead)}</b>
          </span>
        )}
        {onOpen && (
          <button type="button" className="link" onClick={onOpen}>
            {t('exchange.open')}
          </button>
        )}
      </div>
    </div>
  );
}
