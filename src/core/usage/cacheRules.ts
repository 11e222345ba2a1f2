/**
 * The table of the providers' prompt caches: prices, minimum, steps and lifetime by family of models. A model that
 * isn't here has no known prices, and its figures are tokens alone.
 */

export interface CacheRules {
  /** The cost of a token read from the cache and of one written to it, as shares of a fresh input token. */
  readonly read: number;
  readonly write: number;
  /** The length in tokens below which a beginning of a request isn't cached. */
  readonly minimum: number;
  /** The possible ends of a cached beginning: marked parts of the request, or multiples of this number of tokens. */
  readonly ends: 'marks' | number;
  /** The time for which a beginning stays cached after its last use, in milliseconds. */
  readonly lifeMs: number;
}

interface Row extends CacheRules {
  readonly vendor: RegExp;
  readonly model: RegExp;
}

const MINUTE = 60_000;
const CLAUDE = {
  vendor: /anthropic/,
  read: 0.1,
  write: 1.25,
  minimum: 1_024,
  ends: 'marks',
  lifeMs: 5 * MINUTE,
} as const;
const GPT = { vendor: /openai/, read: 0.1, write: 1, minimum: 1_024, ends: 128, lifeMs: 5 * MINUTE } as const;

/**
 * The prices and limits by model. The first row that fits applies. As documented on 2026-11-22.
 *
 * Anthropic, platform.claude.com, "Prompt caching" and "Pricing": writing for five minutes costs 1.25, and each use
 * starts the five minutes again. Reading costs 0.1; 0.05 on Sonnet 5.5 since 2026-10-07, 0.025 on Fable 5.1 and 5.2.
 * The minimum is 1,024 tokens; 4,096 for Opus 4.5 and 4.6 and Haiku 4.5, 2,048 for Sonnet 4.6.
 *
 * OpenAI, developers.openai.com, "Prompt caching" and "Pricing": 1,024 tokens, steps of 128. From GPT-5.6 on writing
 * costs 1.25 and an entry lives for 30 minutes at least; before that writing is free and it lives for 5 to 10 minutes.
 * Reading costs 0.1; 0.05 on GPT-6.1 and 6.2 Sol, 0.25 on GPT-4.1, 0.5 on GPT-4o.
 */
const TABLE: readonly Row[] = [
  { ...CLAUDE, model: /fable-5[-.][12]/, read: 0.025 },
  { ...CLAUDE, model: /sonnet-5[-.]5/, read: 0.05 },
  { ...CLAUDE, model: /opus-4[-.][56]|haiku-4[-.]5/, minimum: 4_096 },
  { ...CLAUDE, model: /sonnet-4[-.]6/, minimum: 2_048 },
  { ...CLAUDE, model: /claude/ },
  { ...GPT, model: /gpt-6[-.][12]-sol/, read: 0.05, write: 1.25, lifeMs: 30 * MINUTE },
  { ...GPT, model: /gpt-(?:5[-.](?:[6-9]|\d\d)|[6-9])/, write: 1.25, lifeMs: 30 * MINUTE },
  { ...GPT, model: /gpt-5/ },
  { ...GPT, model: /gpt-4[-.]1/, read: 0.25 },
  { ...GPT, model: /gpt-4o/, read: 0.5 },
];

/** Returns the rules of a model's cache; undefined if nothing is known about it. */
export function cacheRules({ vendor, id }: { readonly vendor: string; readonly id: string }): CacheRules | undefined {
  return TABLE.find((row) => row.vendor.test(vendor) && row.model.test(id.toLowerCase()));
}

/** Returns the number of tokens that a provider caches if a beginning has `tokens` tokens. */
export function cacheable(tokens: number, { minimum, ends }: CacheRules): number {
  const whole = ends === 'marks' ? tokens : tokens - (tokens % ends);
  return whole < minimum ? 0 : whole;
}
