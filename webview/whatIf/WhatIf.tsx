import { useEffect, useRef, useState } from 'react';
import type { ViewState } from '../../src/inspector/protocol/view';
import type { WhatIfView } from '../../src/inspector/protocol/whatIf';
import { useReadOnly, useText } from '../hooks';
import { Toggle } from '../parts/Toggle';
import type { Store } from '../store';
import { Done } from '../suggestions/Done';
import { LeftOut } from './LeftOut';
import { Ranks } from './Ranks';
import { Rows } from './Rows';

interface Props {
  readonly state: ViewState;
  readonly table?: WhatIfView;
  readonly store: Store;
}

/**
 * The section that shows the session's turns under other settings. The host replays them while the section is visible.
 */
export function WhatIf({ state, table, store }: Props) {
  const { t, n } = useText();
  const readOnly = useReadOnly();
  const page = useRef<HTMLDivElement>(null);
  const [all, setAll] = useState(false);
  const [eager, setEager] = useState<readonly string[]>();
  const [turn, setTurn] = useState<number>();
  const { delivery, strategy } = state.header;
  const done = state.suggestions?.done ?? [];
  // Everything that a replay depends on, besides the user's choices here.
  const about = JSON.stringify([state.revision, state.turns[0], delivery, strategy, done.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it is about is asked for again.
  useEffect(() => {
    store.askWhatIf({ all, ...(eager && { eager: [...eager] }) });
    return store.stopWhatIf;
  }, [all, eager, about, store]);
  if (!table)
    return (
      <p className="whatif said" role="status">
        {t('whatIf.running')}
      </p>
    );
  const { rows, turns, running } = table;
  /** The button disappears, so the focus moves to the section. */
  const act: Store['suggest'] = (...what) => {
    page.current?.focus();
    store.suggest(...what);
  };
  const chosen = turns.some((each) => each.turn === turn) ? turn : undefined;
  const isEager = rows.flatMap(({ change }) => (change.kind === 'eager' ? change.tools : []));
  return (
    <div className="whatif sugs" ref={page} tabIndex={-1} aria-busy={running}>
      {turns.length === 0 ? (
        <div className="hello">
          <h2>{t('whatIf.none')}</h2>
          <p className="dim">{t('whatIf.noneWhy')}</p>
        </div>
      ) : (
        <>
          <p className="said">
            {n('whatIf.intro', turns.length)} <span className="dim">{t('whatIf.estimated')}</span>
          </p>
          <div className="bar">
            <label>
              {t('whatIf.turns')}{' '}
              <select value={chosen ?? ''} onChange={({ target }) => setTurn(Number(target.value) || undefined)}>
                <option value="">{t('whatIf.allTurns')}</option>
                {turns.map((each) => (
                  <option key={each.turn} value={each.turn}>
                    {each.turn}: {each.prompt}
                  </option>
                ))}
              </select>
            </label>
            {(all || table.earlier > 0) && (
              <Toggle
                label={t('whatIf.range')}
                options={[
                  ['last', t('whatIf.last', { n: 20 })],
                  ['all', t('whatIf.session')],
                ]}
                value={all ? 'all' : 'last'}
                onChange={(range) => setAll(range === 'all')}
              />
            )}
            <span className="dim" role="status">
              {running ? t('whatIf.running') : ''}
            </span>
          </div>
          <Rows table={table} turn={chosen} onApply={readOnly ? undefined : (id) => act('apply', `whatIf ${id}`)} />
        </>
      )}
      <Done done={done} onUndo={(id) => act('undo', id)} />
      <Ranks rankedBy={table.rankedBy} ranks={table.ranks} eager={isEager} onEager={setEager} />
      <LeftOut turns={table.leftOut} />
    </div>
  );
}
