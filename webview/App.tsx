import { useLayoutEffect, useMemo, useState } from 'react';
import { createText } from '../src/inspector/text/text';
import { TextContext, useStore } from './hooks';
import { FillPatterns } from './parts/FillPatterns';
import { Header } from './parts/Header';
import { LiveRegion } from './parts/LiveRegion';
import { useKeepFocus } from './parts/useKeepFocus';
import { Playground } from './playground/Playground';
import { Notices } from './states/Notices';
import type { Store } from './store';
import { Tools } from './tools/Tools';
import { Turns } from './turns/Turns';

/** The whole inspector. Only this component uses the store. */
export function App({ store }: { readonly store: Store }) {
  const { state, receivedAt, details, tried, failures, nav, arrived, played, exchange } = useStore(store);
  useKeepFocus();
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const { section } = nav;
  // Shows a new section from its beginning, however far the previous one was scrolled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is for each section.
  useLayoutEffect(() => {
    if (scroller) scroller.scrollTop = 0;
  }, [scroller, section]);
  const strings = state?.strings;
  const locale = state?.locale;
  const text = useMemo(() => strings && createText(strings, locale ?? 'en'), [strings, locale]);
  if (!state || !text) return null;
  return (
    <TextContext value={text}>
      <FillPatterns />
      <div className="page" ref={setScroller}>
        <Header section={section} onSelect={(section) => store.navigate({ section })} run={store.run} />
        <Notices
          servers={state.servers}
          notices={state.notices}
          failures={failures}
          run={store.run}
          onDismiss={store.dismissFailures}
        />
        <main>
          <div
            role="tabpanel"
            id="panel"
            aria-labelledby={`tab-${section}`}
            tabIndex={-1}
            className={section === 'turns' && state.turns.length > 0 ? 'turns' : ''}
          >
            {section === 'turns' && (
              <Turns
                state={state}
                receivedAt={receivedAt}
                nav={nav}
                exchange={exchange}
                arrived={arrived}
                store={store}
                page={scroller}
              />
            )}
            {section === 'tools' && (
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
            {section === 'playground' && (
              <Playground state={state} play={nav.play} played={played} receivedAt={receivedAt} store={store} />
            )}
          </div>
        </main>
      </div>
      <LiveRegion turns={state.turns} unit={state.header.unit} />
    </TextContext>
  );
}
