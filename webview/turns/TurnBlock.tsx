import { memo } from 'react';
import type { AnyPinTarget } from '../../src/inspector/protocol/requests';
import type { Pin, TurnView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import type { Nav, RoundPlace } from '../nav';
import { Codicon } from '../parts/Codicon';
import { DrawnWhenNear } from '../parts/DrawnWhenNear';
import { Mark } from '../parts/Mark';
import { ROUND_HEIGHT, RoundRow } from './RoundRow';
import type { Scale } from './scale';

interface Props {
  readonly turn: TurnView;
  readonly scale: Scale;
  readonly newest: boolean;
  readonly open: boolean;
  /** The number of the round whose parts are listed, if it belongs to this turn. */
  readonly selected?: number;
  readonly onToggle: (turn: number) => void;
  readonly onSelect: (round: Nav['round']) => void;
  readonly onTimeline: (turn: number) => void;
  /** Opens a round's request and reply; absent for an exported session. */
  readonly onExchange?: (round: RoundPlace) => void;
  readonly pin: (target: AnyPinTarget, pin: Pin) => void;
}

/**
 * A turn with its sums, its loss in words, and a row for each round. It is drawn again only if one of its props
 * changes.
 */
export const TurnBlock = memo(function TurnBlock({
  turn,
  scale,
  newest,
  open,
  selected,
  onToggle,
  onSelect,
  onTimeline,
  onExchange,
  pin,
}: Props) {
  const text = useText();
  const { t, tokens } = text;
  // For another agent's turn, rounds aren't known, but there may be an estimate.
  const known = turn.rounds.length > 0 || turn.baseline.value > 0;
  const { end } = turn;
  return (
    <section aria-label={t('turn.name', { turn: turn.turn })}>
      <div className="trow tturn">
        <div className="what">
          <button
            type="button"
            className="tog"
            aria-expanded={open}
            aria-label={t('turn.name', { turn: turn.turn })}
            onClick={() => onToggle(turn.turn)}
          >
            <Codicon name={open ? 'chevron-down' : 'chevron-right'} />
          </button>
          <b>{t('turn.name', { turn: turn.turn })}</b>
          {turn.running && (
            <span className="dim">
              <Codicon name="loading" tone="codicon-modifier-spin" /> {t('turns.runningBy', { model: turn.model })}
            </span>
          )}
          {end?.status === 'failed' && <Codicon name="error" tone="err" label={t('timeline.failed')} />}
          {end?.status === 'cancelled' && <Codicon name="circle-slash" tone="warn" label={t('timeline.cancelled')} />}
          <button type="button" className="q" title={turn.prompt} onClick={() => onTimeline(turn.turn)}>
            {turn.prompt || '–'}
          </button>
        </div>
        <span className="num">
          {known ? tokens(turn.sent) : '–'} {known && <Mark certainty={turn.sent.certainty} bare />}
        </span>
        <span className="num b">{known ? tokens(turn.baseline) : '–'}</span>
        <span className="num">
          {turn.loss && <Codicon name="warning" tone="warn" label={t('turns.costMore')} />}{' '}
          {known ? text.net(turn.net) : '–'}
        </span>
      </div>
      {turn.loss && <Loss loss={turn.loss} pin={pin} />}
      {open && turn.withModel && (
        <p className="say">
          {t('turns.withModel', { sent: tokens(turn.withModel.sent), baseline: tokens(turn.withModel.baseline) })}
        </p>
      )}
      {open && turn.ofAgent && <p className="say">{t('turns.ofAgent')}</p>}
      {open && !known && !turn.withModel && (
        <p className="say">{end ? (end.message ?? t(`turns.ended.${end.status}`)) : t('turns.none')}</p>
      )}
      {open &&
        inGroups(turn.rounds).map((rounds, group) => (
          <DrawnWhenNear key={rounds[0]?.round} height={rounds.length * ROUND_HEIGHT} now={group === 0}>
            {() =>
              rounds.map((round, index) => (
                <RoundRow
                  key={round.round}
                  turn={turn.turn}
                  round={round}
                  scale={scale}
                  explained={newest && group === 0 && index === 0}
                  selected={selected === round.round}
                  onSelect={onSelect}
                  onExchange={onExchange}
                />
              ))
            }
          </DrawnWhenNear>
        ))}
    </section>
  );
});

/** The number of rounds that are drawn at once. A turn may have hundreds. */
const GROUP = 20;

function inGroups<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / GROUP) }, (_, index) =>
    items.slice(index * GROUP, (index + 1) * GROUP),
  );
}

interface LossProps {
  readonly loss: NonNullable<TurnView['loss']>;
  readonly pin: Props['pin'];
}

function Loss({ loss, pin }: LossProps) {
  const { t, tokens } = useText();
  const server = loss.pinServer;
  return (
    <div className="say">
      <Codicon name="warning" tone="warn" />
      <p>
        <b>{t(`turns.loss.${loss.by}`, { tokens: tokens(loss.more) })}</b> {loss.text}{' '}
        {server !== undefined && (
          <button type="button" className="link" onClick={() => pin({ kind: 'server', id: server }, 'eager')}>
            {t('turns.pin', { server })}
          </button>
        )}
      </p>
    </div>
  );
}
