import type { ModelPrices } from './types';

/** Returns the list price in US dollars of `cost` fresh input tokens, in a request of `total` tokens. */
export function usdOf(cost: number, total: number, { usd, long }: ModelPrices): number | undefined {
  const price = long && total > long.above ? long.usd : usd;
  return price === undefined ? undefined : (cost * price) / 1_000_000;
}
