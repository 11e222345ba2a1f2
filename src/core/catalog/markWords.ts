import { l10n } from '../util/l10n';
import type { ToolMark } from './marks';

/** Returns why a tool is suspicious, in words for the user. `part` must be safe to show. */
export function markWords({ kind, part }: ToolMark): string {
  switch (kind) {
    case 'hidden':
      return l10n.t('Its definition had hidden characters ({0}).', part);
    case 'looks':
      return l10n.t('Letters of another alphabet look like Latin letters: “{0}”', part);
    case 'encoded':
      return l10n.t('Its definition contains a hidden command or instruction: “{0}”', part);
    case 'order':
      return l10n.t('Its definition gives orders to the model: “{0}”', part);
    case 'sends':
      return l10n.t('Its definition says that data is sent elsewhere: “{0}”', part);
    case 'secret':
      return l10n.t('Its definition mentions a file with keys: “{0}”', part);
    case 'names':
      return l10n.t('Its definition tells the model to call another server’s tool: “{0}”', part);
    case 'twin':
      return l10n.t('Another server has nearly the same tool: {0}', part);
  }
}
