import type { Certainty } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';

/**
 * How a number is known: a filled dot for measured, a hollow one for estimated. `bare` keeps the word for screen
 * readers.
 */
export function Mark({ certainty, bare = false }: { readonly certainty: Certainty; readonly bare?: boolean }) {
  const { t } = useText();
  return (
    <span
      className={`m ${certainty === 'measured' ? 'is' : ''} ${bare ? 'bare' : ''}`}
      title={bare ? t(certainty) : undefined}
    >
      {bare ? <span className="sr">{t(certainty)}</span> : t(certainty)}
    </span>
  );
}
