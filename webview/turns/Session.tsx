import { type KeyboardEvent, useMemo, useState } from 'react';
import type { TurnView, ViewState } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { VirtualList } from '../parts/VirtualList';
import { amountsOf, differenceOf } from '../verdict';
import { findTurns, hasStatus, STATUSES } from './findTurns';
import { TURN_ROW, TurnRow } from './TurnRow';

interface Props {
  readonly state: ViewState;
  /** The number of the turn whose story is shown. */
  readonly shown: number;
  readonly onShow: (turn: number) => void;
  /** Moves the focus to the story. */
  readonly onEnter: () => void;
}

/** The session: its sum, and all turns with a search, newest first. */
export function Session({ state, shown, onShow, onEnter }: Props) {
  const text = useText();
  const { t, n, number } = text;
  const { turns, header } = state;
  const { unit, session } = header;
  const [query, setQuery] = useState('');
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const found = useMemo(() => findTurns(turns, query, unit, text), [turns, query, unit, text]);
  const newest = turns[0]?.turn ?? shown;
  const left = state.totals.turns - (session?.compared ?? 0);
  return (
    <section className="session" aria-label={t('session.label')}>
      <p className="sum">
        {session && (
          <>
            <b>{t('session.verdict', { verdict: differenceOf(session, unit, text) })}</b>
            <span className="dim">{amountsOf(session, unit, text).sentence}</span>
          </>
        )}
        <span className="dim">
          {n('count.turns', state.totals.turns)}
          {session && left > 0 && <span title={t('session.leftWhy')}>, {t('session.left', { n: left })}</span>}
        </span>
      </p>
      <input
        type="text"
        value={query}
        placeholder={t('find.hint')}
        aria-label={t('find.label')}
        spellCheck={false}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
      />
      <Chips state={state} query={query} onQuery={setQuery} />
      <p className="said dim" role="status">
        {found.unknown !== undefined
          ? t('find.unknown', { key: found.unknown })
          : query.trim() !== '' &&
            (found.turns.length > 0
              ? t('find.found', { found: found.turns.length, turns: n('count.turns', turns.length) })
              : t('find.none'))}
      </p>
      {shown !== newest && (
        <button type="button" className="link newer" onClick={() => onShow(newest)}>
          {t('session.newer', { turn: number(newest) })}
        </button>
      )}
      <div className="turnrows" ref={setScroller}>
        <VirtualList
          items={found.turns}
          keyOf={keyOf}
          estimate={() => TURN_ROW}
          scroller={scroller}
          sticky={0}
          label={t('session.turns')}
          className=""
          options={{ id: 'turn-list', chosen: shown, onChoose: onShow, onEnter }}
          draw={(turn) => <TurnRow turn={turn} unit={unit} />}
        />
      </div>
    </section>
  );
}

interface ChipsProps {
  readonly state: ViewState;
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

/** Filters for turns that need a look. Each is a search, so the field shows it. Arrow keys move between them. */
function Chips({ state: { turns, header }, query, onQuery }: ChipsProps) {
  const { t, number } = useText();
  const counts = useMemo(
    () =>
      STATUSES.map((status) => ({
        status,
        count: turns.filter((turn) => hasStatus(turn, status, header.unit)).length,
      })).filter(({ count }) => count > 0),
    [turns, header.unit],
  );
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const chips = [...event.currentTarget.children] as HTMLElement[];
    const at = chips.indexOf(event.target as HTMLElement);
    if (step) chips[(at + step + chips.length) % chips.length]?.focus();
  };
  if (counts.length === 0) return null;
  return (
    <fieldset className="chips" aria-label={t('find.filters')} onKeyDown={move}>
      {counts.map(({ status, count }, index) => {
        const search = `status:${status}`;
        return (
          <button
            key={status}
            type="button"
            tabIndex={index === 0 ? 0 : -1}
            aria-pressed={query === search}
            onClick={() => onQuery(query === search ? '' : search)}
          >
            {t(`find.${status}`)} {number(count)}
          </button>
        );
      })}
    </fieldset>
  );
}

function keyOf({ turn }: TurnView): number {
  return turn;
}
