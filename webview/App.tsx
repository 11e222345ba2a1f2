import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { createText } from '../src/inspector/text/text';
import { SaveSession } from './export/SaveSession';
import { Header } from './header/Header';
import { TextContext, useStore } from './hooks';
import { LiveRegion } from './parts/LiveRegion';
import { Notices } from './parts/Notices';
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
import { unitOf } from './weigh';

/** The whole inspector. Only this component uses the store. */
export function App({ store }: { readonly store: Store }) {
  const { state, receivedAt, details, tried, failures, nav, played, script, exchange } = useStore(store);
  useKeepFocus();
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const top = useRef<HTMLDivElement>(null);
  const { section } = nav;
  // Shows a new section from its beginning, however far the previous one was scrolled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is for each section.
  useLayoutEffect(() => {
    if (scroller) scroller.scrollTop = Math.min(scroller.scrollTop, top.current?.offsetTop ?? 0);
  }, [scroller, section]);
  const strings = state?.strings;
  const locale = state?.locale;
  const text = useMemo(() => strings && createText(strings, locale ?? 'en'), [strings, locale]);
  if (!state || !text) return null;
  return (
    <TextContext value={text}>
      <Patterns />
      <div className="page" ref={setScroller}>
        <Header state={state} run={store.run} unit={unitOf(state, nav)} onUnit={(unit) => store.navigate({ unit })} />
        <div ref={top} />
        <nav className="tabs" aria-label={text.t('sectionsAndActions')}>
          <Tabs
            section={nav.section}
            counts={{ ...state.totals, suggestions: state.suggestions?.items.length }}
            onSelect={(section) => store.navigate({ section })}
          />
          <Toolbar run={store.run} />
        </nav>
        <Notices notices={state.notices} failures={failures} run={store.run} onDismiss={store.dismissFailures} />
        <main>
          <div
            role="tabpanel"
            id="panel"
            aria-labelledby={`tab-${nav.section}`}
            tabIndex={nav.section === 'timeline' ? 0 : -1}
          >
            {nav.section === 'turns' && (
              <Turns state={state} receivedAt={receivedAt} nav={nav} store={store} scroller={scroller} />
            )}
            {nav.section === 'timeline' && (
              <Timeline state={state} nav={nav} exchange={exchange} store={store} scroller={scroller} />
            )}
            {nav.section === 'tools' && (
              <Tools
                state={state}
                receivedAt={receivedAt}
                details={details}
                tried={tried}
                nav={nav}
                store={store}
                scroller={scroller}
              />
            )}
            {nav.section === 'suggestions' && <Suggestions state={state} store={store} />}
            {nav.section === 'export' && (
              <div className="export">
                <SaveSession state={state} post={store.post} />
              </div>
            )}
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
      </div>
      <LiveRegion turns={state.turns} />
    </TextContext>
  );
}
