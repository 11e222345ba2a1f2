import type { Standing } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import { kindOf, Swatch } from '../parts/Swatch';

/** Id of the filter's input, which gets the focus when another control clears the filter. */
export const FILTER_ID = 'tool-filter';

interface Props {
  readonly filter: string;
  readonly grouped: boolean;
  readonly shown: number;
  /** The number of tools of each set, whatever the filter is. */
  readonly sets: { readonly [loading in Standing]: number };
  readonly total: number;
  readonly servers: number;
  readonly onFilter: (filter: string) => void;
  readonly onGroup: (grouped: boolean) => void;
  readonly onHide: () => void;
}

const SETS: readonly Standing[] = ['eager', 'discovered', 'deferred', 'omitted'];

/** The filter's input above the grid with the sets of tools, the number of shown tools, and the buttons for the whole grid. */
export function FilterBar(props: Props) {
  const { filter, grouped, shown, sets, total, servers, onFilter, onGroup, onHide } = props;
  const { t, n, number } = useText();
  const all = Object.values(sets).reduce((sum, count) => sum + count, 0);
  return (
    <div className="bar stick">
      <input
        id={FILTER_ID}
        type="text"
        value={filter}
        placeholder={t('tools.filterHint')}
        aria-label={t('tools.filter')}
        spellCheck={false}
        onChange={(event) => onFilter(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onFilter('');
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          document.querySelector<HTMLElement>('[role=treegrid] [role=row][tabindex="0"]')?.focus();
        }}
      />
      <span className="dim">
        {filter.trim() === ''
          ? t('tools.total', { tools: n('count.tools', total), servers: n('count.servers', servers) })
          : t('tools.some', { shown, tools: n('count.tools', all) })}
      </span>
      <fieldset className="chips" aria-label={t('tools.sets')}>
        {SETS.filter((set) => sets[set] > 0).map((set) => (
          <button
            key={set}
            type="button"
            aria-pressed={filter === `is:${set}`}
            aria-label={`${number(sets[set])} ${t(`loading.${set}`)}`}
            title={t(`loading.${set}`)}
            onClick={() => onFilter(filter === `is:${set}` ? '' : `is:${set}`)}
          >
            <Swatch kind={kindOf(set)} />
            {number(sets[set])} <span className="word">{t(`loading.${set}`)}</span>
          </button>
        ))}
      </fieldset>
      <button type="button" className="flat push" title={t('tools.hide')} onClick={onHide}>
        <Codicon name="eye-closed" label={t('tools.hide')} />
        <span className="wide" aria-hidden="true">
          {t('tools.hide')}
        </span>
      </button>
      <button
        type="button"
        className="flat"
        aria-pressed={grouped}
        title={t('tools.group')}
        onClick={() => onGroup(!grouped)}
      >
        <Codicon name={grouped ? 'list-tree' : 'list-flat'} label={t('tools.group')} />
        <span className="wide" aria-hidden="true">
          {t('tools.group')}
        </span>
      </button>
    </div>
  );
}
