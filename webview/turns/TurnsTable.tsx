import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import type { PartsView, RoundView, TurnView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { PARTS } from '../parts/kinds';
import { Mark } from '../parts/Mark';
import { useOffset } from '../parts/useOffset';

/** The height of a row in pixels. The style sheet has the same value. */
const ROW = 24;
/** The number of columns, without the one for the cache. */
const COLUMNS = 2 + PARTS.length + 4;

interface Props {
  readonly turns: readonly TurnView[];
  /** Whether there is a column for tokens read from a cache. */
  readonly cache: boolean;
  readonly scroller: HTMLElement | null;
}

/** The data of the bars as a table. Only the visible rows are drawn. */
export function TurnsTable({ turns, cache, scroller }: Props) {
  const { t } = useText();
  const body = useRef<HTMLTableSectionElement>(null);
  const rows = useMemo(
    () => turns.flatMap((turn) => [...turn.rounds.map((round) => ({ turn, round })), { turn, round: undefined }]),
    [turns],
  );
  const margin = useOffset(body, scroller, turns);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => ROW,
    overscan: 12,
    scrollMargin: margin,
  });
  const columns = COLUMNS + (cache ? 1 : 0);
  const items = virtualizer.getVirtualItems();
  const above = (items[0]?.start ?? margin) - margin;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? margin) + margin;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
    <section className="scroll" aria-label={t('view.table')} tabIndex={0}>
      <table className="data" aria-rowcount={rows.length + 1}>
        <caption className="sr">{t('turns.table')}</caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t('column.turn')}</th>
            <th scope="col">{t('column.round')}</th>
            {PARTS.map(({ part, label }) => (
              <th key={part} scope="col" className="num">
                {t(label)}
              </th>
            ))}
            <th scope="col" className="num">
              {t('column.sent')}
            </th>
            <th scope="col" className="num">
              {t('column.baseline')}
            </th>
            <th scope="col" className="num">
              {t('column.net')}
            </th>
            {cache && (
              <th scope="col" className="num">
                {t('kind.cache')}
              </th>
            )}
            <th scope="col" className="num">
              {t('column.readAgain')}
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          <Gap height={above} columns={columns} />
          {items.map(({ index }) => {
            const row = rows[index];
            if (!row) return null;
            const key = `${row.turn.turn}/${row.round?.round ?? ''}`;
            return row.round ? (
              <TableRow key={key} index={index} turn={row.turn} round={row.round} cache={cache} />
            ) : (
              <SumRow key={key} index={index} turn={row.turn} cache={cache} />
            );
          })}
          <Gap height={below} columns={columns} />
        </tbody>
      </table>
    </section>
  );
}

/** An empty row in place of rows that aren't drawn. */
function Gap({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row can’t be focused.
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

interface RowProps {
  readonly index: number;
  readonly turn: TurnView;
  readonly cache: boolean;
}

/** The `aria-rowindex` of the first row after the head, which is row 1. */
const FIRST_ROW = 2;

function TableRow({ index, turn, round, cache }: RowProps & { readonly round: RoundView }) {
  const { number } = useText();
  return (
    <tr aria-rowindex={index + FIRST_ROW}>
      <td>{number(turn.turn)}</td>
      <th scope="row">{number(round.round)}</th>
      <Figures parts={round} cache={cache} />
    </tr>
  );
}

function SumRow({ index, turn, cache }: RowProps) {
  const { t, number } = useText();
  return (
    <tr className="sum" aria-rowindex={index + FIRST_ROW}>
      <td>{number(turn.turn)}</td>
      <th scope="row">{t('turns.sum')}</th>
      <Figures parts={turn} cache={cache} />
    </tr>
  );
}

function Figures({ parts, cache }: { readonly parts: PartsView; readonly cache: boolean }) {
  const { tokens, net, number } = useText();
  return (
    <>
      {PARTS.map(({ part }) => (
        <td key={part} className="num">
          {tokens(parts[part])}
        </td>
      ))}
      <td className="num">
        {tokens(parts.sent)} <Mark certainty={parts.sent.certainty} bare />
      </td>
      <td className="num">{tokens(parts.baseline)}</td>
      <td className="num">{net(parts.net)}</td>
      {cache && <td className="num">{parts.cacheRead === undefined ? '–' : number(parts.cacheRead)}</td>}
      <td className="num">{parts.readAgain ? tokens(parts.readAgain) : '–'}</td>
    </>
  );
}
