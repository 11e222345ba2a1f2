import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ToolDetail, TriedView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { ScrollingText } from '../parts/ScrollingText';

type TryArgument = ToolDetail['args'][number];

interface Props {
  readonly detail: ToolDetail;
  /** The last run; undefined while the tool runs. */
  readonly run?: TriedView;
  readonly running: boolean;
  readonly onTry: (id: string, input: { readonly [name: string]: unknown }) => void;
}

/** A form for a tool's arguments, made from its schema, which runs the tool. */
export function TryForm({ detail, run, running, onTry }: Props) {
  const { t } = useText();
  const [values, setValues] = useState<{ readonly [name: string]: string }>({});
  const [wrong, setWrong] = useState<string>();
  const result = useRef<HTMLDivElement>(null);
  const ran = useRef(running);
  useEffect(() => {
    // A call without an answer yet has no result to show.
    if (ran.current && !running) result.current?.focus();
    ran.current = running;
  }, [running]);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (running) return;
    const input: { [name: string]: unknown } = {};
    for (const argument of detail.args) {
      const { name, required } = argument;
      const value = values[name] ?? '';
      if (value === '') {
        if (required) return setWrong(t('try.required', { name }));
        continue;
      }
      try {
        input[name] = parseValue(argument, value);
      } catch (error) {
        return setWrong(t('try.notJson', { name, message: error instanceof Error ? error.message : String(error) }));
      }
    }
    setWrong(undefined);
    onTry(detail.id, input);
  }
  return (
    <form className="tryform" onSubmit={submit}>
      {detail.args.map((argument) => (
        <Field
          key={argument.name}
          id={`${detail.id} ${argument.name}`}
          argument={argument}
          value={values[argument.name] ?? ''}
          onChange={(value) => setValues({ ...values, [argument.name]: value })}
        />
      ))}
      <p className="dim">{t('try.why')}</p>
      <button type="submit" className="btn" aria-disabled={running}>
        {t(running ? 'try.running' : 'try.run')}
      </button>
      <div role="status" ref={result} tabIndex={-1}>
        {wrong !== undefined && <p className="bad">{wrong}</p>}
        {run && (
          <>
            <p>
              <b>{t('try.result')}</b> {t(run.outcome === 'ok' ? 'timeline.succeeded' : `flag.${run.outcome}`)}
            </p>
            <ScrollingText className="script-text" label={t('try.result')}>
              {run.output}
            </ScrollingText>
          </>
        )}
      </div>
    </form>
  );
}

interface FieldProps {
  readonly id: string;
  readonly argument: TryArgument;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** An input for one argument, by its type. An argument without a simple type gets a field for JSON. */
function Field({ id, argument, value, onChange }: FieldProps) {
  const { t } = useText();
  const { name, type, required, description } = argument;
  const options = type === 'boolean' ? ['true', 'false'] : argument.values;
  const attributes = { id, value, 'aria-required': required, title: description };
  const isText = type === 'string' || isNumber(type);
  return (
    <div className="field">
      <label htmlFor={id}>
        {name}
        {required && <span aria-hidden="true"> *</span>}{' '}
        <span className="dim">{options || isText ? type : `${type}, ${t('try.json')}`}</span>
      </label>
      {options ? (
        <select {...attributes} onChange={(event) => onChange(event.target.value)}>
          <option value="">{t('try.unset')}</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : isText ? (
        <input
          {...attributes}
          type="text"
          inputMode={isNumber(type) ? 'decimal' : undefined}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <textarea {...attributes} rows={2} spellCheck={false} onChange={(event) => onChange(event.target.value)} />
      )}
    </div>
  );
}

function isNumber(type: string): boolean {
  return type === 'number' || type === 'integer';
}

/** Returns the argument's value from the text. Throws if the type needs JSON and the text isn't valid JSON. */
function parseValue({ type, values }: TryArgument, text: string): unknown {
  return type === 'string' || values ? text : JSON.parse(text);
}
