import type { ViewState } from '../../src/inspector/protocol';
import { useText } from '../hooks';
import type { Nav } from '../nav';
import { Empty } from '../states/Empty';
import type { Store } from '../store';
import { EventRow } from './EventRow';
import { TimelineHead } from './TimelineHead';

interface Props {
  readonly state: ViewState;
  readonly nav: Nav;
  readonly store: Store;
}

/** What happened in one turn, in order: requests, searches with their hits, discoveries, calls. */
export function Timeline({ state, nav, store }: Props) {
  const { t, duration } = useText();
  const { turns } = state;
  const index = Math.max(
    0,
    turns.findIndex((candidate) => candidate.turn === nav.turn),
  );
  const turn = turns[index];
  if (!turn) {
    return (
      <Empty
        noServers={state.servers.length === 0 && state.tools.length === 0}
        why={t('empty.noTimelineWhy')}
        run={store.run}
        copy={store.copy}
      />
    );
  }
  const go = (to: number) => {
    const target = turns[to];
    return target && (() => store.navigate({ turn: to === 0 ? undefined : target.turn }));
  };
  const total = Math.max(turn.ms, ...turn.events.map((event) => event.at + (event.ms ?? 0)));
  return (
    <>
      <TimelineHead turn={turn} onPrevious={go(index + 1)} onNext={go(index - 1)} />
      <div className="ev tlh" aria-hidden="true">
        <span className="at">{t('timeline.at')}</span>
        <span />
        <span />
        <span className="dur">{t('timeline.duration')}</span>
        <span className="wf">
          <span>0</span>
          <span>{duration(total)}</span>
        </span>
      </div>
      <ol className="tl" aria-label={t('timeline.list', { turn: turn.turn })}>
        {turn.events.map((event) => (
          <EventRow key={event.seq} event={event} total={total} />
        ))}
      </ol>
    </>
  );
}
