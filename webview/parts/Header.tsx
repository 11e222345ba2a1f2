import type { ReactNode } from 'react';
import type { HostCommand } from '../../src/inspector/protocol/requests';
import type { Certainty, HeaderView, Tokens } from '../../src/inspector/protocol/view';
import { useReadOnly, useText } from '../hooks';
import type { Unit } from '../weigh';
import { Codicon } from './Codicon';
import { LoadingShare } from './LoadingShare';
import { Mark } from './Mark';
import { UnitToggle } from './UnitToggle';

interface Props {
  readonly header: HeaderView;
  readonly starting: boolean;
  readonly run: (command: HostCommand) => void;
  readonly unit: Unit;
  readonly onUnit: (unit: Unit) => void;
}

/** What is in use and why, and what it comes to. Always visible; a figure that isn't known yet is a dash. */
export function Header({ header, starting, run, unit, onUnit }: Props) {
  const text = useText();
  const { t } = text;
  const { strategy, delivery, model, mode, cacheReadShare } = header;
  const priced = header.priceSavedSession !== undefined;
  const byPrice = priced && unit === 'price';
  const tokens = (label: string, value: Tokens | undefined, write: (tokens: Tokens) => string) => (
    <Figure label={label} certainty={value?.certainty}>
      {value && write(value)}
    </Figure>
  );
  return (
    <header className="head">
      <h1 className="sr">{t('title')}</h1>
      <dl className="how">
        <Choice
          label={t('header.strategy')}
          name={strategy.name}
          why={strategy.why}
          onPick={() => run('selectStrategy')}
        />
        <Choice
          label={t('header.delivery')}
          name={delivery.name}
          why={delivery.why}
          warning={delivery.degraded && t('header.degraded')}
          onPick={() => run('selectDelivery')}
        />
        {model && (
          <Choice
            label={t('header.model')}
            name={model.name}
            why={
              model.rule === undefined
                ? model.vendor
                : t('header.modelRule', { vendor: model.vendor, glob: model.rule })
            }
          />
        )}
        <Choice label={t('header.mode')} name={mode} onPick={() => run('selectMode')} />
        {priced && (
          <div className="unit">
            <dt>{t('turns.unit')}</dt>
            <dd>
              <UnitToggle unit={unit} onChange={onUnit} />
            </dd>
          </div>
        )}
      </dl>
      <dl className="figs">
        <div>
          <dt>{t(starting ? 'header.toolsSoFar' : 'header.tools')}</dt>
          <dd>
            <LoadingShare counts={header.counts} />
          </dd>
        </div>
        {tokens(t('header.inContext'), header.inContext, text.tokens)}
        {tokens(t('header.keptOut'), header.keptOut, text.tokens)}
        {tokens(t('header.netTurn'), byPrice ? header.priceSavedTurn : header.netSavedTurn, text.net)}
        {tokens(t('header.netSession'), byPrice ? header.priceSavedSession : header.netSavedSession, text.net)}
        <Figure label={t('header.cache')} certainty="measured">
          {cacheReadShare === undefined ? undefined : text.percent(cacheReadShare)}
        </Figure>
      </dl>
    </header>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly why?: string;
  readonly warning?: string;
  readonly onPick?: () => void;
}

function Choice({ label, name, why, warning, onPick }: ChoiceProps) {
  const readOnly = useReadOnly();
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {warning && <Codicon name="warning" tone="warn" label={warning} />}
        {onPick && !readOnly ? (
          <button type="button" className="pick" aria-label={`${label}: ${name}`} onClick={onPick}>
            {name}
          </button>
        ) : (
          <b className="set">{name}</b>
        )}
        {why && <span className="why">{why}</span>}
      </dd>
    </div>
  );
}

interface FigureProps {
  readonly label: string;
  readonly certainty?: Certainty;
  /** What there is to say of it in small. */
  readonly note?: string;
  readonly children: ReactNode;
}

function Figure({ label, certainty, note, children }: FigureProps) {
  const { t } = useText();
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <div className="v">
          {children ?? (
            <>
              <span className="dim" aria-hidden="true">
                –
              </span>
              <span className="sr">{t('none yet')}</span>
            </>
          )}
        </div>
        {children !== undefined && certainty && <Mark certainty={certainty} />}
        {note !== undefined && <div className="note dim">{note}</div>}
      </dd>
    </div>
  );
}
