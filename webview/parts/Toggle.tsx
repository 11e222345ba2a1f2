interface Props<Value extends string> {
  readonly label: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A group of buttons, one of which is pressed. */
export function Toggle<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  return (
    <fieldset className="seg-btns" aria-label={label}>
      {options.map(([option, text]) => (
        <button type="button" key={option} aria-pressed={option === value} onClick={() => onChange(option)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
