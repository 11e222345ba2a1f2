import { useRef, useState } from 'react';
import type { SuggestionGroup } from '../../src/inspector/protocol/suggestions';
import type { ViewState } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import type { Store } from '../store';
import { Done } from './Done';
import { Item } from './Item';

interface Props {
  readonly state: ViewState;
  readonly store: Store;
}

const GROUPS: readonly SuggestionGroup[] = ['pins', 'unused', 'idle'];
/** The number of rows before the user asks for all. */
const FEW = 2;

/** Suggestions that make the session cheaper: two rows, and all with their reasons on demand. */
export function Suggestions({ state: { suggestions, header }, store }: Props) {
  const { t, n } = useText();
  const [all, setAll] = useState(false);
  const list = useRef<HTMLElement>(null);
  if (!suggestions) return null;
  const { items, more, done, dismissed } = suggestions;
  if (items.length + done.length + dismissed === 0) return null;
  /** The clicked item disappears, so the focus moves to the section. */
  const act: Store['suggest'] = (...what) => {
    list.current?.focus();
    store.suggest(...what);
  };
  // What was done last takes a row, so that it can be undone at once.
  const lately = all ? done : done.slice(0, 1);
  const shown = all ? items : items.slice(0, FEW - lately.length);
  const hidden = items.length - shown.length;
  return (
    <section className={`sugs ${all ? 'all' : ''}`} aria-labelledby="sugs" ref={list} tabIndex={-1}>
      <h3 id="sugs">{t('suggest.label')}</h3>
      {(all || hidden + dismissed > 0) && (
        <button type="button" className="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('suggest.fewer') : hidden > 0 ? t('suggest.hidden', { n: hidden }) : t('suggest.all')}
        </button>
      )}
      {(all ? GROUPS : [undefined]).map((group) => {
        const own = shown.filter((item) => group === undefined || item.group === group);
        return (
          own.length > 0 && (
            <ul key={group ?? ''} aria-label={group && t(`suggest.group.${group}`)}>
              {all && group && <li className="group-name">{t(`suggest.group.${group}`)}</li>}
              {own.map((item) => (
                <Item key={item.id} item={item} whole={all} header={header} onAct={act} />
              ))}
            </ul>
          )
        );
      })}
      <Done done={lately} onUndo={(id) => act('undo', id)} />
      {all && (
        <div className="rest dim">
          {more > 0 && <p>{t('suggest.more', { n: more })}</p>}
          {dismissed > 0 && (
            <p>
              {n('suggest.dismissed', dismissed)}{' '}
              <button type="button" className="link" onClick={() => act('restore', '')}>
                {t('suggest.restore')}
              </button>
            </p>
          )}
        </div>
      )}
    </section>
  );
}
