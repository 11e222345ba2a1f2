import { cacheReadShare } from '../../core/usage/arithmetic';
import { toolsInRequest } from '../../core/usage/inRequest';
import { sumTokens } from '../../core/usage/tokens';
import type { Tokens } from '../../core/usage/types';
import type { ViewInputs } from '../protocol/inputs';
import type { HeaderView, SumsView, ToolView, TurnView } from '../protocol/view';

/** The header above every section: what is in use, and the sums of the session. */
export function headerView(inputs: ViewInputs, turns: readonly TurnView[], tools: readonly ToolView[]): HeaderView {
  const counts = { eager: 0, discovered: 0, deferred: 0 };
  for (const { loading } of tools) if (loading !== 'omitted') counts[loading]++;
  const newest = inputs.events.findLast((event) => event.type === 'turnStarted');
  const counted = turns.filter(({ baseline, rounds }) => rounds.length > 0 || baseline.value > 0);
  return {
    strategy: inputs.strategy,
    delivery: inputs.delivery,
    model: newest && {
      name: newest.model.name,
      vendor: newest.model.vendor,
      ...(inputs.modelRule === undefined ? {} : { rule: inputs.modelRule }),
    },
    mode: inputs.mode,
    counts,
    inRequest: toolsInRequest(counts, inputs.delivery.name).inRequest,
    ...(counted[0] ? { session: sumsOf(turns), cacheReadShare: cacheReadShare(counted[0].rounds) } : {}),
  };
}

/** A turn without a cost counts with its tokens, so that the sum is of one kind. */
function sumsOf(turns: readonly TurnView[]): SumsView {
  const sums = (of: (turn: TurnView) => Omit<SumsView, 'price'>) => ({
    sent: sumTokens(turns.map((turn) => of(turn).sent)),
    baseline: sumTokens(turns.map((turn) => of(turn).baseline)),
    net: sumTokens(turns.map((turn) => of(turn).net)),
  });
  const estimated = (tokens: Tokens): Tokens => ({ ...tokens, certainty: 'estimated' });
  return {
    ...sums((turn) => turn),
    ...(turns.some(({ price }) => price)
      ? {
          price: sums(
            ({ price, sent, baseline, net }) =>
              price ?? { sent: estimated(sent), baseline: estimated(baseline), net: estimated(net) },
          ),
        }
      : {}),
  };
}
