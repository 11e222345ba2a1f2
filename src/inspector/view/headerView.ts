import { balanceOf, cacheReadShare } from '../../core/usage/arithmetic';
import { sumTokens } from '../../core/usage/tokens';
import type { Tokens } from '../../core/usage/types';
import type { ViewInputs } from '../protocol/inputs';
import type { HeaderView, ToolView, TurnView } from '../protocol/view';

/** What stands above every section. The turn's figures are those of the newest turn that has a finished round. */
export function headerView(inputs: ViewInputs, turns: readonly TurnView[], tools: readonly ToolView[]): HeaderView {
  const counts = { eager: 0, discovered: 0, deferred: 0 };
  for (const { loading } of tools) if (loading !== 'omitted') counts[loading]++;
  const newest = inputs.events.findLast((event) => event.type === 'turnStarted');
  const header = {
    strategy: inputs.strategy,
    delivery: inputs.delivery,
    model: newest && {
      name: newest.model.name,
      vendor: newest.model.vendor,
      ...(inputs.modelRule === undefined ? {} : { rule: inputs.modelRule }),
    },
    mode: inputs.mode,
    counts,
  };
  const turn = turns.find((candidate) => candidate.rounds.length > 0);
  const last = turn?.rounds.at(-1);
  if (!turn || !last) return header;
  const { inContext, keptOut } = balanceOf(last);
  return {
    ...header,
    inContext,
    keptOut,
    netSavedTurn: turn.net,
    netSavedSession: sumTokens(turns.map((each) => each.net)),
    cacheReadShare: cacheReadShare(turn.rounds),
    ...pricesOf(turn, turns),
  };
}

/** Turns without a price count with their tokens, so that the session's sum is of one kind. */
function pricesOf(
  newest: TurnView,
  turns: readonly TurnView[],
): Pick<HeaderView, 'priceSavedTurn' | 'priceSavedSession'> {
  if (!turns.some(({ price }) => price)) return {};
  const net = ({ price, net }: TurnView): Tokens => price?.net ?? { ...net, certainty: 'estimated' };
  return { priceSavedTurn: net(newest), priceSavedSession: sumTokens(turns.map(net)) };
}
