import type { SuggestRequest } from '../../src/inspector/protocol/requests';
import type { SuggestionView } from '../../src/inspector/protocol/suggestions';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';

interface Props {
  readonly item: SuggestionView;
  /** Whether the reason and the arithmetic are shown. */
  readonly whole: boolean;
  readonly onAct: (act: SuggestRequest['act'], id: string) => void;
}

/**
 * One suggestion: its text, its reason, its saving with the arithmetic, and the button that applies it.
 */
export function Item({ item, whole, onAct }: Props) {
  const text = useText();
  const { t } = text;
  const { id, title, subject, evidence, sums, saving, benefit, action } = item;
  const at = title.indexOf(subject);
  return (
    <li className="sug">
      <div className="what">
        <h4>
          {title.slice(0, at)}
          <b>{subject}</b>
          {title.slice(at + subject.length)}
        </h4>
        {whole && <p className="dim">{evidence}</p>}
        {whole && sums.length > 0 && (
          <details>
            <summary>{t('suggest.how')}</summary>
            <table className="sums">
              <caption className="sr">{t('suggest.how')}</caption>
              <tbody>
                {sums.map(({ label, value }) => (
                  <tr key={label}>
                    <th scope="row">{label}</th>
                    <td className="num">{value}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        )}
      </div>
      <div className="gain">
        {saving && (
          <>
            <span className="figure">{text.net(saving.tokens)}</span> <span className="dim">{saving.per}</span>
          </>
        )}
        {benefit !== undefined && <span className="dim">{benefit}</span>}
      </div>
      <div className="acts">
        <button type="button" className="link" aria-label={`${action}: ${title}`} onClick={() => onAct('apply', id)}>
          {action}
        </button>
        <button
          type="button"
          className="icon"
          title={t('suggest.dismiss')}
          aria-label={t('suggest.dismissOf', { title })}
          onClick={() => onAct('dismiss', id)}
        >
          <Codicon name="close" />
        </button>
      </div>
    </li>
  );
}
