import { useEffect, useMemo, useState } from 'react';
import type { ExchangeView } from '../../src/inspector/protocol/exchange';
import type { EventView, ViewState } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import type { Nav } from '../nav';
import { TABS_HEIGHT } from '../parts/Tabs';
import { VirtualList } from '../parts/VirtualList';
import { Empty } from '../states/Empty';
import type { Store } from '../store';
import { unitOf, weighedTurn } from '../weigh';
import { EventRow } from './EventRow';
import { TimelineHead } from './TimelineHead';
import { TurnList } from './TurnList';

interface Props {
  readonly state: ViewState;
  readonly nav: Nav;
  readonly exchange?: ExchangeView;
  readonly store: Store;
  readonly scroller: HTMLElement | null;
}

/** The height of a row in pixels. */
const ROW = 24;
const HIT = 20;

/**
 * The events of one turn in order: requests, searches with their hits, discoveries, calls. Beside them is a list of all
 * turns.
 */
export function Timeline({ state, nav, exchange, store, scroller }: Props) {
  const { t, duration } = useText();
  const { turns } = state;
  // The open rows. They are stored here, since rows that scroll out of sight are removed.
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const unit = unitOf(state, nav);
  const weighed = useMemo(() => turns.map((each) => weighedTurn(each, unit)), [turns, unit]);
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
  const show = (wanted: number) => store.navigate({ turn: wanted === turns[0]?.turn ? undefined : wanted });
  const go = (to: number) => {
    const target = turns[to];
    return target && (() => show(target.turn));
  };
  const exchanges = {
    turn: turn.turn,
    opened: nav.exchange,
    exchange,
    open: store.openExchange,
    openWhole: store.openWhole,
    copy: store.copy,
  };
  const events = turn.events ?? [];
  const total = events.reduce((end, event) => Math.max(end, event.at + (event.ms ?? 0)), turn.ms);
  const tryAgain = (query: string) => store.openPlayground({ mode: 'query', query });
  return (
    <div className="beside">
      {turns.length > 1 && <TurnList turns={weighed} unit={unit} shown={turn.turn} onShow={show} />}
      <div className="happened">
        <TimelineHead turn={turn} events={events} onPrevious={go(index + 1)} onNext={go(index - 1)} />
        <div className="ev tlh">
          <span className="at" aria-hidden="true">
            {t('timeline.at')}
          </span>
          <span />
          <span />
          <span className="dur" aria-hidden="true">
            {t('timeline.duration')}
          </span>
          <span className="wf scale" aria-hidden="true">
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
          sticky={TABS_HEIGHT + ROW}
          label={t('timeline.list', { turn: turn.turn })}
          className="tl"
          draw={(event) => (
            <EventRow
              event={event}
              total={total}
              onTry={tryAgain}
              exchanges={exchanges}
              script={{
                open: open.has(event.seq),
                toggle: () => setOpen((before) => toggled(before, event.seq)),
                copy: store.copy,
                again: store.openScript,
              }}
            />
          )}
        />
      </div>
    </div>
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
