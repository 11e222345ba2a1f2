import { useCallback, useMemo } from 'react';
import type { TurnView, ViewState } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import type { Nav, RoundPlace } from '../nav';
import { TABS_HEIGHT } from '../parts/Tabs';
import { Toggle } from '../parts/Toggle';
import { VirtualList } from '../parts/VirtualList';
import { Empty } from '../states/Empty';
import { ServerList } from '../states/ServerList';
import type { Store } from '../store';
import { showsCache, type Unit, unitOf, weighedTurn } from '../weigh';
import { Legend } from './Legend';
import { ROUND_HEIGHT } from './RoundRow';
import { LARGE, percentOf, type Scale, scaleOf } from './scale';
import { TurnBlock } from './TurnBlock';
import { TurnsTable } from './TurnsTable';

interface Props {
  readonly state: ViewState;
  readonly receivedAt: number;
  readonly nav: Nav;
  readonly store: Store;
  readonly scroller: HTMLElement | null;
}

/** The highest cost of a token, in units of one fresh input token: that of a token written to a cache. */
const MOST_FOR_A_TOKEN = 1.25;

/** The height of a turn's head in pixels, with the space above it. */
const HEAD = 40;

/** The section with the tokens that each turn sent and kept out, newest first. */
export function Turns({ state, receivedAt, nav, store, scroller }: Props) {
  const { t } = useText();
  const { servers } = state;
  const unit = unitOf(state, nav);
  const turns = useMemo(() => state.turns.map((turn) => weighedTurn(turn, unit)), [state.turns, unit]);
  const cache = useMemo(() => showsCache(turns), [turns]);
  if (turns.length === 0) {
    const unhealthy = servers.some((server) => server.state !== 'running');
    return (
      <>
        {unhealthy && (
          <ServerList
            servers={servers}
            shown={servers.filter((server) => !server.editor)}
            tools={state.totals.tools}
            receivedAt={receivedAt}
            run={store.run}
          />
        )}
        <Empty noServers={state.noServers} why={t('empty.noTurnsWhy')} run={store.run} copy={store.copy} />
      </>
    );
  }
  return (
    <>
      <div className="bar">
        <Toggle
          label={t('view')}
          options={[
            ['bars', t('view.bars')],
            ['table', t('view.table')],
          ]}
          value={nav.view}
          onChange={(view) => store.navigate({ view })}
        />
        {nav.view === 'bars' && <Legend cache={cache} />}
      </div>
      {unit === 'cost' && <p className="say">{t('turns.costNote')}</p>}
      {nav.view === 'table' ? (
        <TurnsTable turns={turns} cache={cache} scroller={scroller} />
      ) : (
        <Bars state={state} turns={turns} unit={unit} nav={nav} store={store} scroller={scroller} />
      )}
    </>
  );
}

interface BarsProps extends Omit<Props, 'receivedAt'> {
  readonly turns: readonly TurnView[];
  readonly unit: Unit;
}

function Bars({ state, turns, unit, nav, store, scroller }: BarsProps) {
  const { t } = useText();
  const { baseline, over } = state.widest;
  const most = unit === 'cost' ? MOST_FOR_A_TOKEN : 1;
  const scale = useMemo(() => scaleOf({ baseline: baseline * most, over: over * most }), [baseline, over, most]);
  const closed = new Set(nav.closedTurns);
  const selected = selectedRound(state, nav);
  const large = useMemo(
    () => turns.some(({ sent, baseline }) => Math.max(sent.value, baseline.value) >= LARGE),
    [turns],
  );
  const toggle = useCallback(
    (turn: number) => {
      const { closedTurns } = store.getSnapshot().nav;
      store.navigate({
        closedTurns: closedTurns.includes(turn) ? closedTurns.filter((n) => n !== turn) : [...closedTurns, turn],
      });
    },
    [store],
  );
  const select = useCallback((round: Nav['round']) => store.navigate({ round }), [store]);
  const openExchange = useCallback(
    (round: RoundPlace) => {
      store.navigate({ section: 'timeline', turn: round.turn });
      store.openExchange(round);
    },
    [store],
  );
  const openTimeline = useCallback((turn: number) => store.navigate({ section: 'timeline', turn }), [store]);
  return (
    <div className={`turns ${large ? 'large' : ''}`}>
      <TurnsHead scale={scale} />
      <VirtualList
        items={turns}
        keyOf={keyOf}
        estimate={(turn) => HEAD + (closed.has(turn.turn) ? 0 : turn.rounds.length * ROUND_HEIGHT)}
        scroller={scroller}
        sticky={TABS_HEIGHT + ROUND_HEIGHT}
        label={t('section.turns')}
        className=""
        draw={(turn, index) => (
          <TurnBlock
            turn={turn}
            scale={scale}
            newest={index === 0}
            open={!closed.has(turn.turn)}
            selected={selected?.turn === turn.turn ? selected.round : undefined}
            onToggle={toggle}
            onSelect={select}
            onTimeline={openTimeline}
            onExchange={openExchange}
            pin={store.pin}
          />
        )}
      />
    </div>
  );
}

function keyOf(turn: TurnView): number {
  return turn.turn;
}

/** Returns the round whose parts are listed: the user's choice, or the last round of the newest turn. */
function selectedRound(state: ViewState, nav: Nav): Nav['round'] {
  if (nav.round !== undefined) return nav.round;
  const turn = state.turns.find((candidate) => candidate.rounds.length > 0);
  const round = turn?.rounds.at(-1);
  return turn && round && { turn: turn.turn, round: round.round };
}

function TurnsHead({ scale }: { readonly scale: Scale }) {
  const { t, short } = useText();
  return (
    <div className="trow thead">
      <span>{t('column.round')}</span>
      <div className="axis" aria-hidden="true">
        {scale.ticks.map((tick, index) => (
          <span
            key={tick}
            className={index > 0 && index < scale.ticks.length - 1 ? 'wide' : ''}
            style={{ left: `${percentOf(scale, tick)}%` }}
          >
            {tick === 0 ? '0' : short(tick)}
          </span>
        ))}
      </div>
      <span className="num">{t('column.sent')}</span>
      <span className="num b">{t('column.baseline')}</span>
      <span className="num">{t('column.net')}</span>
    </div>
  );
}
