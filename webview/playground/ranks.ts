import type { PlayColumn } from '../../src/inspector/protocol/playground';
import type { Text } from '../../src/inspector/text/text';

/**
 * How a rank stands to the one under the strategy in use: `higher` is better than 0, worse below; absent if that
 * has none.
 */
interface Move {
  readonly sign: '=' | '▲' | '▼' | 'new';
  /** For the eye, behind the sign. */
  readonly by: number;
  /** For screen readers. */
  readonly words: string;
}

export function moveOf(id: string, rank: number, against: PlayColumn, text: Text): Move {
  const other = against.hits.find((hit) => hit.id === id)?.rank;
  if (other === undefined) return { sign: 'new', by: 0, words: text.t('play.newLong', { strategy: against.strategy }) };
  const by = Math.abs(other - rank);
  if (by === 0) return { sign: '=', by, words: text.t('play.same') };
  return other > rank
    ? { sign: '▲', by, words: text.t('play.up', { n: by }) }
    : { sign: '▼', by, words: text.t('play.down', { n: by }) };
}

/** Every tool that any strategy found, in the order of the first column, then of the next. */
export function toolsOf(columns: readonly PlayColumn[]): readonly PlayColumn['hits'][number][] {
  const seen = new Map<string, PlayColumn['hits'][number]>();
  for (const column of columns) for (const hit of column.hits) if (!seen.has(hit.id)) seen.set(hit.id, hit);
  return [...seen.values()];
}
