import { useState } from 'react';
import type { PlayAnswer } from '../../src/inspector/protocol/playground';
import type { Standing } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Column } from './Column';
import { RankTable } from './RankTable';
import { ScoreParts } from './ScoreParts';
import { useHitKeys } from './useHitKeys';

interface Props {
  readonly answer: PlayAnswer & { mode: 'query' };
  readonly loading: ReadonlyMap<string, Standing>;
}

/** All strategies side by side, with lines between a tool's ranks. In a narrow panel, it is a table of ranks. */
export function Comparison({ answer, loading }: Props) {
  const { t } = useText();
  const { columns, limit } = answer;
  const [selected, setSelected] = useState<string>();
  const { onKeyDown, isActive, onFocus } = useHitKeys(columns);
  const [first] = columns;
  if (!first) return null;
  const [top] = first.hits;
  return (
    <>
      <output className="sr" aria-live="polite">
        {top
          ? t('play.said', {
              strategy: first.strategy,
              matched: first.matched,
              searched: first.searched,
              name: top.name,
            })
          : t('play.saidNothing', { strategy: first.strategy })}
      </output>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the buttons in it. */}
      <div className="cmp wide" onKeyDown={onKeyDown}>
        {columns.map((column, index) => (
          <Column
            key={column.strategy}
            index={index}
            column={column}
            before={columns[index - 1]}
            against={first}
            loading={loading}
            selected={selected}
            isActive={isActive}
            onFocus={onFocus}
            onSelect={(id) => setSelected(id === selected ? undefined : id)}
          />
        ))}
      </div>
      <RankTable columns={columns} />
      {columns.some((column) => column.hits.length > column.returned) && (
        <p className="foot dim">
          <span className="wide">{t('play.limitLine', { n: limit })}</span>
          <span className="narrow">{t('play.limitBold', { n: limit })}</span>
        </p>
      )}
      {columns.map(
        (column) =>
          column.words && <ScoreParts key={column.strategy} column={column} words={column.words} selected={selected} />,
      )}
    </>
  );
}
