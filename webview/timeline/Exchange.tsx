import type { ExchangePart, ExchangeView } from '../../src/inspector/protocol/exchange';
import { useText } from '../hooks';
import type { RoundPlace } from '../nav';
import { CopyButton } from '../parts/CopyButton';
import { ScrollingText } from '../parts/ScrollingText';

/** Actions of the timeline's rows that show the requests and replies of rounds. */
export interface ExchangeActions {
  /** The round whose request and reply are open. */
  readonly opened?: RoundPlace;
  /** The open request and reply; absent until the host has answered. */
  readonly exchange?: ExchangeView;
  readonly open: (round: RoundPlace | undefined) => void;
  readonly openWhole: (round: RoundPlace) => void;
  readonly copy: (text: string) => void;
}

interface Props extends ExchangeActions {
  readonly place: RoundPlace;
  /** The duration of the model call; undefined until it ends. */
  readonly ms?: number;
}

/** A round's request and reply as they were sent: messages, definitions with their tokens, and the answer. */
export function Exchange({ place, ms, opened, exchange, open, openWhole, copy }: Props) {
  const { t, duration } = useText();
  const isOpen = opened?.turn === place.turn && opened.round === place.round;
  const shown = exchange?.turn === place.turn && exchange.round === place.round ? exchange : undefined;
  return (
    <div className="request">
      <button type="button" className="link" aria-expanded={isOpen} onClick={() => open(isOpen ? undefined : place)}>
        {t('exchange.open', { round: place.round })}
      </button>{' '}
      <span className="dim">{ms === undefined ? t('timeline.waiting') : duration(ms)}</span>
      {isOpen && !shown && <p className="dim">{t('exchange.wait')}</p>}
      {isOpen && shown && (
        <div className="exchange">
          <div className="script-head">
            <b>{t('exchange.request')}</b>
            <button type="button" className="link" onClick={() => openWhole(place)}>
              {t('exchange.whole')}
            </button>
          </div>
          <Parts parts={shown.sent} copy={copy} />
          <Definitions exchange={shown} />
          <div className="script-head">
            <b>{t('exchange.reply')}</b>
          </div>
          {shown.reply ? <Parts parts={shown.reply} copy={copy} /> : <p className="dim">{t('exchange.waiting')}</p>}
        </div>
      )}
    </div>
  );
}

function Parts({ parts, copy }: { readonly parts: readonly ExchangePart[]; readonly copy: (text: string) => void }) {
  const { t } = useText();
  return (
    <ol className="sentparts">
      {parts.map(({ role, name, text, chars }, index) => (
        // Parts have no other key than their index.
        // biome-ignore lint/suspicious/noArrayIndexKey: a request never changes
        <li key={index}>
          <span className="dim">
            {t(`exchange.role.${role}`)} {name}
            {chars > text.length && ` · ${t('exchange.cut', { shown: text.length, chars })}`}{' '}
            <CopyButton label={t('exchange.copy')} onCopy={() => copy(text)} />
          </span>
          <ScrollingText className="script-text" label={t(`exchange.role.${role}`)}>
            {text}
          </ScrollingText>
        </li>
      ))}
    </ol>
  );
}

function Definitions({ exchange }: { readonly exchange: ExchangeView }) {
  const { t, n, tokens } = useText();
  const { tools, toolCount } = exchange;
  return (
    <>
      <div className="script-head">
        <b>{n('exchange.tools', toolCount)}</b>
      </div>
      <ul className="senttools">
        {tools.map(({ name, tokens: size, ours, deferred }) => (
          <li key={name}>
            <b>{name}</b> <span className="dim">{t('timeline.sentTokens', { tokens: tokens(size) })}</span>
            {ours && <span className="flag">{t('exchange.ours')}</span>}
            {deferred && <span className="dim"> {t('exchange.deferred')}</span>}
          </li>
        ))}
        {toolCount > tools.length && <li className="dim">{t('exchange.more', { n: toolCount - tools.length })}</li>}
      </ul>
    </>
  );
}
