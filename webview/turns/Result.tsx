import type { ReactNode, Ref } from 'react';
import type { TurnView, Unit } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import type { Store } from '../store';
import { amountsOf, failedCalls, signed, verdictOf } from '../verdict';

interface Props {
  readonly turn: TurnView;
  readonly unit: Unit;
  readonly store: Store;
  readonly heading: Ref<HTMLHeadingElement>;
}

/** A turn's question and result: good or bad, against what, and what to do about it. */
export function Result({ turn, unit, store, heading }: Props) {
  const text = useText();
  const { t, n } = text;
  const { icon, tone, words } = verdictOf(turn, unit, text);
  const { sent, baseline, texts, sentence } = amountsOf(turn, unit, text);
  const loss = turn.loss[unit];
  const share = (value: number) => `${(value / Math.max(sent, baseline, Number.EPSILON)) * 100}%`;
  return (
    <div className="result">
      <p className="question">
        <span className="dim">{t('turn.name', { turn: turn.turn })}</span>
        <b className="q" title={turn.prompt}>
          {turn.prompt}
        </b>
      </p>
      <h2 tabIndex={-1} ref={heading}>
        <Codicon name={icon} tone={tone} /> {words}
        {turn.compared && <span className="sr">. {sentence}.</span>}
      </h2>
      {turn.compared && (
        <div className="compare" aria-hidden="true" title={t(`amounts.${unit}`)}>
          <span>{t('result.turn')}</span>
          <i className={sent > baseline ? 'this over' : 'this'} style={{ width: share(sent) }} />
          <b>{texts.sent}</b>
          <span>{n('result.all', turn.tools)}</span>
          <i className="all" style={{ width: share(baseline) }} />
          <span>{texts.baseline}</span>
        </div>
      )}
      {turn.withModel && (
        <p>
          {t('turns.withModel', {
            sent: text.tokens(turn.withModel.sent),
            baseline: text.tokens(turn.withModel.baseline),
          })}
        </p>
      )}
      {turn.ofAgent && <p className="dim">{t('turns.ofAgent')}</p>}
      {(turn.end?.status === 'failed' || turn.end?.status === 'cancelled') && (
        <Ended turn={turn} unit={unit} status={turn.end.status} message={turn.end.message} store={store} />
      )}
      {turn.end?.status === 'answered' && turn.calls.failed > 0 && (
        <Box tone="bad">
          <p>
            <b className="bad">{failedCalls(turn, text)}.</b> {t('result.failedCalls')}
          </p>
        </Box>
      )}
      {loss && turn.compared && <Loss turn={turn} loss={loss} unit={unit} store={store} />}
    </div>
  );
}

function Box({ tone, children }: { readonly tone: string; readonly children: ReactNode }) {
  return <div className={`box ${tone}`}>{children}</div>;
}

interface EndedProps extends Pick<Props, 'turn' | 'unit' | 'store'> {
  readonly status: 'failed' | 'cancelled';
  readonly message: string | undefined;
}

/** Why a turn has no answer, what it cost, what had already run, and what to do. */
function Ended({ turn, unit, status, message, store }: EndedProps) {
  const text = useText();
  const { t, n } = text;
  const { sent, texts } = amountsOf(turn, unit, text);
  const ran = turn.calls.total - turn.calls.failed;
  return (
    <Box tone={status === 'failed' ? 'bad' : ''}>
      <p>
        <b>{message ?? t(`turns.ended.${status}`)}</b>{' '}
        {sent > 0 && n('result.cost', turn.requests, { cost: texts.sent })}
      </p>
      {ran > 0 && <p>{n('result.ran', ran)}</p>}
      {status === 'failed' && (
        <p>
          {t('result.askAgain')}{' '}
          <button type="button" className="btn two" onClick={() => store.run('showLog')}>
            {t('action.showLog')}
          </button>
        </p>
      )}
    </Box>
  );
}

interface LossProps extends Pick<Props, 'turn' | 'unit' | 'store'> {
  readonly loss: NonNullable<TurnView['loss'][Unit]>;
}

/** Why a turn cost more, as an arithmetic if its terms are known, and the pin that would help. */
function Loss({ turn, loss, unit, store }: LossProps) {
  const text = useText();
  const { t } = text;
  const { pinServer } = loss;
  const { sent, baseline } = amountsOf(turn, unit, text);
  const overhead = unit === 'usd' ? turn.overhead.usd : turn.overhead.tokens.value;
  const kept = overhead === undefined ? -1 : baseline - (sent - overhead);
  return (
    <Box tone="over">
      <p>
        <b>{t('result.why')}</b> {loss.text}
      </p>
      {overhead !== undefined && kept >= 0 && (
        <table>
          <tbody>
            <Term value={signed(overhead, unit, text)} label={t('result.overhead')} />
            <Term value={signed(-kept, unit, text)} label={t('result.kept')} />
            <Term value={signed(overhead - kept, unit, text)} label={t('result.more', { tools: turn.tools })} />
          </tbody>
        </table>
      )}
      {pinServer !== undefined && (
        <p>
          <button
            type="button"
            className="btn two"
            onClick={() => store.pin({ kind: 'server', id: pinServer }, 'eager')}
          >
            {t('turns.pin', { server: pinServer })}
          </button>
        </p>
      )}
    </Box>
  );
}

function Term({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <tr>
      <td className="num">{value}</td>
      <th scope="row">{label}</th>
    </tr>
  );
}
