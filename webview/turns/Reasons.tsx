import type { HostCommand } from '../../src/inspector/protocol/requests';
import type { HeaderView, TurnView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';

interface Props {
  readonly header: HeaderView;
  readonly turn: TurnView;
  /** Whether the reasons are always open, beside the story. */
  readonly beside: boolean;
  readonly run: (command: HostCommand) => void;
}

interface Fact {
  readonly label: string;
  readonly value: string;
  readonly why?: string;
  /** Opens VS Code's list of the alternatives. */
  readonly command?: HostCommand;
}

/** The choices that a turn was made with, each with its reason. */
export function Reasons({ header, turn, beside, run }: Props) {
  const { t } = useText();
  const facts = useFacts(header, turn);
  const list = (
    <dl>
      {facts.map(({ label, value, why, command }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value}{' '}
            {command && (
              <button
                type="button"
                className="link"
                title={t('header.changeWhy')}
                aria-label={t('header.changeOf', { what: label })}
                onClick={() => run(command)}
              >
                {t('header.change')}
              </button>
            )}
            {why && <small>{why}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
  if (!beside)
    return (
      <details className="reasons">
        <summary>{t('header.reasons')}</summary>
        {list}
      </details>
    );
  return (
    <section className="reasons" aria-labelledby="reasons">
      <h3 id="reasons">{t('header.reasons')}</h3>
      {list}
    </section>
  );
}

function useFacts(header: HeaderView, turn: TurnView): readonly Fact[] {
  const { t, tokens, percent } = useText();
  const { model, mode } = header;
  const now = turn.model === model?.name ? model : undefined;
  const rule = now?.rule === undefined ? now?.vendor : t('header.modelRule', { vendor: now.vendor, glob: now.rule });
  return [
    { label: t('header.mode'), value: mode, command: 'selectMode' },
    { label: t('header.strategy'), value: turn.strategy.name, why: turn.strategy.why, command: 'selectStrategy' },
    {
      label: t('header.delivery'),
      value: turn.delivery.name,
      why: turn.delivery.why,
      command: 'selectDelivery',
    },
    { label: t('header.model'), value: turn.model, ...(now ? { why: `${rule}. ${now.prices}` } : {}) },
    ...(turn.cacheReadShare === undefined
      ? []
      : [
          {
            label: t('header.cache'),
            value: t('header.cacheRead', { share: percent(turn.cacheReadShare) }),
            ...(turn.readAgain ? { why: t('header.readAgain', { tokens: tokens(turn.readAgain) }) } : {}),
          },
        ]),
  ];
}
