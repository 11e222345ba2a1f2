import type { LedgerEvent } from '../../core/ledger/ledger';
import { pinOf } from '../../core/settings/pins';
import { balanceOf } from '../../core/usage/roundTokens';
import { sumTokens } from '../../core/usage/tokens';
import type { ViewInputs } from '../protocol/inputs';
import type { PartsView, RoundView, TurnView } from '../protocol/view';
import type { Text } from '../text/text';

/** A turn, its rounds and the sums over its rounds. */
interface CountedTurn {
  readonly events: readonly LedgerEvent[];
  readonly rounds: readonly RoundView[];
  readonly sums: PartsView;
}

/**
 * Returns how much more a turn cost than it saved, and why: by cost if that is known, otherwise by tokens. A turn that
 * saved tokens can cost more, since a cache would have made all definitions cheap.
 */
export function lossOf(turn: CountedTurn, inputs: ViewInputs, text: Text): TurnView['loss'] {
  const { net, cost } = turn.sums;
  const { value, certainty } = cost?.net ?? net;
  if (value >= 0 || turn.rounds.length === 0) return undefined;
  const by = cost ? ('cost' as const) : ('tokens' as const);
  const why = net.value < 0 ? searchLoss(turn, inputs, text) : { text: text.t('loss.cache') };
  return { by, more: { value: -value, certainty }, ...why };
}

/**
 * Returns the tokens that weren't sent, and the tokens that searching needed. Their difference is the turn's net
 * saving.
 */
function searchLoss(
  { events, rounds }: CountedTurn,
  inputs: ViewInputs,
  text: Text,
): Pick<NonNullable<TurnView['loss']>, 'text' | 'pinServer'> {
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
    text: `${deferred} ${searched}`,
    pinServer: serverToPin(events, rounds.length, overhead.value, inputs),
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
