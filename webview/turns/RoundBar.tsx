import type { RoundView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { PARTS } from '../parts/kinds';
import { percentOf, type Scale } from './scale';

interface Props {
  readonly round: RoundView;
  readonly scale: Scale;
  /** Whether the word "avoided" follows its number. Only one bar needs it. */
  readonly explained: boolean;
}

/** One round as a stacked bar. It is hidden from screen readers, which get its figures from the row's button. */
export function RoundBar({ round, scale, explained }: Props) {
  const { t, tokens, number } = useText();
  const place = (value: number) => percentOf(scale, value);
  const end = place(round.sent.value);
  const base = place(round.baseline.value);
  const over = round.net.value < 0;
  const excess = { value: -round.net.value, certainty: round.net.certainty };
  let x = 0;
  const parts = PARTS.map(({ kind, part }) => {
    const width = place(round[part].value);
    x += width;
    return { kind, value: round[part].value, width, x: x - width };
  });
  return (
    <div className="plot" aria-hidden="true">
      <svg aria-hidden="true">
        {scale.ticks.slice(1).map((tick) => (
          <line key={tick} className="grid" x1={`${place(tick)}%`} x2={`${place(tick)}%`} y1="0" y2="24" />
        ))}
        {!over && base > end && (
          <rect className="seg avoided" x={`${end}%`} y="5.5" width={`${base - end}%`} height="11" />
        )}
        {parts.map(
          (part) =>
            part.width > 0 && (
              <rect
                key={part.kind}
                className={`seg ${part.kind}`}
                x={`${part.x}%`}
                y="5"
                width={`${part.width}%`}
                height="12"
              />
            ),
        )}
        {round.cacheRead !== undefined && (
          <rect className="cache" x="0" y="19" width={`${place(round.cacheRead)}%`} height="1.5" />
        )}
        <rect className="base" x={`${base}%`} y="1" width="2" height="20" />
        {over && <rect className="over" x={`${base}%`} y="1" width={`${end - base}%`} height="2" />}
      </svg>
      {parts.map(
        (part) =>
          (part.kind === 'prompt' || part.kind === 'eager') && (
            <Fit key={part.kind} from={part.x} to={part.x + part.width} className={part.kind}>
              {number(part.value)}
            </Fit>
          ),
      )}
      {over ? (
        <Fit from={end} to={100} className="past">
          {t('turns.over', { tokens: tokens(excess) })}
        </Fit>
      ) : (
        <Fit from={end} to={base} className="ghost">
          {explained ? t('turns.avoided', { tokens: tokens(round.net) }) : tokens(round.net)}
        </Fit>
      )}
    </div>
  );
}

interface FitProps {
  readonly from: number;
  readonly to: number;
  readonly className: string;
  readonly children: string;
}

/** A label that is shown only if it fits. Otherwise it wraps to a second line, which isn't visible. */
function Fit({ from, to, className, children }: FitProps) {
  return (
    <span className={`fit ${className}`} style={{ left: `${from}%`, width: `${to - from}%` }}>
      <i />
      <span>{children}</span>
    </span>
  );
}
