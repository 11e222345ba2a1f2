import type { AnyPinTarget } from '../../src/inspector/protocol/requests';
import type { Pin } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { type Kind, Swatch } from '../parts/Swatch';
import type { CellContext } from './row';

const PINS: readonly Pin[] = ['auto', 'eager', 'deferred', 'off'];
const PINNED: readonly (readonly [Pin, Kind])[] = [
  ['eager', 'eager'],
  ['deferred', 'avoided'],
  ['off', 'none'],
];

interface Props extends Pick<CellContext, 'active' | 'store'> {
  readonly target: AnyPinTarget;
  readonly value: Pin;
}

/** Radio buttons for a pin. They are in the same columns at every level, so that differences are easy to see. */
export function PinRadios({ target: { kind, id }, value, active, store }: Props) {
  const { t } = useText();
  const label = kind === 'all' ? t('tools.pinOfAll') : t('tools.pinOf', { name: id });
  return (
    <div className="tri" role="radiogroup" aria-label={label}>
      {/* The mode can't hide tools. */}
      {PINS.filter((pin) => kind !== 'all' || pin !== 'off').map((pin) => (
        <input
          key={pin}
          type="radio"
          name={`pin ${kind} ${id}`}
          value={pin}
          aria-label={t(`pin.${pin}`)}
          title={t(`pin.${pin}`)}
          tabIndex={active ? 0 : -1}
          checked={pin === value}
          onChange={() => store.pin({ kind, id }, pin)}
        />
      ))}
    </div>
  );
}

/** The heads of the radio buttons. */
export function PinHead() {
  const { t } = useText();
  return (
    <div className="tri">
      <span>{t('pin.auto')}</span>
      {PINNED.map(([pin, kind]) => (
        <span key={pin} title={t(`pin.${pin}`)}>
          <span className="wide">{t(`pin.${pin}`)}</span>
          {/* The swatches are the same as in the legend. */}
          <span className="narrow">
            <Swatch kind={kind} />
          </span>
        </span>
      ))}
    </div>
  );
}
