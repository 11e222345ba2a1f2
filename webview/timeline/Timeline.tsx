import { useEffect, useState } from 'react';
import type { EventView, ViewState } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import type { Nav } from '../nav';
import { VirtualList } from '../parts/VirtualList';
import { Empty } from '../states/Empty';
import type { Store } from '../store';
import { EventRow } from './EventRow';
import { TimelineHead } from './TimelineHead';

interface Props {
  readonly state: ViewState;
  readonly nav: Nav;
  readonly store: Store;
  readonly scroller: HTMLElement | null;
}

/** Pixels. */
const ROW = 24;
const HIT = 20;

/** What happened in one turn, in order: requests, searches with their hits, discoveries, calls. */
export function Timeline({ state, nav, store, scroller }: Props) {
  const { t, duration } = useText();
  const { turns } = state;
  // Rows that scroll out of sight are taken away: what was open is known here.
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const index = Math.max(
    0,
    turns.findIndex((candidate) => candidate.turn === nav.turn),
  );
  const turn = turns[index];
  const wanted = index === 0 ? undefined : turn?.turn;
  useEffect(() => store.watch(wanted), [store, wanted]);
  if (!turn) {
    return <Empty noServers={state.noServers} why={t('empty.noTimelineWhy')} run={store.run} copy={store.copy} />;
  }
  const go = (to: number) => {
    const target = turns[to];
    return target && (() => store.navigate({ turn: to === 0 ? undefined : target.turn }));
  };
  const events = turn.events ?? [];
  const total = events.reduce((end, event) => Math.max(end, event.at + (event.ms ?? 0)), turn.ms);
  const tryAgain = (query: string) => store.openPlayground({ mode: 'query', query });
  return (
    <>
      <TimelineHead turn={turn} events={events} onPrevious={go(index + 1)} onNext={go(index - 1)} />
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
      <VirtualList
        key={turn.turn}
        items={events}
        keyOf={keyOf}
        estimate={estimate}
        scroller={scroller}
        sticky={ROW}
        label={t('timeline.list', { turn: turn.turn })}
        className="tl"
        draw={(event) => (
          <EventRow
            event={event}
            total={total}
            onTry={tryAgain}
            script={{
              open: open.has(event.seq),
              toggle: () => setOpen((before) => toggled(before, event.seq)),
              copy: store.copy,
              ...(state.origin ? {} : { again: store.openScript }),
            }}
          />
        )}
      />
    </>
  );
}

function toggled(set: ReadonlySet<number>, seq: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(seq)) next.add(seq);
  return next;
}

function keyOf(event: EventView): number {
  return event.seq;
}

function estimate(event: EventView): number {
  if (event.kind === 'search') return ROW + event.hits.length * HIT;
  return event.kind === 'call' ? 2 * ROW : ROW;
}
