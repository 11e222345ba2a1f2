import { Fragment, type ReactElement } from 'react';
import type { EventView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import { Swatch } from '../parts/Swatch';
import { Flag } from './Flag';
import { Hits } from './Hits';
import { MarkedText } from './MarkedText';
import { Script, type ScriptActions } from './Script';

interface Props {
  readonly event: EventView;
  /** The ids of the tools that the turn called; empty while it runs. */
  readonly called: ReadonlySet<string>;
  /** Opens the playground with a query. */
  readonly onTry: (query: string) => void;
  readonly script: ScriptActions;
}

/** An event described in words. */
export function EventBody({ event, called, onTry, script }: Props): ReactElement | null {
  const text = useText();
  const { t } = text;
  const flags = event.flags.map((flag) => <Flag key={flag.text} flag={flag} />);
  switch (event.kind) {
    case 'round':
      return null;
    case 'search':
      return <SearchBody event={event} called={called} onTry={onTry} />;
    case 'discovered':
      return (
        <>
          <b>{t('timeline.discovered')}</b>{' '}
          {event.tools.map((tool, index) => (
            <Fragment key={tool.id}>
              {index > 0 && ', '}
              <span title={tool.id}>{tool.name}</span>
            </Fragment>
          ))}{' '}
          <span className="dim">
            {[
              ...(event.tokens ? [t('timeline.added', { tokens: text.tokens(event.tokens) })] : []),
              ...(event.unused > 0 ? [t('timeline.unused', { n: event.unused })] : []),
            ].join(' · ')}
          </span>
        </>
      );
    case 'call':
      return (
        <>
          <b>{t('timeline.call')}</b> {event.server !== undefined && <span className="srv">{event.server}/</span>}
          {event.name} <span className="dim">→ {event.summary}</span>
          {flags}
          <span className="args" title={event.args}>
            {event.args}
          </span>
        </>
      );
    case 'cacheMiss':
      return (
        <>
          <b>{t('timeline.cacheMiss')}</b>: {event.why} ·{' '}
          <span className="dim">
            {t('timeline.cacheFigures', { same: text.tokens(event.same), readAgain: text.tokens(event.readAgain) })}
          </span>
        </>
      );
    case 'script':
      return <Script script={event} {...script} />;
    case 'warning':
      return <>{event.message}</>;
    case 'end':
      return (
        <>
          <b className={event.status === 'failed' ? 'bad' : ''}>
            {event.status === 'answered' && event.outputTokens
              ? t('timeline.answeredTokens', { tokens: text.tokens(event.outputTokens) })
              : t(`timeline.${event.status}`)}
          </b>{' '}
          {event.message}
        </>
      );
  }
}

interface SearchProps extends Pick<Props, 'called' | 'onTry'> {
  readonly event: EventView & { kind: 'search' };
}

function SearchBody({ event, called, onTry }: SearchProps) {
  const { t } = useText();
  const terms = [...new Set(event.hits.flatMap((hit) => hit.terms))];
  const { server, strategy, matched, searched } = event;
  return (
    <>
      <b>{t('timeline.search')}</b>{' '}
      <q>
        <MarkedText text={event.query} terms={terms} />
      </q>{' '}
      {server !== undefined && <>{t('timeline.inServer', { server })} </>}
      <span className="dim">{t('timeline.matched', { strategy, matched, searched })}</span>
      {event.flags.map((flag) => (
        <Flag key={flag.text} flag={flag} />
      ))}
      <button
        type="button"
        className="link try"
        aria-label={`${t('play.again')}: ${event.query}`}
        onClick={() => onTry(event.query)}
      >
        {t('play.again')}
      </button>
      {event.note !== undefined && (
        <div className="dim">
          {t('timeline.toModel')}: {event.note}
        </div>
      )}
      {event.hits.length > 0 && <Hits search={event} called={called} />}
    </>
  );
}

const OUTCOMES = {
  ok: ['pass', 'ok'],
  failed: ['error', 'err'],
  invalid: ['symbol-parameter', 'warn'],
  refused: ['circle-slash', 'warn'],
  cancelled: ['circle-slash', 'warn'],
} as const;
const ENDS = { answered: ['comment', ''], failed: ['error', 'err'], cancelled: ['circle-slash', 'warn'] } as const;

/** The icon of an event in the timeline. */
export function EventIcon({ event }: { readonly event: EventView }): ReactElement | null {
  const { t } = useText();
  switch (event.kind) {
    case 'round':
      return null;
    case 'search':
      return <Codicon name="search" tone={event.flags.length > 0 ? 'warn' : ''} />;
    case 'discovered':
      return (
        <span className="found">
          <Swatch kind="discovered" />
        </span>
      );
    case 'call': {
      const [name, tone] = OUTCOMES[event.outcome];
      return (
        <Codicon
          name={name}
          tone={tone}
          label={event.outcome === 'ok' ? t('timeline.succeeded') : t(`flag.${event.outcome}`)}
        />
      );
    }
    case 'cacheMiss':
      return <Codicon name="debug-disconnect" tone="warn" />;
    case 'script': {
      const [name, tone] =
        event.outcome === undefined || event.outcome === 'ok' ? ['code', ''] : OUTCOMES[event.outcome];
      return <Codicon name={name} tone={tone} />;
    }
    case 'warning':
      return <Codicon name="warning" tone="warn" label={t('timeline.warning')} />;
    case 'end': {
      const [name, tone] = ENDS[event.status];
      return <Codicon name={name} tone={tone} />;
    }
  }
}
