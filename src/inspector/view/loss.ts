import { eventsOf } from '../../core/ledger/events';
import type { LedgerEvent } from '../../core/ledger/ledger';
import { pinOf } from '../../core/settings/pins';
import { costOf } from '../../core/usage/cacheCost';
import { lossCause } from '../../core/usage/lossCause';
import { balanceOf } from '../../core/usage/roundTokens';
import { sumTokens } from '../../core/usage/tokens';
import type { RoundTokens } from '../../core/usage/types';
import type { ViewInputs } from '../protocol/inputs';
import type { TurnView } from '../protocol/view';
import type { Text } from '../text/text';

/** A turn, its rounds and the sums over its rounds. */
interface CountedTurn {
  readonly events: readonly LedgerEvent[];
  readonly rounds: readonly RoundTokens[];
  readonly sums: RoundTokens;
}

/**
 * Returns why a turn cost more than it saved: by cost if that is known, otherwise by tokens. A turn that saved tokens
 * can cost more, since a cache would have made all definitions cheap.
 */
export function lossOf({ events, rounds, sums }: CountedTurn, inputs: ViewInputs, text: Text): TurnView['loss'] {
  const { net } = balanceOf(sums);
  const cost = sums.cost && costOf({ ...sums, cost: sums.cost }).net;
  const loss = -(cost ?? net).value;
  if (loss <= 0 || rounds.length === 0) return undefined;
  const searched = events.some((event) => event.type === 'searched');
  const misses = eventsOf(events, 'roundEnded').flatMap(({ prefix }) => (prefix?.broke ? [prefix.lost] : []));
  const readAgain = sumTokens(misses);
  const cause = lossCause({ loss, readAgain: readAgain.value, savedTokens: net.value, searched });
  if (cause === 'missed') return { text: text.n('loss.missed', readAgain.value, { tokens: text.tokens(readAgain) }) };
  if (cause === 'cached') return { text: text.t('loss.cache') };
  const { counts } = events.findLast((event) => event.type === 'roundStarted' || event.type === 'turnStarted') ?? {};
  const deferred = counts?.deferred ?? 0;
  return {
    text: deferred > 0 ? text.n(searched ? 'loss.deferred' : 'loss.unsearched', deferred) : text.t('loss.nothing'),
    pinServer: serverToPin(events, rounds.length, sums.searchOverhead.value, inputs),
  };
}

/** Returns the server with the most discoveries, if its definitions would have cost less than searching did. */
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
