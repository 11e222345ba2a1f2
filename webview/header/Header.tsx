import { useState } from 'react';
import type { HostCommand } from '../../src/inspector/protocol/requests';
import type { HeaderView, Loading, ViewState } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import { Toggle } from '../parts/Toggle';
import type { Unit } from '../weigh';
import { Headline } from './Headline';

const LOADINGS: readonly Loading[] = ['eager', 'discovered', 'deferred'];

interface Props {
  readonly state: ViewState;
  readonly run: (command: HostCommand) => void;
  readonly unit: Unit;
  readonly onUnit: (unit: Unit) => void;
}

/**
 * The header of every section: first the saving, then the strategy, delivery and mode in use, with collapsed reasons.
 */
export function Header({ state, run, unit, onUnit }: Props) {
  const { t, number, percent } = useText();
  const [open, setOpen] = useState(false);
  const { header } = state;
  const { cacheReadShare, counts } = header;
  const choices = choicesOf(header, t);
  const starting = state.servers.some((server) => server.state === 'starting');
  return (
    <header className="head">
      <h1 className="sr">{t('title')}</h1>
      <Headline state={state} unit={unit} />
      <div className="plan">
        <span className="dim">
          {t(starting ? 'header.toolsSoFar' : 'header.tools', {
            counts: LOADINGS.map((loading) => `${number(counts[loading])} ${t(`loading.${loading}`)}`).join(' · '),
          })}
        </span>
        <span className="picks">
          {choices.map((choice) => (
            <Choice key={choice.label} {...choice} run={run} />
          ))}
        </span>
        <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('header.reasons')}
        </button>
        {cacheReadShare !== undefined && (
          <span className="dim">{t('header.cache', { share: percent(cacheReadShare) })}</span>
        )}
        {header.session?.cost && (
          <Toggle
            label={t('turns.unit')}
            options={[
              ['tokens', t('turns.unit.tokens')],
              ['cost', t('turns.unit.cost')],
            ]}
            value={unit}
            onChange={onUnit}
          />
        )}
      </div>
      {open && (
        <dl className="reasons">
          {choices.map(({ label, name, why }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <b>{name}</b> {why}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </header>
  );
}

interface ChoiceView {
  readonly label: string;
  readonly name: string;
  readonly why?: string;
  readonly warning?: string;
  readonly command?: HostCommand;
}

function choicesOf(header: HeaderView, t: ReturnType<typeof useText>['t']): readonly ChoiceView[] {
  const { strategy, delivery, mode, model } = header;
  return [
    {
      label: t('header.delivery'),
      ...delivery,
      command: 'selectDelivery',
    },
    { label: t('header.strategy'), ...strategy, command: 'selectStrategy' },
    { label: t('header.mode'), name: mode, command: 'selectMode' },
    ...(model
      ? [
          {
            label: t('header.model'),
            name: model.name,
            why: `${
              model.rule === undefined
                ? model.vendor
                : t('header.modelRule', { vendor: model.vendor, glob: model.rule })
            }. ${model.prices}`,
          },
        ]
      : []),
  ];
}

/** The name of a choice in use, with its reason on hover. A click opens VS Code's list of the alternatives. */
function Choice({ label, name, why, warning, command, run }: ChoiceView & Pick<Props, 'run'>) {
  const title = why ? `${label}: ${name} (${why})` : `${label}: ${name}`;
  return (
    <span className="pick">
      {warning && <Codicon name="warning" tone="warn" label={warning} />}
      {command ? (
        <button type="button" title={title} aria-label={`${label}: ${name}`} onClick={() => run(command)}>
          {name}
        </button>
      ) : (
        <span title={title}>
          <span className="sr">{label}: </span>
          {name}
        </span>
      )}
    </span>
  );
}
