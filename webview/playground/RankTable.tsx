import type { PlayColumn } from '../../src/inspector/protocol/playground';
import { useText } from '../hooks';
import { MarkedText } from '../timeline/MarkedText';
import { NothingFound } from './NothingFound';
import { moveOf, toolsOf } from './ranks';

/** The ranks as a table. It replaces the columns in a narrow panel. */
export function RankTable({ columns }: { readonly columns: readonly PlayColumn[] }) {
  const text = useText();
  const { t, number, duration } = text;
  const [first] = columns;
  return (
    <div className="narrow">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard. */}
      <section className="scroll" aria-label={t('play.matrix')} tabIndex={0}>
        <table className="ranks">
          <caption className="sr">{t('play.matrix')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('tools.name')}</th>
              {columns.map((column) => (
                <th scope="col" className="num" key={column.strategy}>
                  {column.strategy}
                  <br />
                  <span className="dim">{column.running ? '…' : duration(column.ms)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {toolsOf(columns).map((tool) => (
              <tr key={tool.id}>
                <th scope="row" title={tool.id}>
                  <span className="srv">{tool.server}/</span>
                  <MarkedText text={tool.name} terms={tool.terms} />
                </th>
                {columns.map((column) => {
                  const rank = column.hits.find((hit) => hit.id === tool.id)?.rank;
                  const move =
                    rank !== undefined && first && column !== first ? moveOf(tool.id, rank, first, text) : undefined;
                  return (
                    <td
                      key={column.strategy}
                      className={`num ${rank !== undefined && rank <= column.returned ? 'in' : ''}`}
                    >
                      {move && (move.sign === '▲' || move.sign === '▼') && (
                        <>
                          <span className="mv" aria-hidden="true">
                            {move.sign}
                          </span>{' '}
                        </>
                      )}
                      {rank === undefined ? <Miss /> : number(rank)}
                      {move && <span className="sr">, {move.words}</span>}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {columns.map((column) => (
        <NothingFound key={column.strategy} column={column} named />
      ))}
    </div>
  );
}

function Miss() {
  const { t } = useText();
  return (
    <span className="dim">
      <span aria-hidden="true">·</span>
      <span className="sr">{t('play.none')}</span>
    </span>
  );
}
