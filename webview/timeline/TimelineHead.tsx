import type { EventView, FlagView, TurnView } from '../../src/inspector/protocol/view';
import type { Text } from '../../src/inspector/text/text';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';

/** The kinds of events that have a bar in the waterfall. */
const WATERFALL = [
  ['round', 'timeline.modelCall'],
  ['search', 'timeline.search'],
  ['call', 'timeline.toolCall'],
] as const;

interface Props {
  readonly turn: TurnView;
  readonly events: readonly EventView[];
  readonly onPrevious?: () => void;
  readonly onNext?: () => void;
}

/** A turn's number and prompt, its sums, the waterfall's legend, and its flags. */
export function TimelineHead({ turn, events, onPrevious, onNext }: Props) {
  const text = useText();
  const { t, n } = text;
  const count = (kind: string) => events.filter((event) => event.kind === kind).length;
  const scripts = events.flatMap((event) => (event.kind === 'script' ? [event] : []));
  const inScripts = (what: 'calls' | 'searches') => scripts.reduce((sum, script) => sum + script[what], 0);
  const flags = events.flatMap((event) => event.flags);
  return (
    <>
      <div className="bar turnbar">
        <span className="stepper">
          <button
            type="button"
            className="icon"
            aria-label={t('timeline.previous')}
            aria-disabled={!onPrevious}
            onClick={onPrevious}
          >
            <Codicon name="chevron-left" />
          </button>
          <b>{t('turn.name', { turn: turn.turn })}</b>
          <button
            type="button"
            className="icon"
            aria-label={t('timeline.next')}
            aria-disabled={!onNext}
            onClick={onNext}
          >
            <Codicon name="chevron-right" />
          </button>
        </span>
        <span className="q" title={turn.prompt}>
          {turn.prompt}
        </span>
      </div>
      <div className="bar sums">
        <span className="dim">
          {[
            n('count.rounds', count('round')),
            n('count.searches', count('search') + inScripts('searches')),
            n('count.calls', count('call') + inScripts('calls')),
            turn.running ? t('turns.running') : text.duration(turn.ms),
          ].join(', ')}
        </span>
        <span className="dim">
          {turn.model}, {turn.strategy}, {turn.delivery}
        </span>
        <ul className="legend wide" aria-label={t('legend')}>
          {WATERFALL.map(([kind, label]) => (
            <li key={kind}>
              <span className="wfkey">
                <i className={kind} />
              </span>
              {t(label)}
            </li>
          ))}
        </ul>
        {flags.length > 0 && (
          <span>
            <Codicon name="warning" tone="warn" /> {flagSummary(flags, text)}
          </span>
        )}
      </div>
    </>
  );
}

/** Returns a summary of a turn's flags: `7 flags: no hits, unused (2)`. */
function flagSummary(flags: readonly FlagView[], text: Text): string {
  const counts = new Map<FlagView['kind'], number>();
  for (const flag of flags) counts.set(flag.kind, (counts.get(flag.kind) ?? 0) + 1);
  const kinds = [...counts].map(
    ([kind, count]) => text.t(`flags.${kind}`) + (count > 1 ? ` (${text.number(count)})` : ''),
  );
  return text.t('timeline.flags', { flags: text.n('count.flags', flags.length), kinds: kinds.join(', ') });
}
