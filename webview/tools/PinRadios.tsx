import type { Pin } from '../../src/inspector/protocol/view';
import { useReadOnly, useText } from '../hooks';

const PINS: readonly Pin[] = ['auto', 'eager', 'deferred', 'off'];

interface Props {
  /** The group's label for screen readers. */
  readonly label: string;
  /** Unique in the page. */
  readonly name: string;
  readonly value: Pin;
  /** The mode hides nothing. */
  readonly withoutOff?: boolean;
  /** Only the active row's buttons are tab stops. */
  readonly tabbable: boolean;
  readonly onChange: (pin: Pin) => void;
}

/** The setting, in the same columns at every level, so that a deviation stands out of line. */
export function PinRadios({ label, name, value, withoutOff, tabbable, onChange }: Props) {
  const { t } = useText();
  const readOnly = useReadOnly();
  return (
    <div className="tri" role="radiogroup" aria-label={label}>
      {PINS.filter((pin) => !(withoutOff && pin === 'off')).map((pin) => (
        <input
          key={pin}
          type="radio"
          name={name}
          value={pin}
          aria-label={t(`pin.${pin}`)}
          title={t(`pin.${pin}`)}
          tabIndex={tabbable ? 0 : -1}
          checked={pin === value}
          disabled={readOnly}
          onChange={() => onChange(pin)}
        />
      ))}
    </div>
  );
}
