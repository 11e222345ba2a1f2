// The table of models. The first row that fits a name applies (modelFacts.ts has the rule), so a row comes before those
// that fit more names. If sources disagree, a row has the value that claims less for tool search.

import { PROVIDER_STRATEGY } from '../ports';
import type { ServiceId } from '../settings/modelServices';
import type { ModelFeatures, ModelPrices } from './types';

export interface ModelRow {
  /** The model's id; empty for all other models of the service. */
  readonly model: string;
  readonly features: ModelFeatures;
  readonly prices: ModelPrices | undefined;
  /** Whether the model is offered if a service, such as a gateway, doesn't list its models. */
  readonly offered: boolean;
}

const MINUTE = 60_000;

const CLAUDE_3: ModelFeatures = {
  strategies: [],
  references: false,
  maxInputTokens: 200_000,
  maxOutputTokens: 64_000,
  forcesTools: true,
  code: false,
  addsTools: false,
  systemMessages: false,
  bindsThinking: false,
  bindingControls: true,
  encryptsReasoning: false,
  diagnoses: false,
  cacheKey: false,
};
const HAIKU_4_5: ModelFeatures = { ...CLAUDE_3, strategies: ['bm25', 'regex'], references: true };
const CLAUDE_4_5: ModelFeatures = { ...HAIKU_4_5, code: true };
/** The larger window. */
const CLAUDE_4_6: ModelFeatures = { ...CLAUDE_4_5, maxInputTokens: 1_000_000, maxOutputTokens: 128_000 };
/** Tools and instructions may change in mid-conversation. */
const CLAUDE_4_8: ModelFeatures = { ...CLAUDE_4_6, addsTools: 'definition', systemMessages: true, diagnoses: true };
/** Thinks at every request. The service refuses a forced tool call together with thinking. */
const CLAUDE_5_5: ModelFeatures = { ...CLAUDE_4_8, bindsThinking: true, forcesTools: false };
/** Accepts system messages in mid-conversation, but its tools can't change, and its code can't call tools. */
const HAIKU_5_5: ModelFeatures = { ...CLAUDE_5_5, addsTools: false, diagnoses: false, code: false };

const GPT_OTHER: ModelFeatures = {
  ...CLAUDE_3,
  maxInputTokens: 128_000,
  maxOutputTokens: 16_384,
  systemMessages: true,
  bindingControls: false,
};
const O_SERIES: ModelFeatures = { ...GPT_OTHER, encryptsReasoning: true };
const GPT_5_CHAT: ModelFeatures = {
  ...GPT_OTHER,
  maxInputTokens: 272_000,
  maxOutputTokens: 128_000,
  addsTools: 'definition',
};
const GPT_5: ModelFeatures = { ...GPT_5_CHAT, encryptsReasoning: true };
const GPT_5_4_MINI: ModelFeatures = { ...GPT_5, strategies: [PROVIDER_STRATEGY], references: true };
const GPT_5_4: ModelFeatures = { ...GPT_5_4_MINI, maxInputTokens: 922_000 };
const GPT_5_6: ModelFeatures = { ...GPT_5_4, code: true, cacheKey: true, diagnoses: true };

/** A row's own figures. All others are those of its provider. */
type Figures = Partial<Pick<ModelPrices, 'read' | 'minimum' | 'usd' | 'long'>>;

/** Writing costs 1.25 and holds for five minutes after the last use. The minimum is 1,024 tokens on most models. */
const CLAUDE = { read: 0.1, write: 1.25, minimum: 1_024, ends: 'marks', lifeMs: 5 * MINUTE } as const;
/**
 * A cached beginning is at least 1,024 tokens long and ends at a multiple of 128. Before GPT-5.6, writing is free, and
 * an entry lives for 5 to 10 minutes. Since then, writing costs 1.25, and an entry lives for at least 30 minutes.
 */
const GPT = { read: 0.1, write: 1, minimum: 1_024, ends: 128, lifeMs: 5 * MINUTE } as const;
const LATE_GPT = { ...GPT, write: 1.25, lifeMs: 30 * MINUTE } as const;

