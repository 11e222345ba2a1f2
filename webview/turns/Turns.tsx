import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ExchangeView } from '../../src/inspector/protocol/exchange';
import type { ViewState } from '../../src/inspector/protocol/view';
import { useMedia, useText } from '../hooks';
import type { Nav } from '../nav';
import { Codicon } from '../parts/Codicon';
import { Empty } from '../states/Empty';
import { ServerList } from '../states/ServerList';
import type { Store } from '../store';
import { Suggestions } from '../suggestions/Suggestions';
import { Reasons } from './Reasons';
import { Result } from './Result';
import { Session } from './Session';
import { Story } from './Story';

interface Props {
  readonly state: ViewState;
  readonly receivedAt: number;
  readonly nav: Nav;
  readonly exchange?: ExchangeView;
  /** Changes when the user comes from elsewhere, such as from a line in the chat. */
  readonly arrived: number;
  readonly store: Store;
  /** The element that scrolls if the panel is too narrow for two columns. */
  readonly page: HTMLElement | null;
}

/** The first page: the session's turns, and beside them the story of one, by default of the newest. */
export function Turns({ state, receivedAt, nav, exchange, arrived, store, page }: Props) {
  const { t } = useText();
  const { turns, servers, header } = state;
  const narrow = useMedia('(max-width: 599px)');
  const wide = useMedia('(min-width: 1100px)');
  const [column, setColumn] = useState<HTMLElement | null>(null);
  const [listed, setListed] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const index = Math.max(
    0,
    turns.findIndex((candidate) => candidate.turn === nav.turn),
  );
  const turn = turns[index];
  const wanted = index === 0 ? undefined : turn?.turn;
  useEffect(() => store.watch(wanted), [store, wanted]);
  useEffect(() => {
    if (arrived > 0) heading.current?.focus();
  }, [arrived]);
  if (!turn) {
    return (
      <>
        {servers.some((server) => server.state !== 'running') && (
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
  const show = (number: number) => {
    setListed(false);
    store.navigate({ turn: number === turns[0]?.turn ? undefined : number });
  };
  const back = (event: KeyboardEvent) => {
    if (event.key === 'Escape') document.getElementById('turn-list')?.focus();
  };
  const exchanges = {
    opened: nav.exchange,
    exchange,
    open: store.openExchange,
    openWhole: store.openWhole,
    copy: store.copy,
  };
  return (
    <>
      {narrow && <Picker turns={state} index={index} listed={listed} onList={() => setListed(!listed)} onShow={show} />}
      {(!narrow || listed) && (
        <Session state={state} shown={turn.turn} onShow={show} onEnter={() => heading.current?.focus()} />
      )}
      <section
        className="story"
        ref={setColumn}
        aria-label={t('turn.name', { turn: turn.turn })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        onKeyDown={back}
      >
        <div className="told">
          <Result turn={turn} unit={header.unit} store={store} heading={heading} />
          <Story turn={turn} unit={header.unit} exchanges={exchanges} store={store} scroller={narrow ? page : column} />
        </div>
        <Reasons header={header} turn={turn} beside={wide} run={store.run} />
      </section>
      <Suggestions state={state} store={store} />
    </>
  );
}

interface PickerProps {
  readonly turns: ViewState;
  readonly index: number;
  readonly listed: boolean;
  readonly onList: () => void;
  readonly onShow: (turn: number) => void;
}

/** The list of turns as one line: a button that opens it, and the turns before and after. */
function Picker({ turns: { turns, totals }, index, listed, onList, onShow }: PickerProps) {
  const { t, number } = useText();
  const step = (to: number, icon: string, label: string) => {
    const target = turns[to];
    return (
      <button
        type="button"
        className="icon"
        aria-label={label}
        aria-disabled={!target}
        onClick={() => target && onShow(target.turn)}
      >
        <Codicon name={icon} />
      </button>
    );
  };
  return (
    <nav className="picker-line" aria-label={t('column.turn')}>
      <button type="button" className="link" aria-expanded={listed} onClick={onList}>
        <Codicon name="list-flat" />{' '}
        {t('session.picked', { turn: number(turns[index]?.turn ?? 0), turns: number(totals.turns) })}
      </button>
      {step(index + 1, 'chevron-left', t('timeline.previous'))}
      {step(index - 1, 'chevron-right', t('timeline.next'))}
    </nav>
  );
}
