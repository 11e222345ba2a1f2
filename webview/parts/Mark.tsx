import type { Certainty } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';

/**
 * Shows whether a number is measured (a filled dot) or estimated (a hollow dot). With `bare`, only screen readers get
 * the word.
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
