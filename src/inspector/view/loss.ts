import type { LedgerEvent } from '../../core/ledger/ledger';
import { pinOf } from '../../core/settings/pins';
import { balanceOf } from '../../core/usage/arithmetic';
import { sumTokens } from '../../core/usage/tokens';
import type { ViewInputs } from '../protocol/inputs';
import type { RoundView, TurnView } from '../protocol/view';
import type { Text } from '../text/text';

/**
 * Why a turn cost more than it saved: what little was kept out against what searching took. The two are all there is,
 * since net = definitions kept out − search overhead.
 */
export function lossOf(
  events: readonly LedgerEvent[],
  rounds: readonly RoundView[],
  inputs: ViewInputs,
  text: Text,
): NonNullable<TurnView['loss']> {
  const last = rounds.at(-1);
  const counts = events.findLast((event) => event.type === 'roundStarted' || event.type === 'turnStarted')?.counts;
  const kept = last && balanceOf(last).keptOut;
  const overhead = sumTokens(rounds.map((round) => round.searchOverhead));
  const searches = events.filter((event) => event.type === 'searched').length;
  const deferred =
    kept && counts && counts.deferred > 0
      ? text.n('loss.deferred', counts.deferred, { tokens: text.tokens(kept) })
      : text.t('loss.nothing');
  const searched =
    searches > 0
      ? text.n('loss.searched', searches, { tokens: text.tokens(overhead) })
      : text.t('loss.unsearched', { tokens: text.tokens(overhead) });
  return {
    text: text.t('loss.sentence', { deferred, searched }),
    pinServer: serverToPin(events, rounds.length, overhead.value, inputs),
  };
}

/** The server that most discoveries came from, if its definitions would have cost less than searching did. */
function serverToPin(
  events: readonly LedgerEvent[],
  rounds: number,
  overhead: number,
  inputs: ViewInputs,
): string | undefined {
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
  return more * rounds < overhead ? server : undefined;
}
