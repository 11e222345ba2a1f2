import type { HeaderView, Pin, Tokens } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Cell } from './Cell';
import { PinRadios } from './PinRadios';
import { type FrameProps, RowFrame } from './RowFrame';

interface Props {
  readonly frame: FrameProps;
  readonly mode: HeaderView['mode'];
  readonly tokens: Tokens;
  readonly calls: number;
  /** The reason that most tools share. */
  readonly reason: string;
  readonly onPin: (pin: Pin) => void;
}

/**
 * The pin value that the row shows for each mode. Mode `on` defers all tools that may be deferred, mode `off` none.
 */
const PIN_OF_MODE = { auto: 'auto', on: 'deferred', off: 'eager' } as const;

/** The row with the setting for all tools, which is the mode. */
export function AllRow({ frame, mode, tokens, calls, reason, onPin }: Props) {
  const text = useText();
  const { t } = text;
  return (
    <RowFrame {...frame} className="tr all">
      <Cell className="nm">
        <b>{t('tools.all')}</b>
      </Cell>
      <Cell className="num">{text.tokens(tokens)}</Cell>
      <Cell className="c-tri">
        <PinRadios
          label={t('tools.pinOfAll')}
          name="pin all"
          value={PIN_OF_MODE[mode]}
          withoutOff
          tabbable={frame.active}
          onChange={onPin}
        />
      </Cell>
      <Cell className="c-lo">{t('tools.mode', { mode })}</Cell>
      <Cell className="c-why dim" title={reason}>
        {reason}
      </Cell>
      <Cell className="c-at" />
      <Cell className="c-n num">{calls > 0 && text.number(calls)}</Cell>
    </RowFrame>
  );
}
