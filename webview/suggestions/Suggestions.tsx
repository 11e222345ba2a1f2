import { useRef } from 'react';
import type { SuggestionGroup, SuggestionsView } from '../../src/inspector/protocol/suggestions';
import type { ViewState } from '../../src/inspector/protocol/view';
import { useReadOnly, useText } from '../hooks';
import type { Store } from '../store';
import { Done } from './Done';
import { Item } from './Item';

interface Props {
  readonly state: ViewState;
  readonly store: Store;
}

const GROUPS: readonly SuggestionGroup[] = ['pins', 'unused', 'settings', 'finding', 'idle'];

/**
 * Suggestions that make the session cheaper or a tool easier to find. Each has a reason, a saving, and a button that
 * applies it.
 */
export function Suggestions({ state, store }: Props) {
  const { t, n } = useText();
  const { suggestions } = state;
  const readOnly = useReadOnly();
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
      {readOnly && items.length > 0 && (
        <p className="said">
          {t('suggest.readOnly')} <span className="dim">{t('suggest.readOnlyWhy')}</span>
        </p>
      )}
      {items.length === 0 && <Nothing suggestions={suggestions} />}
      {GROUPS.map((group) => {
        const own = items.filter((item) => item.group === group);
        if (own.length === 0) return null;
        return (
          <section key={group} aria-labelledby={`sug-${group}`}>
            <h2 id={`sug-${group}`}>{t(`suggest.group.${group}`)}</h2>
            <ul>
              {own.map((item) => (
                <Item key={item.id} item={item} onAct={act} onLook={store.openPlayground} />
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
  const readOnly = useReadOnly();
  const { turns, tools } = suggestions;
  const waiting = tools.checked < tools.total || (turns.seen < turns.needed && !readOnly);
  return (
    <div className="hello">
      <h2>{t(waiting ? 'suggest.waiting' : 'suggest.nothing')}</h2>
      {!waiting && (
        <p className="dim">
          {t('suggest.nothingWhy', { tools: n('count.tools', tools.total), turns: n('count.turns', turns.seen) })}
        </p>
      )}
      <Waiting suggestions={suggestions} />
    </div>
  );
}

function Waiting({ suggestions: { turns, tools } }: { readonly suggestions: SuggestionsView }) {
  const { t, n } = useText();
  const readOnly = useReadOnly();
  return (
    <>
      {tools.checked < tools.total && <p>{t('suggest.waitTools', tools)}</p>}
      {turns.seen < turns.needed && (
        <p>{readOnly ? t('suggest.tooFewTurns', turns) : n('suggest.waitTurns', turns.needed - turns.seen)}</p>
      )}
    </>
  );
}
