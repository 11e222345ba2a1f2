import type { Change } from '../../core/whatIf/types';
import type { Text } from './text';

/** The maximum number of tools that a label names. */
const MAX_NAMED = 3;

/** Returns a change of settings in a few words, for a row of the table of replays. */
export function changeLabel(change: Change, { t, number }: Text): string {
  switch (change.kind) {
    case 'delivery':
    case 'strategy':
      return t(`whatIf.${change.kind}`, { to: change.to });
    case 'maxResults':
      return t('whatIf.maxResults', { to: change.to });
    case 'eager': {
      const more = change.tools.length - MAX_NAMED;
      const named = change.tools.slice(0, MAX_NAMED).join(', ');
      return t('whatIf.eager', { tools: more > 0 ? `${named} + ${number(more)}` : named });
    }
    default:
      return t(`whatIf.${change.kind}`);
  }
}
