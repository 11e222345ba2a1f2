import type { PlayQuestion, SuggestRequest } from '../../src/inspector/protocol/requests';
import type { SuggestionGroup, SuggestionView } from '../../src/inspector/protocol/suggestions';
import { useReadOnly, useText } from '../hooks';
import { Codicon } from '../parts/Codicon';

const ICONS: { readonly [group in SuggestionGroup]: string } = {
  pins: 'pinned',
  unused: 'archive',
  finding: 'search-stop',
  settings: 'settings-gear',
  idle: 'server',
};

interface Props {
  readonly item: SuggestionView;
  readonly onAct: (act: SuggestRequest['act'], id: string) => void;
  readonly onLook: (question: PlayQuestion) => void;
}

/**
 * One suggestion: its text, its reason, its saving with the arithmetic, and the button that applies it. An exported
 * session has no buttons.
 */
export function Item({ item, onAct, onLook }: Props) {
  const text = useText();
  const { t } = text;
  const readOnly = useReadOnly();
  const { id, title, subject, evidence, sums, saving, benefit, action, look } = item;
  const click = readOnly ? undefined : action;
  const at = title.indexOf(subject);
  return (
    <li className="sug">
      <Codicon name={ICONS[item.group]} />
      <div className="what">
        <h3>
          {title.slice(0, at)}
          <b>{subject}</b>
          {title.slice(at + subject.length)}
        </h3>
        <p className="dim">{evidence}</p>
        {sums.length > 0 && (
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
        {click !== undefined && (
          <button
            type="button"
            className="btn two"
            aria-label={`${click}: ${title}`}
            onClick={() => onAct('apply', id)}
          >
            {click}
          </button>
        )}
        {look && (
          <button
            type="button"
            className={click === undefined ? 'btn two' : 'icon'}
            title={t('play.again')}
            aria-label={`${t('play.again')}: ${title}`}
            onClick={() => onLook(look)}
          >
            {click === undefined ? t('play.again') : <Codicon name="beaker" />}
          </button>
        )}
        {!readOnly && (
          <button
            type="button"
            className="icon"
            title={t('suggest.dismiss')}
            aria-label={t('suggest.dismissOf', { title })}
            onClick={() => onAct('dismiss', id)}
          >
            <Codicon name="close" />
          </button>
        )}
      </div>
    </li>
  );
}
