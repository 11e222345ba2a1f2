import type { EventView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { EventBody } from './EventBody';
import { EventIcon } from './EventIcon';
import { Exchange, type ExchangeActions } from './Exchange';
import type { ScriptActions } from './Script';

interface Props {
  readonly event: EventView;
  /** The turn's length in milliseconds. */
  readonly total: number;
  readonly onTry: (query: string) => void;
  readonly script: ScriptActions;
  /** The open request and reply, the actions for them, and the event's turn. */
  readonly exchanges: ExchangeActions & { readonly turn: number };
}

/** A row for an event: its time, text and duration, and its bar in the waterfall. */
export function EventRow({ event, total, onTry, script, exchanges }: Props) {
  const { t, number, duration } = useText();
  const { at, ms } = event;
  const place = (time: number) => Math.min(100, (time / Math.max(total, 1)) * 100);
  return (
    <div className={`ev ${event.kind}`}>
      <span className="at">{number(at / 1000, 2)}</span>
      <span className="rail">
        <EventIcon event={event} />
      </span>
      <div className="body">
        <EventBody event={event} onTry={onTry} script={script} />
        {event.kind === 'round' && <Exchange {...exchanges} place={{ turn: exchanges.turn, round: event.round }} />}
      </div>
      <span className="dur">{ms !== undefined && duration(ms)}</span>
      <span className="wf" aria-hidden="true">
        {ms !== undefined && (
          <i
            className={event.kind}
            title={t('timeline.span', { from: duration(at), to: duration(at + ms) })}
            style={{
              left: `${place(at)}%`,
              width: event.kind === 'search' ? undefined : `${place(at + ms) - place(at)}%`,
            }}
          />
        )}
      </span>
    </div>
  );
}
