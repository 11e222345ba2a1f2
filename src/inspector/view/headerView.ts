import { type TurnFigures, unitOf } from '../../core/ledger/turnFigures';
import { modelPrices } from '../../core/models/modelFacts';
import { isLanguageModel } from '../../core/models/searchOnly';
import { sumRounds } from '../../core/usage/roundTokens';
import type { ViewInputs } from '../protocol/inputs';
import type { HeaderView } from '../protocol/view';
import type { Text } from '../text/text';

const MINUTE = 60_000;

/** Returns the settings in use, and the sums of the session. */
export function headerView(inputs: ViewInputs, turns: readonly TurnFigures[], text: Text): HeaderView {
  const newest = turns.at(-1)?.started;
  const compared = turns.filter((turn) => turn.compared);
  const { sent, baseline, cost } = sumRounds(compared.map(({ tokens }) => tokens));
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
    unit: unitOf(turns),
    ...(compared.length > 0 ? { session: { sent, baseline, usd: cost?.usd, compared: compared.length } } : {}),
  };
}

/** Returns a sentence on a model's prices and cache, with their source and date. */
function pricesOf(model: { readonly vendor: string; readonly id: string }, text: Text): string {
  if (!isLanguageModel(model)) return text.t('prices.noModel');
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
