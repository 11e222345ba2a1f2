import { useMemo, useState } from 'react';
import { createText } from '../src/inspector/text/text';
import { Export } from './export/Export';
import { ReadOnlyContext, TextContext, useStore } from './hooks';
import { Header } from './parts/Header';
import { LiveRegion } from './parts/LiveRegion';
import { Notices } from './parts/Notices';
import { Origin } from './parts/Origin';
import { Patterns } from './parts/Patterns';
import { Tabs } from './parts/Tabs';
import { Toolbar } from './parts/Toolbar';
import { useKeepFocus } from './parts/useKeepFocus';
import { Playground } from './playground/Playground';
import type { Store } from './store';
import { Suggestions } from './suggestions/Suggestions';
import { Timeline } from './timeline/Timeline';
import { Tools } from './tools/Tools';
import { Turns } from './turns/Turns';

/** The whole inspector. Only this component knows the store. */
export function App({ store }: { readonly store: Store }) {
  const { state, receivedAt, details, failures, nav, played, script } = useStore(store);
  useKeepFocus();
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const strings = state?.strings;
  const locale = state?.locale;
  const text = useMemo(() => strings && createText(strings, locale ?? 'en'), [strings, locale]);
  if (!state || !text) return null;
  const starting = state.servers.some((server) => server.state === 'starting');
  return (
    <TextContext value={text}>
      <ReadOnlyContext value={state.origin !== undefined}>
        <Patterns />
        {state.origin && <Origin origin={state.origin} />}
        <Header
          header={state.header}
          starting={starting}
          run={store.run}
          unit={nav.unit}
          onUnit={(unit) => store.navigate({ unit })}
        />
        <nav className="tabs" aria-label={text.t('sectionsAndActions')}>
          <Tabs
            section={nav.section}
            counts={{ ...state.totals, suggestions: state.suggestions?.items.length }}
            onSelect={(section) => store.navigate({ section })}
          />
          {!state.origin && <Toolbar run={store.run} />}
        </nav>
        <Notices notices={state.notices} failures={failures} run={store.run} onDismiss={store.dismissFailures} />
        <main ref={setScroller}>
          <div
            role="tabpanel"
            id="panel"
            aria-labelledby={`tab-${nav.section}`}
            tabIndex={nav.section === 'timeline' ? 0 : -1}
          >
            {nav.section === 'turns' && (
              <Turns state={state} receivedAt={receivedAt} nav={nav} store={store} scroller={scroller} />
            )}
            {nav.section === 'timeline' && <Timeline state={state} nav={nav} store={store} scroller={scroller} />}
            {nav.section === 'tools' && (
              <Tools
                state={state}
                receivedAt={receivedAt}
                details={details}
                nav={nav}
                store={store}
                scroller={scroller}
              />
            )}
            {nav.section === 'suggestions' && <Suggestions state={state} store={store} />}
            {nav.section === 'export' && <Export state={state} store={store} />}
            {nav.section === 'playground' && (
              <Playground
                state={state}
                nav={nav}
                played={played}
                script={script}
                receivedAt={receivedAt}
                store={store}
              />
            )}
          </div>
        </main>
        <LiveRegion turns={state.turns} />
      </ReadOnlyContext>
    </TextContext>
  );
}
