import type { EventView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { Codicon } from '../parts/Codicon';
import { Swatch } from '../parts/Swatch';

const OUTCOMES = {
  ok: ['pass', 'ok'],
  failed: ['error', 'err'],
  invalid: ['symbol-parameter', 'warn'],
  refused: ['circle-slash', 'warn'],
  cancelled: ['circle-slash', 'warn'],
} as const;
const ENDS = { answered: ['comment', ''], failed: ['error', 'err'], cancelled: ['circle-slash', 'warn'] } as const;

/** The icon of an event in the timeline. */
export function EventIcon({ event }: { readonly event: EventView }) {
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
    case 'prepared':
      return <Codicon name="filter" />;
    case 'warning':
      return <Codicon name="warning" tone="warn" label={t('timeline.warning')} />;
    case 'end': {
      const [name, tone] = ENDS[event.status];
      return <Codicon name={name} tone={tone} />;
    }
  }
}
