import { memo } from 'react';
import type { Pin, ToolView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import { kindOf, Swatch } from '../parts/Swatch';
import { Cell } from './Cell';
import { PinRadios } from './PinRadios';
import { RowFrame } from './RowFrame';
import { TokenBar } from './TokenBar';

interface Props {
  readonly index: number;
  readonly level: number;
  readonly active: boolean;
  readonly top: number;
  readonly tool: ToolView;
  /** Whether the tool's reason is the one that most tools share. That reason is shown only once, above all tools. */
  readonly usual: boolean;
  readonly open: boolean;
  readonly onToggle: (id: string) => void;
  readonly onPin: (id: string, pin: Pin) => void;
}

/** A tool's row: its size, its loading and the reason. Without groups, the server's name precedes the tool's. */
export const ToolRow = memo(function ToolRow(props: Props) {
  const { index, level, active, top, tool, usual, open, onToggle, onPin } = props;
  const text = useText();
  const { t } = text;
  const { discoveredAt } = tool;
  return (
    <RowFrame
      index={index}
      level={level}
      active={active}
      top={top}
      className={`tr t l${level} ${open ? 'open' : ''}`}
      expanded={open}
      menu={{ webviewSection: 'tool', tool: tool.id }}
    >
      <Cell className="nm">
        <button type="button" className="tog" tabIndex={-1} aria-label={tool.name} onClick={() => onToggle(tool.id)}>
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
      </Cell>
      <Cell className="tok num">
        <TokenBar value={tool.tokens.value} loading={tool.loading} />
        {tool.tokens.certainty === 'estimated' && <span className="sr">{t('estimated')}</span>}
        {text.number(tool.tokens.value)}
      </Cell>
      <Cell className="c-tri">
        <PinRadios
          label={t('tools.pinOf', { name: tool.id })}
          name={`pin tool ${tool.id}`}
          value={tool.pin}
          tabbable={active}
          onChange={(pin) => onPin(tool.id, pin)}
        />
      </Cell>
      <Cell className="lo c-lo">
        <Swatch kind={kindOf(tool.loading)} />
        {t(`loading.${tool.loading}`)}
      </Cell>
      <Cell className={`c-why ${open ? '' : 'dim'}`} title={tool.reasonLong}>
        {!usual && tool.reason}
      </Cell>
      <Cell className="c-at">
        {discoveredAt && t('tools.discoveredShort', { turn: discoveredAt.turn, round: discoveredAt.round })}
      </Cell>
      <Cell className="c-n num">{tool.calls > 0 && text.number(tool.calls)}</Cell>
    </RowFrame>
  );
});
