import { useCallback, useMemo } from 'react';
import type { ToolDetail, TriedView, ViewState } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import type { Nav } from '../nav';
import { NoServers } from '../states/Empty';
import { ServerList } from '../states/ServerList';
import type { Store } from '../store';
import { FILTER_ID, FilterBar } from './FilterBar';
import type { Row } from './row';
import { rowsOf, sumsOf } from './rows';
import { ToolGrid } from './ToolGrid';

interface Props {
  readonly state: ViewState;
  readonly receivedAt: number;
  readonly details: ReadonlyMap<string, ToolDetail>;
  readonly tried: ReadonlyMap<string, TriedView | undefined>;
  readonly nav: Nav;
  readonly store: Store;
  readonly scroller: HTMLElement | null;
}

/** All tools with their size, loading and reason. Servers that need attention are shown above them. */
export function Tools({ state, receivedAt, details, tried, nav, store, scroller }: Props) {
  const { t } = useText();
  const { tools, servers } = state;
  const laidOut = useMemo(() => rowsOf(tools, servers, nav), [tools, servers, nav]);
  const sets = useMemo(() => sumsOf(tools).loading, [tools]);
  const unwell = servers.filter(
    ({ state, problems }) => state === 'starting' || (state !== 'failed' && problems.length > 0),
  );
  const own = servers.filter((server) => !server.editor);
  const shown = state.totals.tools === 0 ? own : unwell;
  const toggle = useCallback(
    (row: Row) => {
      const { closedServers, openTools } = store.getSnapshot().nav;
      if (row.kind === 'server')
        store.navigate({ closedServers: withOrWithout(closedServers, row.server.name, row.open === true) });
      if (row.kind === 'tool') store.navigate({ openTools: withOrWithout(openTools, row.tool.id, !row.open) });
    },
    [store],
  );
  function clear(): void {
    document.getElementById(FILTER_ID)?.focus();
    store.navigate({ filter: '' });
  }
  return (
    <>
      {state.noServers && (
        <div className="hello">
          <NoServers run={store.run} />
        </div>
      )}
      {shown.length > 0 && (
        <ServerList
          servers={servers}
          shown={shown}
          tools={state.totals.tools}
          receivedAt={receivedAt}
          run={store.run}
        />
      )}
      {tools.length > 0 && (
        <>
          <FilterBar
            filter={nav.filter}
            grouped={nav.grouped}
            shown={laidOut.shown}
            sets={sets}
            total={state.totals.tools}
            servers={own.length}
            onFilter={(filter) => store.navigate({ filter, closedServers: [] })}
            onGroup={(grouped) => store.navigate({ grouped })}
            onHide={() => store.run('hideTools')}
          />
          <ToolGrid
            state={state}
            laidOut={laidOut}
            details={details}
            tried={tried}
            nav={nav}
            store={store}
            scroller={scroller}
            onToggle={toggle}
          />
          {laidOut.shown === 0 && (
            <p className="nomatch">
              {t('tools.noMatch', { filter: nav.filter })}{' '}
              <button type="button" className="link" onClick={clear}>
                {t('action.clearFilter')}
              </button>
            </p>
          )}
        </>
      )}
    </>
  );
}

function withOrWithout(list: readonly string[], item: string, included: boolean): readonly string[] {
  return included ? [...list, item] : list.filter((each) => each !== item);
}
