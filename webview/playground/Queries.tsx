import type { PlayAnswer, PlayRow } from '../../src/inspector/protocol/playground';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';

type QueriesAnswer = PlayAnswer & { mode: 'tool' };

interface Props {
  readonly answer: QueriesAnswer;
  readonly onTry: (query: string) => void;
}

/** The queries for one tool: each with the tool's rank under each strategy, and the tools that rank higher. */
export function Queries({ answer, onTry }: Props) {
  const { t } = useText();
  const { tool, strategies, rows, depth, running } = answer;
  const name = tool.slice(tool.lastIndexOf('/') + 1);
  if (rows.length === 0 && !running) return <p className="say">{t('detail.gone', { tool })}</p>;
  return (
    <div className="finds">
      <output className="verdict" aria-live="polite">
        {!running && <Verdict answer={answer} />}
      </output>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard. */}
      <section className="scroll" aria-label={t('play.rows', { name })} tabIndex={0}>
        <table className="ranks">
          <caption className="sr">{t('play.rows', { name })}</caption>
          <thead>
            <tr>
              <th scope="col">{t('play.query')}</th>
              <th scope="col" className="src">
                {t('play.source')}
              </th>
              {strategies.map((strategy) => (
                <th scope="col" className="num" key={strategy.name}>
                  {strategy.name} {strategy.inUse && <span className="dim wide">{t('play.inUse')}</span>}
                </th>
              ))}
              <th scope="col" className="before">
                {t('play.above')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={`${row.source} ${row.query}`} row={row} depth={depth} strategies={strategies} onTry={onTry} />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function Verdict({ answer }: { readonly answer: QueriesAnswer }) {
  const { t } = useText();
  const { rows, limit, strategies } = answer;
  const found = rows.filter(({ cells: [cell] }) => cell?.returned).length;
  const strategy = strategies[0]?.name ?? '';
  const args = { found, queries: rows.length, limit, strategy };
  return (
    <>
      <Codicon name={found > 0 ? 'pass' : 'warning'} tone={found > 0 ? 'ok' : 'warn'} />{' '}
      {t(found === 0 ? 'play.verdictNone' : found === rows.length ? 'play.verdictAll' : 'play.verdictSome', args)}
    </>
  );
}

interface RowProps {
  readonly row: PlayRow;
  readonly depth: number;
  readonly strategies: QueriesAnswer['strategies'];
  readonly onTry: (query: string) => void;
}

function Row({ row, depth, strategies, onTry }: RowProps) {
  const { t, number } = useText();
  return (
    <tr>
      <th scope="row">
        <button type="button" className="link" onClick={() => onTry(row.query)}>
          {row.query}
        </button>
      </th>
      <td className="dim src">{t(`play.from.${row.source}`)}</td>
      {row.cells.map(({ rank, returned, error }, index) => (
        <td key={strategies[index]?.name ?? index} className={`num ${returned ? 'in' : ''}`} title={error}>
          {error !== undefined ? (
            <Codicon name="error" tone="err" label={error} />
          ) : rank !== undefined ? (
            number(rank)
          ) : (
            <span className="dim" title={t('play.deeper', { n: depth })}>
              <span aria-hidden="true">·</span>
              <span className="sr">{t('play.notFound')}</span>
            </span>
          )}
        </td>
      ))}
      <td className="before">
        {row.above.length === 0
          ? row.cells[0]?.rank === 1 && <span className="dim">{t('play.first')}</span>
          : row.above.map((tool, index) => (
              <span key={tool.id} title={tool.id}>
                {index > 0 && ', '}
                <span className="srv">{tool.server}/</span>
                {tool.name}
              </span>
            ))}
      </td>
    </tr>
  );
}
