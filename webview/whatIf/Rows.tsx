import type { WhatIfRowView, WhatIfView } from '../../src/inspector/protocol/whatIf';
import { changeLabel } from '../../src/inspector/text/changeLabel';
import { useText } from '../hooks';

interface Props {
  readonly table: WhatIfView;
  /** The number of the turn whose figures are shown; undefined for the sums. */
  readonly turn: number | undefined;
  /** Applies a row; undefined if nothing can be changed. */
  readonly onApply: ((row: string) => void) | undefined;
}

const TOOLS = 3;

/** A row for each setting. The first row has the recorded figures, and the others are compared with it. */
export function Rows({ table, turn, onApply }: Props) {
  const text = useText();
  const { t } = text;
  const figures = (row: WhatIfRowView) => row.turns.find((each) => each.turn === turn) ?? row;
  const [recorded] = table.rows;
  if (!recorded) return null;
  const before = figures(recorded);
  const hasCost = table.rows.every((row) => figures(row).cost !== undefined);
  const estimated = (value: number) => ({ value: Math.round(value), certainty: 'estimated' as const });
  // The row of today's settings is left out if its figures equal the recorded ones.
  const rows = table.rows.filter(
    (row) => row.change.kind !== 'today' || row.tokens !== recorded.tokens || row.requests !== recorded.requests,
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
    <section className="scroll" aria-label={t('whatIf.table')} tabIndex={0}>
      <table className="data">
        <caption className="sr">{t('whatIf.table')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('whatIf.setting')}</th>
            <th scope="col" className="num">
              {t('whatIf.requests')}
            </th>
            <th scope="col" className="num">
              {t('whatIf.tokens')}
            </th>
            {hasCost && (
              <th scope="col" className="num" title={t('whatIf.costTitle')}>
                {t('whatIf.cost')}
              </th>
            )}
            <th scope="col" className="num">
              {t('whatIf.saved')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { requests, tokens, cost = tokens } = figures(row);
            const isRecorded = row === recorded;
            const certainty = isRecorded && table.measured ? ('measured' as const) : ('estimated' as const);
            const saved = (hasCost ? (before.cost ?? 0) : before.tokens) - (hasCost ? cost : tokens);
            const label = changeLabel(row.change, text);
            const isBest = row.id === table.best;
            return (
              <tr key={row.id} data-row={row.id}>
                <th scope="row">
                  <span className="label">{label}</span> {isBest && <b className="best">{t('whatIf.best')}</b>}{' '}
                  {isBest && onApply && (
                    <button
                      type="button"
                      className="btn two"
                      aria-label={t('whatIf.applyOf', { label })}
                      onClick={() => onApply(row.id)}
                    >
                      {t('whatIf.apply')}
                    </button>
                  )}
                  <Notes row={row} />
                </th>
                <td className="num">{isRecorded ? text.number(requests) : text.tokens(estimated(requests))}</td>
                <td className="num">{text.tokens({ value: tokens, certainty })}</td>
                {hasCost && <td className="num">{text.tokens(estimated(cost))}</td>}
                <td className="num">{isRecorded ? '' : text.net(estimated(saved))}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Notes({ row: { missed, rough } }: { readonly row: WhatIfRowView }) {
  const { t } = useText();
  const more = missed.length > TOOLS ? '…' : '';
  return (
    <>
      {missed.length > 0 && (
        <span className="note dim">{t('whatIf.missed', { tools: missed.slice(0, TOOLS).join(', ') + more })}</span>
      )}
      {rough && <span className="note dim">{t(`whatIf.rough.${rough}`)}</span>}
    </>
  );
}
