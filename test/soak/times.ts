// Rules on the times of a turn and the order of its events.
import { eventsOf, type LedgerEvent } from '../../src/core/ledger/events';
import type { Plan } from './plan';

/** Milliseconds by which two readings of the clock may differ. */
const CLOCK = 50;
/** Milliseconds that a plan may take, and a call beyond its limit. The machine may be busy. */
const LATE = 10_000;

/** What was recorded before its turn began or after it ended, lasted longer than the turn, or came in a wrong order. */
export function mistimed(own: readonly LedgerEvent[], plan: Plan | undefined): readonly string[] {
  const [[started], [ended]] = [eventsOf(own, 'turnStarted'), eventsOf(own, 'turnEnded')];
  if (!started || !ended) return [];
  const lasted = ended.at - started.at;
  return [
    ...own.flatMap((event) => {
      const ms = 'ms' in event && event !== ended ? event.ms : 0;
      const isIn = ms >= 0 && event.at - ms >= started.at - CLOCK && event.at <= ended.at + CLOCK;
      return isIn ? [] : [`${event.type} lasted ${ms} ms until ${event.at - started.at}, in a turn of ${lasted}`];
    }),
    // The plan comes before the first event, and an agent's turn ends when it is idle.
    ...(ended.ms > lasted + LATE || ended.ms < (plan?.asker === 'user' ? lasted - CLOCK : 0)
      ? [`a turn of ${lasted} ms is told to last ${ended.ms}`]
      : []),
    ...own.flatMap((event, at) => misplaced(event, own.slice(0, at))),
    ...eventsOf(own, 'called').flatMap(({ tool, ms, summary }) => {
      const late = ms - 1_000 * (plan?.settings.toolTimeouts?.['*/hang'] ?? Number.NaN);
      const isOver = tool.endsWith('/hang') && summary.includes('did not answer');
      return isOver && (late < -CLOCK || late > LATE) ? [`${tool} was given up ${late} ms after its limit`] : [];
    }),
  ];
}

/** What is recorded before that from which it follows. */
function misplaced(event: LedgerEvent, before: readonly LedgerEvent[]): readonly string[] {
  const script = 'script' in event ? event.script : event.type === 'scriptEnded' && event.callId;
  const begun = eventsOf(before, 'scriptStarted').some(({ callId }) => callId === script);
  const rounds = eventsOf(before, 'roundStarted').map(({ round }) => round);
  const found = eventsOf(before, 'searched').flatMap(({ hits }) => hits.map(({ id }) => id));
  const known = eventsOf(before, 'discovered').flatMap(({ ids }) => ids);
  const wrong = [
    before.length === 0 && event.type !== 'turnStarted' && 'before the start of its turn',
    script && !begun && 'before the start of its script',
    event.type === 'roundStarted' &&
      ![0, 1].includes(event.round - (rounds.at(-1) ?? 0)) &&
      `after round ${rounds.at(-1)}`,
    event.type === 'roundEnded' && !rounds.includes(event.round) && 'before the start of its round',
    event.type === 'discovered' && !event.ids.every((id) => found.includes(id)) && 'before it was found',
    event.type === 'called' && event.withoutDiscovery && known.includes(event.tool) && 'as undiscovered, after that',
  ];
  return wrong.flatMap((what) => (what ? `${event.type} is recorded ${what}` : []));
}
