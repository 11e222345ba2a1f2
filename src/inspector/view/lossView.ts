import type { LossCause, Unit } from '../../core/ledger/lossCause';
import type { TurnFigures } from '../../core/ledger/turnFigures';
import { pinOf } from '../../core/settings/pins';
import type { ViewInputs } from '../protocol/inputs';
import type { TurnView } from '../protocol/view';
import type { Text } from '../text/text';

/** Returns why a turn cost more than with every definition, and the pin that would help. */
export function lossView(figures: TurnFigures, unit: Unit, inputs: ViewInputs, text: Text): TurnView['loss'][Unit] {
  const cause = figures.lossCause[unit];
  if (cause === undefined) return undefined;
  const sentence = lossText(cause, figures, text);
  if (cause === 'missed' || cause === 'cached') return { text: sentence };
  return { text: sentence, pinServer: serverToPin(figures, inputs) };
}

function lossText(cause: LossCause, { events, readAgain }: TurnFigures, text: Text): string {
  if (cause === 'missed') return text.n('loss.missed', readAgain.value, { tokens: text.tokens(readAgain) });
  if (cause === 'cached') return text.t('loss.cache');
  if (cause === 'undeferred') return text.t('loss.undeferred');
  const { counts } = events.findLast((event) => event.type === 'roundStarted' || event.type === 'turnStarted') ?? {};
  const deferred = counts ? counts.deferred + counts.discovered : 0;
  return text.n(cause === 'searched' ? 'loss.deferred' : 'loss.unsearched', deferred);
}

/** Returns the server with the most discoveries, if its definitions would have cost less than searching did. */
function serverToPin({ events, requests, tokens }: TurnFigures, inputs: ViewInputs): string | undefined {
  const found = new Map<string, Set<string>>();
  for (const event of events) {
    if (event.type !== 'discovered') continue;
    for (const id of event.ids) {
      const tool = inputs.catalog.byId.get(id);
      if (tool) found.set(tool.server, (found.get(tool.server) ?? new Set()).add(id));
    }
  }
  const [server, ids] = [...found].sort((a, b) => b[1].size - a[1].size)[0] ?? [];
  if (!server || !ids || pinOf(inputs.pins, { kind: 'server', id: server }) === 'eager') return undefined;
  const more = inputs.catalog.tools
    .filter((tool) => tool.server === server && !ids.has(tool.id))
    .reduce((sum, tool) => sum + inputs.tokensOf(tool).value, 0);
  return more * requests.length < tokens.searchOverhead.value ? server : undefined;
}
