import { useMemo, useState } from 'react';
import type { TurnView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import { VirtualList } from '../parts/VirtualList';
import type { Unit } from '../weigh';

interface Props {
  readonly turns: readonly TurnView[];
  readonly unit: Unit;
  /** The number of the turn in the timeline. */
  readonly shown: number;
  readonly onShow: (turn: number) => void;
}

/** The height of a row in pixels. The style sheet has the same value. */
const ROW = 46;

const STATUS = {
  running: ['loading', 'codicon-modifier-spin', 'turns.running'],
  answered: ['pass', 'ok', 'turns.answered'],
  failed: ['error', 'err', 'timeline.failed'],
  cancelled: ['circle-slash', 'warn', 'timeline.cancelled'],
} as const;

/**
 * A list of all turns beside the timeline, in the order given (newest first, see turnFold.ts), with a search over
 * prompts, models and states.
 */
export function TurnList({ turns, unit, shown, onShow }: Props) {
  const { t } = useText();
  const [filter, setFilter] = useState('');
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const words = filter.trim().toLowerCase();
  const found = useMemo(
    () =>
      turns.filter((turn) => {
        const text = `${turn.turn} ${turn.prompt} ${turn.model} ${t(STATUS[statusOf(turn)][2])}`;
        return text.toLowerCase().includes(words);
      }),
    [turns, words, t],
  );
  return (
    <nav className="turnlist" aria-label={t('section.turns')}>
      <input
        type="text"
        value={filter}
        placeholder={t('timeline.searchTurns')}
        aria-label={t('timeline.searchTurns')}
        spellCheck={false}
        onChange={(event) => setFilter(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setFilter('')}
      />
      <div className="turnrows" ref={setScroller}>
        {found.length === 0 ? (
          <p className="dim">{t('timeline.noTurn', { filter })}</p>
        ) : (
          <VirtualList
            items={found}
            keyOf={keyOf}
            estimate={() => ROW}
            scroller={scroller}
            sticky={0}
            label={t('section.turns')}
            className=""
            draw={(turn) => <TurnItem turn={turn} unit={unit} shown={turn.turn === shown} onShow={onShow} />}
          />
        )}
      </div>
    </nav>
  );
}

function TurnItem({
  turn,
  unit,
  shown,
  onShow,
}: {
  readonly turn: TurnView;
  readonly unit: Unit;
  readonly shown: boolean;
  readonly onShow: Props['onShow'];
}) {
  const { t, tokens, percent, number } = useText();
  const { net, baseline, sent } = turn;
  const [icon, tone, label] = STATUS[statusOf(turn)];
  const share = percent(Math.abs(net.value) / Math.max(1, baseline.value));
  return (
    <button
      type="button"
      className="turnitem"
      aria-current={shown ? 'true' : undefined}
      title={turn.prompt}
      onClick={() => onShow(turn.turn)}
    >
      <span className="asked">
        {number(turn.turn)} · {turn.prompt || turn.model}
      </span>
      <span className="dim">
        <Codicon name={icon} tone={tone} label={t(label)} />{' '}
        {(turn.rounds.length > 0 || turn.baseline.value > 0) &&
          t(`timeline.${unit}.${net.value < 0 ? 'more' : 'saved'}`, { tokens: tokens(sent), share })}
      </span>
    </button>
  );
}

function statusOf(turn: TurnView): keyof typeof STATUS {
  return turn.running ? 'running' : (turn.end?.status ?? 'answered');
}

function keyOf({ turn }: TurnView): number {
  return turn;
}