const ANTHROPIC_PAGES = { source: 'platform.claude.com, Pricing and Prompt caching', readOn: '2026-11-22' } as const;
const ANTHROPIC_CARDS = { source: 'platform.claude.com, model overviews', readOn: '2026-11-25' } as const;
const OPENAI_PAGES = { source: 'developers.openai.com, Pricing and Prompt caching', readOn: '2026-11-22' } as const;
const OPENAI_CARDS = { source: 'developers.openai.com, model pages', readOn: '2026-11-25' } as const;
/** Figures that were found in copies of the provider's page alone. */
const OPENAI_COPIES = { source: 'copies of developers.openai.com, model pages', readOn: '2026-11-25' } as const;
type Pages = Pick<ModelPrices, 'source' | 'readOn'>;

const row =
  (cache: typeof CLAUDE | typeof GPT | typeof LATE_GPT) =>
  // biome-ignore lint/complexity/useMaxParams: the columns of the table.
  (model: string, features: ModelFeatures, figures: Figures, pages: Pages, offered?: 'offered'): ModelRow => ({
    model,
    features,
    prices: { ...cache, ...figures, ...pages },
    offered: offered !== undefined,
  });
const claude = row(CLAUDE);
const gpt = row(GPT);
const late = row(LATE_GPT);
const unpriced = (model: string, features: ModelFeatures): ModelRow => ({
  model,
  features,
  prices: undefined,
  offered: false,
});
/** A price that doubles for requests with more than 272,000 input tokens. */
const doubling = (usd: number) => ({ usd, long: { above: 272_000, usd: 2 * usd } });

const ANTHROPIC: readonly ModelRow[] = [
  // The service checks the prefixes of this model's thinking for every account, of the others for newer accounts.
  claude('claude-fable-5-2', CLAUDE_5_5, { read: 0.025, usd: 8 }, ANTHROPIC_PAGES, 'offered'),
  claude('claude-mythos-5-2', CLAUDE_5_5, { read: 0.025, usd: 8 }, ANTHROPIC_PAGES),
  // The minimum of 512 tokens: docs.litellm.ai and others that quote the provider's page on caching.
  claude('claude-fable-5-1', CLAUDE_5_5, { read: 0.025, usd: 10, minimum: 512 }, ANTHROPIC_CARDS),
  claude('claude-mythos-5-1', CLAUDE_5_5, { read: 0.025, usd: 10 }, ANTHROPIC_PAGES),
  claude('claude-fable-5', CLAUDE_4_8, { usd: 10, minimum: 512 }, ANTHROPIC_PAGES),
  claude('claude-mythos-5', CLAUDE_4_8, { usd: 10, minimum: 512 }, ANTHROPIC_PAGES),
  claude('claude-opus-5-5', CLAUDE_5_5, { read: 0.05, usd: 4 }, ANTHROPIC_CARDS, 'offered'),
  claude('claude-opus-5', CLAUDE_4_8, { usd: 5, minimum: 512 }, ANTHROPIC_CARDS, 'offered'),
  claude('claude-opus-4-8', CLAUDE_4_8, { usd: 5 }, ANTHROPIC_PAGES),
  // Sources disagree on the minimum: 2,048 or 4,096.
  claude('claude-opus-4-7', CLAUDE_4_6, { usd: 5, minimum: 4_096 }, ANTHROPIC_PAGES),
  claude('claude-opus-4-6', CLAUDE_4_6, { usd: 5, minimum: 4_096 }, ANTHROPIC_CARDS, 'offered'),
  claude('claude-opus-4-5', CLAUDE_4_5, { usd: 5, minimum: 4_096 }, ANTHROPIC_CARDS, 'offered'),
  claude('claude-opus-4-1', { ...CLAUDE_3, maxOutputTokens: 32_000 }, { usd: 15 }, ANTHROPIC_PAGES),
  claude('claude-opus-4', { ...CLAUDE_3, maxOutputTokens: 32_000 }, { usd: 15 }, ANTHROPIC_PAGES),
  // Reading costs 0.05 since 2026-10-07.
  claude('claude-sonnet-5-5', CLAUDE_5_5, { read: 0.05, usd: 2 }, ANTHROPIC_CARDS, 'offered'),
  claude('claude-sonnet-5', CLAUDE_4_6, { usd: 2 }, ANTHROPIC_CARDS, 'offered'),
  // The page says 1,024 tokens; others have seen nothing cached below 2,048 (anthropics/anthropic-sdk-python#1194).
  claude('claude-sonnet-4-6', CLAUDE_4_6, { usd: 3, minimum: 2_048 }, ANTHROPIC_CARDS, 'offered'),
  claude('claude-sonnet-4-5', { ...CLAUDE_4_5, retires: '2026-11-30' }, { usd: 3 }, ANTHROPIC_PAGES, 'offered'),
  claude('claude-sonnet-4', CLAUDE_3, { usd: 3 }, ANTHROPIC_PAGES),
  claude('claude-haiku-5-5', HAIKU_5_5, { usd: 0.1, long: { above: 100_000, usd: 0.5 } }, ANTHROPIC_PAGES, 'offered'),
  claude('claude-haiku-4-5', HAIKU_4_5, { usd: 1, minimum: 4_096 }, ANTHROPIC_PAGES, 'offered'),
  claude('claude-4-5', HAIKU_4_5, {}, ANTHROPIC_PAGES),
  claude('claude-3-7', CLAUDE_3, {}, ANTHROPIC_PAGES),
  claude('claude-0', { ...CLAUDE_3, maxOutputTokens: 4_096 }, {}, ANTHROPIC_PAGES),
  // Without a version: tool search, but none of the newer features, which gateways and older models refuse.
  claude('claude', HAIKU_4_5, {}, ANTHROPIC_PAGES),
  unpriced('', HAIKU_4_5),
];

