import { useRef } from 'react';
import type { SuggestionGroup, SuggestionsView } from '../../src/inspector/protocol/suggestions';
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

/** Suggestions that make the session cheaper. Each has a reason, a saving, and a button that applies it. */
export function Suggestions({ state, store }: Props) {
  const { t, n } = useText();
  const { suggestions } = state;
  const list = useRef<HTMLDivElement>(null);
  if (!suggestions) return null;
  const { items, more, dismissed } = suggestions;
  /** The clicked item disappears, so the focus moves to the section. */
  const act: Store['suggest'] = (...what) => {
    list.current?.focus();
    store.suggest(...what);
  };
  return (
    <div className="sugs" ref={list} tabIndex={-1}>
      {items.length === 0 && <Nothing suggestions={suggestions} />}
      {GROUPS.map((group) => {
        const own = items.filter((item) => item.group === group);
        if (own.length === 0) return null;
        return (
          <section key={group} aria-labelledby={`sug-${group}`}>
            <h2 id={`sug-${group}`}>{t(`suggest.group.${group}`)}</h2>
            <ul>
              {own.map((item) => (
                <Item key={item.id} item={item} onAct={act} />
              ))}
            </ul>
          </section>
        );
      })}
      <Done done={suggestions.done} onUndo={(id) => act('undo', id)} />
      <div className="rest dim">
        {more > 0 && <p>{n('suggest.more', more)}</p>}
        {items.length > 0 && <Waiting suggestions={suggestions} />}
        {dismissed > 0 && (
          <p>
            {n('suggest.dismissed', dismissed)}{' '}
            <button type="button" className="link" onClick={() => act('restore', '')}>
              {t('suggest.restore')}
            </button>
          </p>
        )}
      </div>
    </div>
  );
}

/** The text if there is no suggestion, because there is nothing to suggest or because it is too early. */
function Nothing({ suggestions }: { readonly suggestions: SuggestionsView }) {
  const { t, n } = useText();
  const { turns } = suggestions;
  const waiting = turns.seen < turns.needed;
  return (
    <div className="hello">
      <h2>{t(waiting ? 'suggest.waiting' : 'suggest.nothing')}</h2>
      {!waiting && <p className="dim">{t('suggest.nothingWhy', { turns: n('count.turns', turns.seen) })}</p>}
      <Waiting suggestions={suggestions} />
    </div>
  );
}

function Waiting({ suggestions: { turns } }: { readonly suggestions: SuggestionsView }) {
  const { n } = useText();
  return turns.seen < turns.needed && <p>{n('suggest.waitTurns', turns.needed - turns.seen)}</p>;
}
