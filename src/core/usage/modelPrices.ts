/**
 * The prices and prompt caches of the providers' models, by family. A model that isn't in the table has no known
 * prices, and its figures are tokens alone.
 */

export interface ModelPrices {
  /**
   * The costs of a token that is read from the cache and of a token that is written to it, as shares of a fresh input
   * token.
   */
  readonly read: number;
  readonly write: number;
  /** The minimum length of a request's beginning that is cached, in tokens. */
  readonly minimum: number;
  /**
   * The places at which a cached beginning may end: marked parts of the request, or multiples of this number of tokens.
   */
  readonly ends: 'marks' | number;
  /** The time for which a beginning stays cached after its last use, in milliseconds. */
  readonly lifeMs: number;
  /** The list price of a million fresh input tokens in US dollars; absent if only the shares are known. */
  readonly usd?: number;
  /** The list price for requests with more than `above` input tokens. It applies to all their tokens. */
  readonly long?: { readonly above: number; readonly usd: number };
  /** The pages that these figures are from. */
  readonly source: string;
}

/** The date on which these pages were last read. */
export const PRICES_READ = '2026-11-22';

const MINUTE = 60_000;
const CLAUDE = {
  read: 0.1,
  write: 1.25,
  minimum: 1_024,
  ends: 'marks',
  lifeMs: 5 * MINUTE,
  source: 'platform.claude.com, Pricing and Prompt caching',
} as const;
const GPT = {
  read: 0.1,
  write: 1,
  minimum: 1_024,
  ends: 128,
  lifeMs: 5 * MINUTE,
  source: 'developers.openai.com, Pricing and Prompt caching',
} as const;
const LATE_GPT = { ...GPT, write: 1.25, lifeMs: 30 * MINUTE } as const;
const gpt6 = (usd: number, read = 0.1) => ({ ...LATE_GPT, read, usd, long: { above: 272_000, usd: 2 * usd } });

/** The part of a model's name that selects a row, and its rules. The first row that fits applies. */
type PriceRow = readonly [name: string, rules: ModelPrices];

/**
 * Writing for five minutes costs 1.25 of a fresh token, and each use starts the five minutes again. The minimum is
 * 1,024 tokens on most models. Since 2026-10-07 reading costs 0.05 on Sonnet 5.5.
 */
const ANTHROPIC: readonly PriceRow[] = [
  ['fable-5-2', { ...CLAUDE, read: 0.025, usd: 8 }],
  ['mythos-5-2', { ...CLAUDE, read: 0.025, usd: 8 }],
  ['fable-5-1', { ...CLAUDE, read: 0.025, usd: 10 }],
  ['mythos-5-1', { ...CLAUDE, read: 0.025, usd: 10 }],
  ['fable-5', { ...CLAUDE, usd: 10 }],
  ['mythos-5', { ...CLAUDE, usd: 10 }],
  ['opus-5-5', { ...CLAUDE, read: 0.05, usd: 4 }],
  ['sonnet-5-5', { ...CLAUDE, read: 0.05, usd: 2 }],
  ['haiku-5-5', { ...CLAUDE, usd: 0.1, long: { above: 100_000, usd: 0.5 } }],
  ['opus-5', { ...CLAUDE, usd: 5 }],
  ['sonnet-5', { ...CLAUDE, usd: 2 }],
  ['opus-4-5', { ...CLAUDE, minimum: 4_096, usd: 5 }],
  ['opus-4-6', { ...CLAUDE, minimum: 4_096, usd: 5 }],
  ['opus-4-7', { ...CLAUDE, usd: 5 }],
  ['opus-4-8', { ...CLAUDE, usd: 5 }],
  ['opus-4', { ...CLAUDE, usd: 15 }],
  ['haiku-4-5', { ...CLAUDE, minimum: 4_096, usd: 1 }],
  ['sonnet-4-6', { ...CLAUDE, minimum: 2_048, usd: 3 }],
  ['sonnet-4', { ...CLAUDE, usd: 3 }],
  ['claude', CLAUDE],
];

/**
 * A cached beginning is at least 1,024 tokens long and ends at a multiple of 128. From GPT-5.6 on, writing costs 1.25,
 * and an entry lives for at least 30 minutes. For earlier models, writing is free, and an entry lives for 5 to 10
 * minutes.
 */
const OPENAI: readonly PriceRow[] = [
  ['gpt-6-2-astra', gpt6(8, 0.05)],
  ['gpt-6-2-sol', gpt6(2, 0.05)],
  ['gpt-6-1-sol', gpt6(2, 0.05)],
  ['gpt-6-astra', gpt6(10)],
  ['gpt-6-sol', gpt6(2)],
  ['gpt-6-luna', gpt6(0.1)],
  ['gpt-6', LATE_GPT],
  ['gpt-5-6-sol', { ...LATE_GPT, usd: 4 }],
  ['gpt-5-6-terra', { ...LATE_GPT, usd: 2 }],
  ['gpt-5-6-luna', { ...LATE_GPT, usd: 0.2 }],
  ...['gpt-5-6', 'gpt-5-7', 'gpt-5-8', 'gpt-5-9'].map((name): PriceRow => [name, LATE_GPT]),
  ['gpt-5-5-pro', { ...GPT, usd: 30 }],
  ['gpt-5-5', { ...GPT, usd: 5 }],
  ['gpt-5-4-pro', { ...GPT, usd: 30 }],
  ['gpt-5-4-mini', { ...GPT, usd: 0.75 }],
  ['gpt-5-4-nano', { ...GPT, usd: 0.2 }],
  ['gpt-5-4', { ...GPT, usd: 2.5 }],
  ['gpt-5', GPT],
  ['gpt-4-1-mini', { ...GPT, read: 0.25, usd: 0.4 }],
  ['gpt-4-1-nano', { ...GPT, read: 0.25, usd: 0.1 }],
  ['gpt-4-1', { ...GPT, read: 0.25, usd: 2 }],
  ['gpt-4o-mini', { ...GPT, read: 0.5, usd: 0.15 }],
  ['gpt-4o', { ...GPT, read: 0.5, usd: 2.5 }],
];

/** A model's vendor and id, as VS Code or Tool Search names them. */
interface ModelName {
  readonly vendor: string;
  readonly id: string;
}

/** Returns the prices and cache rules of a model; undefined if nothing is known about it. */
export function modelPrices({ vendor, id }: ModelName): ModelPrices | undefined {
  const table = vendor.includes('anthropic') ? ANTHROPIC : vendor.includes('openai') ? OPENAI : [];
  // Without the date at its end, which could be read as a version.
  const name = id
    .toLowerCase()
    .replaceAll('.', '-')
    .replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  return table.find(([known]) => name.includes(known))?.[1];
}

/** Returns the number of tokens that a provider caches of a request's beginning with `tokens` tokens. */
export function cacheable(tokens: number, { minimum, ends }: ModelPrices): number {
  const whole = ends === 'marks' ? tokens : tokens - (tokens % ends);
  return whole < minimum ? 0 : whole;
}