const OPENAI: readonly ModelRow[] = [
  gpt('gpt-5-chat', GPT_5_CHAT, {}, OPENAI_PAGES),
  late('gpt-6.2-astra', GPT_5_6, { read: 0.05, ...doubling(8) }, OPENAI_PAGES),
  late('gpt-6.2-sol', GPT_5_6, { read: 0.05, ...doubling(2) }, OPENAI_CARDS),
  late('gpt-6.1-sol', GPT_5_6, { read: 0.05, ...doubling(2) }, OPENAI_PAGES),
  late('gpt-6.1-terra', GPT_5_6, { read: 0.05, ...doubling(1) }, OPENAI_CARDS),
  late('gpt-6-astra', GPT_5_6, doubling(10), OPENAI_PAGES, 'offered'),
  late('gpt-6-sol', GPT_5_6, doubling(2), OPENAI_PAGES, 'offered'),
  late('gpt-6-luna', GPT_5_6, doubling(0.1), OPENAI_PAGES, 'offered'),
  // The page calls this a promotion until 2026-11-21 at least; copies have 5 $.
  late('gpt-5.6-sol', GPT_5_6, doubling(4), OPENAI_CARDS, 'offered'),
  late('gpt-5.6-terra', GPT_5_6, doubling(2), OPENAI_COPIES, 'offered'),
  late('gpt-5.6-luna', GPT_5_6, doubling(0.2), OPENAI_COPIES, 'offered'),
  // Another name of gpt-5.6-sol.
  late('gpt-5.6', GPT_5_6, doubling(4), OPENAI_CARDS),
  gpt('gpt-5.5-pro', GPT_5_4, { usd: 30 }, OPENAI_PAGES),
  gpt('gpt-5.4-pro', GPT_5_4, { usd: 30 }, OPENAI_PAGES),
  gpt('gpt-5.4-mini', GPT_5_4_MINI, { usd: 0.75 }, OPENAI_PAGES, 'offered'),
  gpt('gpt-5.4-nano', GPT_5_4_MINI, { usd: 0.2 }, OPENAI_PAGES, 'offered'),
  // No page of the provider says that this price doubles.
  gpt('gpt-5.5', GPT_5_4, { usd: 5 }, OPENAI_COPIES),
  gpt('gpt-5.4', GPT_5_4, doubling(2.5), OPENAI_COPIES, 'offered'),
  gpt('gpt-5', GPT_5, {}, OPENAI_PAGES),
  gpt('gpt-4.1-mini', GPT_OTHER, { read: 0.25, usd: 0.4 }, OPENAI_PAGES),
  gpt('gpt-4.1-nano', GPT_OTHER, { read: 0.25, usd: 0.1 }, OPENAI_PAGES),
  gpt('gpt-4.1', GPT_OTHER, { read: 0.25, usd: 2 }, OPENAI_PAGES),
  gpt('gpt-4o-mini', GPT_OTHER, { read: 0.5, usd: 0.15 }, OPENAI_PAGES),
  gpt('gpt-4o', GPT_OTHER, { read: 0.5, usd: 2.5 }, OPENAI_PAGES),
  unpriced('chatgpt-4o', GPT_OTHER),
  unpriced('o1', O_SERIES),
  unpriced('', GPT_OTHER),
];

export const MODELS: { readonly [service in ServiceId]: readonly ModelRow[] } = {
  anthropic: ANTHROPIC,
  openai: OPENAI,
};
