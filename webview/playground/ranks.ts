import type { PlayColumn } from '../../src/inspector/protocol/playground';
import type { Text } from '../../src/inspector/text/text';

/** A tool's rank compared with its rank under the strategy in use: `▲` is better, `▼` worse, `new` not found there. */
interface Move {
  readonly sign: '=' | '▲' | '▼' | 'new';
  /** The number of places, which is shown after the sign. */
  readonly by: number;
  /** The comparison in words, for screen readers. */
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

/** Returns every tool that any strategy found: first those of the first column, then further ones of the next. */
export function toolsOf(columns: readonly PlayColumn[]): readonly PlayColumn['hits'][number][] {
  const seen = new Map<string, PlayColumn['hits'][number]>();
  for (const column of columns) for (const hit of column.hits) if (!seen.has(hit.id)) seen.set(hit.id, hit);
  return [...seen.values()];
}
