import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import { kindOf, Swatch } from '../parts/Swatch';
import type { CellContext, RowOf } from './row';

/** A tool's name. Without groups, the server's name precedes it. */
export function ToolName({ row, onToggle }: CellContext & { readonly row: RowOf<'tool'> }) {
  const { level, tool, open } = row;
  const { t } = useText();
  return (
    <>
      <button type="button" className="tog" tabIndex={-1} aria-label={tool.name} onClick={() => onToggle(row)}>
        <Codicon name={open ? 'chevron-down' : 'chevron-right'} />
      </button>
      <span className="narrow" title={t(`loading.${tool.loading}`)}>
        <Swatch kind={kindOf(tool.loading)} />
        <span className="sr">{t(`loading.${tool.loading}`)}</span>
      </span>
      <span className="name" title={tool.title ? `${tool.name}\n${tool.title}` : tool.name}>
        {level === 1 && <span className="srv">{tool.server}/</span>}
        {tool.name}
      </span>
      {tool.changed && (
        <span className="flag">
          <Codicon name="diff" tone="warn" />
          {t('tools.changed')}
        </span>
      )}
    </>
  );
}
