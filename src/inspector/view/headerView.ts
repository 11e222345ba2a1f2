import { asksNoModel } from '../../core/ledger/turnTokens';
import { modelPrices } from '../../core/models/modelFacts';
import { costOf } from '../../core/usage/cacheCost';
import { toolsInRequest } from '../../core/usage/inRequest';
import { cacheReadShare } from '../../core/usage/roundTokens';
import { sumTokens } from '../../core/usage/tokens';
import type { ViewInputs } from '../protocol/inputs';
import type { CostView, HeaderView, SumsView, ToolView, TurnView } from '../protocol/view';
import type { Text } from '../text/text';

const MINUTE = 60_000;

/** Returns the header above all sections: the settings in use, and the sums of the session. */
export function headerView(
  inputs: ViewInputs,
  turns: readonly TurnView[],
  { tools, text }: { readonly tools: readonly ToolView[]; readonly text: Text },
): HeaderView {
  const counts = { eager: 0, discovered: 0, deferred: 0 };
  for (const { loading } of tools) if (loading !== 'omitted') counts[loading]++;
  const newest = inputs.events.findLast((event) => event.type === 'turnStarted');
  const counted = turns.filter(({ sent, baseline, rounds }) => rounds.length > 0 || sent.value + baseline.value > 0);
  return {
    strategy: inputs.strategy,
    delivery: inputs.delivery,
    model: newest && {
      name: newest.model.name,
      vendor: newest.model.vendor,
      ...(inputs.modelRule === undefined ? {} : { rule: inputs.modelRule }),
      prices: pricesOf(newest.model, text),
    },
    mode: inputs.mode,
    counts,
    inRequest: toolsInRequest(counts, inputs.delivery.name).inRequest,
    ...(counted[0] ? { session: sumsOf(turns), cacheReadShare: cacheReadShare(counted[0].rounds) } : {}),
  };
}

/** Returns a sentence on a model's prices and cache, with their source and date. */
function pricesOf(model: { readonly vendor: string; readonly id: string }, text: Text): string {
  if (asksNoModel({ model })) return text.t('prices.noModel');
  const rules = modelPrices(model);
  if (!rules) return text.t('prices.unknown');
  const { read, write, minimum, lifeMs, usd, source, readOn } = rules;
  const known = text.t('prices.cache', {
    read: text.percent(read, 1),
    write: text.percent(write),
    minimum,
    minutes: lifeMs / MINUTE,
    source,
    date: readOn,
  });
  return `${usd === undefined ? text.t('prices.noUsd') : text.t('prices.usd', { usd: text.usd(usd) })} ${known}`;
}

/** Adds up turns. If a turn has no cost, its tokens are used as its cost, so that the sum is complete. */
function sumsOf(turns: readonly TurnView[]): SumsView {
  const sum = (values: readonly Omit<SumsView, 'cost'>[]) => ({
    sent: sumTokens(values.map(({ sent }) => sent)),
    baseline: sumTokens(values.map(({ baseline }) => baseline)),
    net: sumTokens(values.map(({ net }) => net)),
  });
  if (!turns.some(({ cost }) => cost)) return sum(turns);
  const costs = turns.map((turn): CostView => turn.cost ?? costOf({ sent: turn.sent, baseline: turn.baseline }));
  const dollars = turns.flatMap(({ sent, cost }) => (sent.value > 0 ? [cost?.usd] : []));
  const usd = (side: 'sent' | 'baseline') => dollars.reduce((total, each) => total + (each?.[side] ?? 0), 0);
  const isPriced = dollars.every((each) => each !== undefined);
  return {
    ...sum(turns),
    cost: { ...sum(costs), ...(isPriced ? { usd: { sent: usd('sent'), baseline: usd('baseline') } } : {}) },
  };
}
