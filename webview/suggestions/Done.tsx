import type { SuggestionsView } from '../../src/inspector/protocol/suggestions';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';

interface Props {
  readonly done: SuggestionsView['done'];
  readonly onUndo: (id: string) => void;
}

/** The suggestions that were applied in this session, each with Undo. */
export function Done({ done, onUndo }: Props) {
  const { t } = useText();
  return (
    <>
      {/* Announces the suggestion that was applied last, since it has disappeared from the list. */}
      <output className="sr" aria-live="polite">
        {done[0]?.text}
      </output>
      <ul aria-label={t('suggest.done')} hidden={done.length === 0}>
        {done.map(({ id, text }) => (
          <li className="sug" key={id}>
            <p className="what">
              <Codicon name="pass" tone="ok" /> {text}
            </p>
            <div className="acts">
              <button
                type="button"
                className="link"
                aria-label={t('suggest.undoOf', { text })}
                onClick={() => onUndo(id)}
              >
                {t('suggest.undo')}
              </button>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
