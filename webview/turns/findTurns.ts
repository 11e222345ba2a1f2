import type { TurnView, Unit } from '../../src/inspector/protocol/view';
import type { Text } from '../../src/inspector/text/text';
import { costsMore } from '../verdict';

/** The states that a turn can be searched by. A turn can have several. */
export const STATUSES = ['failed', 'stopped', 'more'] as const;
type Status = (typeof STATUSES)[number];

export function hasStatus(turn: TurnView, status: Status, unit: Unit): boolean {
  if (status === 'failed') return turn.end?.status === 'failed' || turn.calls.failed > 0;
  return status === 'stopped' ? turn.end?.status === 'cancelled' : costsMore(turn, unit);
}

interface Found {
  readonly turns: readonly TurnView[];
  /** A key of the query that doesn't exist. */
  readonly unknown?: string;
}

const KEYS = ['status', 'tool', 'server', 'cause'] as const;

/**
 * Returns the turns that contain all words of a query: in the question, model, status, tools or causes. A word such as
 * `server:github` must be in that place.
 */
export function findTurns(turns: readonly TurnView[], query: string, unit: Unit, text: Text): Found {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const keyOf = (word: string) => /^([a-z]+):(?!\/\/)/.exec(word)?.[1];
  const unknown = words.map(keyOf).find((key) => key !== undefined && !KEYS.some((known) => known === key));
  if (unknown !== undefined) return { turns: [], unknown };
  const found = turns.filter((turn) => {
    const places = placesOf(turn, unit, text);
    return words.every((word) => {
      const key = KEYS.find((known) => known === keyOf(word));
      return key ? places[key].includes(word.slice(key.length + 1)) : Object.values(places).join(' ').includes(word);
    });
  });
  return { turns: found };
}

function placesOf(turn: TurnView, unit: Unit, { t }: Text) {
  const { calls, prompt, model, readAgain, searches, running } = turn;
  const status = [
    ...STATUSES.filter((each) => hasStatus(turn, each, unit)).flatMap((each) => [each, t(`find.${each}`)]),
    ...(running ? [t('turns.running')] : []),
    ...(turn.end?.status === 'answered' ? ['answered', t('turns.answered')] : []),
  ];
  const cause = [...(readAgain ? ['cache miss', t('timeline.cacheMiss')] : []), ...(searches > 1 ? ['searched'] : [])];
  const places = {
    status: status.join(' '),
    tool: calls.tools.join(' '),
    server: calls.tools.map((id) => id.split('/')[0]).join(' '),
    cause: cause.join(' '),
    other: `${turn.turn} ${prompt} ${model}`,
  };
  return Object.fromEntries(
    Object.entries(places).map(([place, words]) => [place, words.toLowerCase()]),
  ) as typeof places;
}
