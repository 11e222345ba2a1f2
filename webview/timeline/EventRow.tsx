import type { EventView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { EventBody } from './EventBody';
import { EventIcon } from './EventIcon';
import type { ScriptActions } from './Script';

interface Props {
  readonly event: EventView;
  /** The turn's length in milliseconds: the waterfall's axis. */
  readonly total: number;
  readonly onTry: (query: string) => void;
  readonly script: ScriptActions;
}

/** An event: when, what, how long, and where on the turn's time axis. */
export function EventRow({ event, total, onTry, script }: Props) {
  const { number, duration } = useText();
  const share = (ms: number) => `${Math.min(100, (ms / Math.max(total, 1)) * 100)}%`;
  return (
    <div className={`ev ${event.kind}`}>
      <span className="at">{number(event.at / 1000, 2)}</span>
      <span className="rail">
        <EventIcon event={event} />
      </span>
      <div className="body">
        <EventBody event={event} onTry={onTry} script={script} />
      </div>
      <span className="dur">{event.ms !== undefined && duration(event.ms)}</span>
      <span className="wf" aria-hidden="true">
        {event.ms !== undefined && (
          <i
            className={event.kind}
            style={{ left: share(event.at), width: event.kind === 'search' ? undefined : share(event.ms) }}
          />
        )}
      </span>
    </div>
  );
}
