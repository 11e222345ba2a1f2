import { useState } from 'react';
import type { EventView, TurnView, Unit } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { TABS_HEIGHT } from '../parts/Tabs';
import { VirtualList } from '../parts/VirtualList';
import type { Store } from '../store';
import { EventRow } from '../timeline/EventRow';
import type { ExchangeActions } from '../timeline/Exchange';

interface Props {
  readonly turn: TurnView;
  readonly unit: Unit;
  readonly exchanges: ExchangeActions;
  readonly store: Store;
  readonly scroller: HTMLElement | null;
}

/** The height of a row in pixels. */
const ROW = 24;
const HIT = 20;

/** The events of a turn in order, by request: what was searched, found and called. */
export function Story({ turn, unit, exchanges, store, scroller }: Props) {
  const { t } = useText();
  // The open rows. They are stored here, since rows that scroll out of sight are removed.
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const called = new Set(turn.running ? [] : (turn.events ?? []).flatMap(calledBy));
  return (
    <VirtualList
      key={turn.turn}
      items={turn.events ?? []}
      keyOf={keyOf}
      estimate={estimate}
      scroller={scroller}
      sticky={TABS_HEIGHT}
      label={t('timeline.list', { turn: turn.turn })}
      className="tl"
      draw={(event) => (
        <EventRow
          event={event}
          turn={turn}
          unit={unit}
          called={called}
          onTry={(query) => store.openPlayground({ mode: 'query', query })}
          exchanges={exchanges}
          script={{
            open: open.has(event.seq),
            toggle: () => setOpen((before) => toggled(before, event.seq)),
            copy: store.copy,
          }}
        />
      )}
    />
  );
}

/** Returns the ids of the tools that an event called. */
function calledBy(event: EventView): readonly string[] {
  if (event.kind === 'call') return [event.tool];
  return event.kind === 'script' ? event.byTool.map(({ tool }) => tool) : [];
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
