import type { Pin } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';

const PINS: readonly Pin[] = ['auto', 'eager', 'deferred', 'off'];

interface Props {
  /** The group's accessible name. */
  readonly label: string;
  /** The inputs' name, unique in the page. */
  readonly name: string;
  readonly value: Pin;
  /** Whether to leave out `off`, since the mode can't hide tools. */
  readonly withoutOff?: boolean;
  /** Whether the buttons are tab stops. Only the active row's are. */
  readonly tabbable: boolean;
  readonly onChange: (pin: Pin) => void;
}

/** Radio buttons for a pin. They are in the same columns at every level, so that differences are easy to see. */
export function PinRadios({ label, name, value, withoutOff, tabbable, onChange }: Props) {
  const { t } = useText();
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
          onChange={() => onChange(pin)}
        />
      ))}
    </div>
  );
}
