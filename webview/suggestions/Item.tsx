import type { SuggestRequest } from '../../src/inspector/protocol/requests';
import type { SuggestionView } from '../../src/inspector/protocol/suggestions';
import type { HeaderView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import { amount, signed } from '../verdict';

interface Props {
  readonly item: SuggestionView;
  /** Whether the reason and the arithmetic are shown. */
  readonly whole: boolean;
  readonly header: HeaderView;
  readonly onAct: (act: SuggestRequest['act'], id: string) => void;
}

/**
 * One suggestion: its text, its reason, its saving with the arithmetic, and the button that applies it.
 */
export function Item({ item, whole, header: { unit, session }, onAct }: Props) {
  const text = useText();
  const { t } = text;
  const { id, title, subject, evidence, sums, saving, benefit, action } = item;
  const at = title.indexOf(subject);
  // In dollars, a token costs what it cost on average in this session.
  const price = unit === 'usd' && session?.usd ? session.usd.sent / session.sent.value : 1;
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
                {sums.map(({ label, tokens }) => (
                  <tr key={label}>
                    <th scope="row">{label}</th>
                    <td className="num">{signed(tokens * price, unit, text)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        )}
      </div>
      <div className="gain">
        {saving && t(saving.per, { amount: amount(saving.tokens.value * price, saving.tokens.certainty, unit, text) })}
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
