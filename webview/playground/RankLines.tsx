import type { PlayHit } from '../../src/inspector/protocol/playground';

/** The height of a hit and the width between columns, in pixels. The style sheet has the same values. */
const ROW = 40;
const GAP = 32;

interface Props {
  readonly left: readonly PlayHit[];
  readonly right: readonly PlayHit[];
  readonly selected?: string;
}

/**
 * Lines that connect a tool's ranks in two neighbouring columns. Hidden from screen readers, since each hit has its
 * move in words.
 */
export function RankLines({ left, right, selected }: Props) {
  const pairs = left.flatMap((hit) => {
    const other = right.find((candidate) => candidate.id === hit.id);
    return other ? [{ id: hit.id, from: middle(hit.rank), to: middle(other.rank) }] : [];
  });
  const height = Math.max(left.length, right.length) * ROW;
  // The selected tool's line is drawn last, on top of the others.
  pairs.sort((a, b) => Number(a.id === selected) - Number(b.id === selected));
  return (
    <svg className="links" width={GAP} height={height} aria-hidden="true">
      {pairs.map(({ id, from, to }) => (
        <path
          key={id}
          className={id === selected ? 'on' : ''}
          d={`M0,${from} C${GAP / 2},${from} ${GAP / 2},${to} ${GAP},${to}`}
        />
      ))}
    </svg>
  );
}

function middle(rank: number): number {
  return (rank - 0.5) * ROW;
}
