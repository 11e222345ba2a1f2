import { useText } from '../hooks';
import type { Unit } from '../weigh';
import { Toggle } from './Toggle';

/** Weighs all figures by tokens or by price. */
export function UnitToggle({ unit, onChange }: { readonly unit: Unit; readonly onChange: (unit: Unit) => void }) {
  const { t } = useText();
  return (
    <Toggle
      label={t('turns.unit')}
      options={[
        ['tokens', t('turns.unit.tokens')],
        ['price', t('turns.unit.price')],
      ]}
      value={unit}
      onChange={onChange}
    />
  );
}
