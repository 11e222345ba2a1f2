import type { TurnView, Unit } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import { amountsOf, verdictOf } from '../verdict';

/** The height of a row in pixels. The style sheet has the same value. */
export const TURN_ROW = 46;

/** A turn in the list: its question, how it went, and a small bar of what it cost against every definition. */
export function TurnRow({ turn, unit }: { readonly turn: TurnView; readonly unit: Unit }) {
  const text = useText();
  const { icon, tone, words } = verdictOf(turn, unit, text);
  const failed = turn.end?.status === 'answered' ? turn.calls.failed : 0;
  return (
    <div className="turnrow" title={turn.prompt}>
      <Codicon name={icon} tone={tone} />
      <span className="asked">{turn.prompt || turn.model}</span>
      <span className="dim asked">
        {failed > 0 && (
          <>
            <Codicon name="error" tone="err" /> {text.t('count.failed', { n: failed })},{' '}
          </>
        )}
        {words}
      </span>
      {turn.compared && <ShareBar turn={turn} unit={unit} />}
      <span className="dim num">{text.number(turn.turn)}</span>
    </div>
  );
}

function ShareBar({ turn, unit }: { readonly turn: TurnView; readonly unit: Unit }) {
  const { sent, baseline } = amountsOf(turn, unit, useText());
  const width = (value: number) => `${(value / Math.max(sent, baseline, Number.EPSILON)) * 100}%`;
  return (
    <svg className="share" aria-hidden="true">
      <rect className="seg avoided" x=".5" y=".5" width={width(baseline)} height="5" />
      <rect className={sent > baseline ? 'over' : 'seg eager'} width={width(sent)} height="6" />
    </svg>
  );
}
