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
    <section aria-labelledby="sug-done" hidden={done.length === 0}>
      <h2 id="sug-done">{t('suggest.done')}</h2>
      {/* Announces the suggestion that was applied last, since it has disappeared from the list. */}
      <output className="sr" aria-live="polite">
        {done[0]?.text}
      </output>
      <ul>
        {done.map(({ id, text }) => (
          <li className="sug" key={id}>
            <Codicon name="pass" tone="ok" />
            <p className="what">{text}</p>
            <div className="acts">
              <button
                type="button"
                className="btn two"
                aria-label={t('suggest.undoOf', { text })}
                onClick={() => onUndo(id)}
              >
                {t('suggest.undo')}
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
