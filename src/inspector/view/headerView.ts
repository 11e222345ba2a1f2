import { asksNoModel } from '../../core/ledger/turnTokens';
import { modelPrices } from '../../core/models/modelFacts';
import { sumTokens } from '../../core/usage/tokens';
import type { ViewInputs } from '../protocol/inputs';
import type { HeaderView, SumsView, TurnView } from '../protocol/view';
import type { Text } from '../text/text';

const MINUTE = 60_000;

/** Returns the settings in use, and the sums of the session. */
export function headerView(inputs: ViewInputs, turns: readonly TurnView[], text: Text): HeaderView {
  const newest = inputs.events.findLast((event) => event.type === 'turnStarted');
  const compared = turns.filter((turn) => turn.compared);
  const counted = turns.filter(({ sent }) => sent.value > 0);
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
    unit: counted.length > 0 && counted.every(({ usd }) => usd) ? 'usd' : 'tokens',
    ...(compared.length > 0 ? { session: { ...sumsOf(compared), compared: compared.length } } : {}),
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

function sumsOf(turns: readonly TurnView[]): SumsView {
  const dollars = turns.flatMap(({ usd }) => usd ?? []);
  const usd = (side: 'sent' | 'baseline') => dollars.reduce((total, each) => total + each[side], 0);
  return {
    sent: sumTokens(turns.map(({ sent }) => sent)),
    baseline: sumTokens(turns.map(({ baseline }) => baseline)),
    ...(dollars.length === turns.length ? { usd: { sent: usd('sent'), baseline: usd('baseline') } } : {}),
  };
}
