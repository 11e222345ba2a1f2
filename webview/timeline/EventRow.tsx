import type { EventView, TurnView, Unit } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { amount } from '../verdict';
import { EventBody, EventIcon } from './EventBody';
import { Exchange, type ExchangeActions } from './Exchange';
import type { ScriptActions } from './Script';

interface Props {
  readonly event: EventView;
  readonly turn: TurnView;
  readonly unit: Unit;
  /** The ids of the tools that the turn called; empty while it runs. */
  readonly called: ReadonlySet<string>;
  readonly onTry: (query: string) => void;
  readonly script: ScriptActions;
  readonly exchanges: ExchangeActions;
}

/** A row for an event. A request's row has its cost, other rows have their duration. */
export function EventRow({ event, turn, unit, called, onTry, script, exchanges }: Props) {
  const text = useText();
  if (event.kind === 'round') {
    const place = { turn: turn.turn, round: event.round };
    return (
      <div className="ev round">
        <Exchange {...exchanges} place={place} ms={event.ms} />
        <span className="dur">{costOf(event, unit, text)}</span>
      </div>
    );
  }
  return (
    <div className={`ev ${event.kind}`}>
      <span className="rail">
        <EventIcon event={event} />
      </span>
      <div className="body">
        <EventBody event={event} called={called} onTry={onTry} script={script} />
      </div>
      <span className="dur dim">{event.ms !== undefined && text.duration(event.ms)}</span>
    </div>
  );
}

function costOf(
  { sent, usd }: EventView & { readonly kind: 'round' },
  unit: Unit,
  text: ReturnType<typeof useText>,
): string | undefined {
  if (!sent) return undefined;
  return amount(unit === 'usd' && usd !== undefined ? usd : sent.value, sent.certainty, unit, text);
}
