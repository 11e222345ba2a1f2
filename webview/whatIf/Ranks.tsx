import type { WhatIfView } from '../../src/inspector/protocol/whatIf';
import { useText } from '../hooks';

interface Props {
  /** The strategies, in the order of the ranks. */
  readonly rankedBy: WhatIfView['rankedBy'];
  readonly ranks: WhatIfView['ranks'];
  /** Ids of the tools that a row makes eager. */
  readonly eager: readonly string[];
  readonly onEager: (tools: readonly string[]) => void;
}

/** The ranks of the called tools under each strategy, with checkboxes for the tools to replay as eager. */
export function Ranks({ rankedBy, ranks, eager, onEager }: Props) {
  const { t, number } = useText();
  if (ranks.length === 0) return null;
  return (
    <>
      <h2>{t('whatIf.ranks')}</h2>
      <p className="said dim">{t('whatIf.ranksWhy')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard. */}
      <section className="scroll" aria-label={t('whatIf.ranks')} tabIndex={0}>
        <table className="data">
          <caption className="sr">{t('whatIf.ranks')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('whatIf.tool')}</th>
              <th scope="col">{t('whatIf.query')}</th>
              {rankedBy.map((strategy) => (
                <th key={strategy} scope="col" className="num">
                  {strategy}
                </th>
              ))}
              <th scope="col">{t('whatIf.makeEager')}</th>
            </tr>
          </thead>
          <tbody>
            {ranks.map(({ tool, query, ranks: places }, index) => (
              <tr key={`${tool} ${query}`}>
                <th scope="row">{tool}</th>
                <td>{query}</td>
                {places.map((rank, place) => (
                  <td key={rankedBy[place]} className="num">
                    {rank === null ? '–' : number(rank)}
                  </td>
                ))}
                <td>
                  {ranks.findIndex((other) => other.tool === tool) === index && (
                    <input
                      type="checkbox"
                      aria-label={t('whatIf.makeEagerOf', { tool })}
                      checked={eager.includes(tool)}
                      onChange={({ target }) =>
                        onEager(target.checked ? [...eager, tool] : eager.filter((other) => other !== tool))
                      }
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
