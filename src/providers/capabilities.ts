import { type ModelInfo, type NativeSearch, PROVIDER_STRATEGY } from '../core/ports';

/** The services that we speak to ourselves. */
type Provider = 'anthropic' | 'openai';

/**
 * What one model can do, as far as requests depend on it. Limits in tokens where nothing else is said. Counting tokens has no
 * column: both services count for every model, and a port whose count fails is asked no more (`TokenCounter`).
 */
export interface Capability {
  /** Strategies of the provider's own tool search; empty where the model has none. */
  readonly strategies: readonly string[];
  /** Whether found tools can be handed over as references. */
  readonly references: boolean;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  /** Whether a request may demand that a tool be called. */
  readonly forcesTools: boolean;
  /** Whether code that the provider runs can call tools. */
  readonly code: boolean;
}

/** Deferred tools in one request; both services say so in their documentation or by an error. */
const MAX_DEFERRED = 10_000;

interface Row {
  readonly provider: Provider;
  /** Model lines that the row is for; without it all of them. */
  readonly lines?: RegExp;
  /** The first version that the row holds for. */
  readonly since: number;
  readonly capability: Capability;
}

const CLAUDE: Capability = {
  strategies: ['bm25', 'regex'],
  references: true,
  maxInputTokens: 200_000,
  maxOutputTokens: 64_000,
  forcesTools: true,
  code: false,
};
const GPT: Capability = {
  strategies: [PROVIDER_STRATEGY],
  references: true,
  maxInputTokens: 272_000,
  maxOutputTokens: 128_000,
  forcesTools: true,
  code: false,
};
const NO_SEARCH = { strategies: [], references: false } as const;

/**
 * The one table of what models can do; the first row that fits holds. Tool search came with Claude 4.5 and GPT-5.4, says
 * the services' documentation. Windows are those that every account has. What the services answer corrects it.
 */
const TABLE: readonly Row[] = [
  // Haiku runs code, but its code calls no tools.
  { provider: 'anthropic', lines: /opus|sonnet|fable|mythos/, since: 4.5, capability: { ...CLAUDE, code: true } },
  { provider: 'anthropic', since: 4.5, capability: CLAUDE },
  { provider: 'anthropic', lines: /opus/, since: 4, capability: { ...CLAUDE, ...NO_SEARCH, maxOutputTokens: 32_000 } },
  { provider: 'anthropic', since: 3.7, capability: { ...CLAUDE, ...NO_SEARCH } },
  { provider: 'anthropic', since: 0, capability: { ...CLAUDE, ...NO_SEARCH, maxOutputTokens: 4_096 } },
  { provider: 'openai', lines: /^gpt/, since: 5.6, capability: { ...GPT, code: true } },
  { provider: 'openai', lines: /^gpt/, since: 5.4, capability: GPT },
  { provider: 'openai', lines: /^gpt/, since: 5, capability: { ...GPT, ...NO_SEARCH } },
  {
    provider: 'openai',
    since: 0,
    capability: { ...GPT, ...NO_SEARCH, maxInputTokens: 128_000, maxOutputTokens: 16_384 },
  },
];

/** What the table says of a model. A Claude whose version can't be read from its name counts as a new one: a 400 corrects that. */
export function tableCapability(provider: Provider, model: string): Capability {
  const name = model.toLowerCase().slice(model.lastIndexOf('/') + 1);
  const version = versionOf(name) ?? (provider === 'anthropic' ? Number.POSITIVE_INFINITY : 0);
  const row = TABLE.find(
    (candidate) =>
      candidate.provider === provider && version >= candidate.since && (candidate.lines?.test(name) ?? true),
  );
  return row?.capability ?? { ...CLAUDE, ...NO_SEARCH };
}

/** `claude-sonnet-4-5-20250929`, `claude-3-7-sonnet`, `claude-opus-4-20250514`, `gpt-5.4-mini` → 4.5, 3.7, 4, 5.4. */
function versionOf(name: string): number | undefined {
  const match = /(?:^|[a-z])-?(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/.exec(name);
  return match ? Number(`${match[1]}.${match[2] ?? 0}`) : undefined;
}

/** What is known of models: the table, corrected by what the services answered in this session. */
export class Capabilities {
  readonly #learned = new Map<string, Partial<Capability>>();

  of(provider: Provider, model: string): Capability {
    return { ...tableCapability(provider, model), ...this.#learned.get(`${provider}/${model}`) };
  }

  learn(provider: Provider, model: string, correction: Partial<Capability>): void {
    const key = `${provider}/${model}`;
    this.#learned.set(key, { ...this.#learned.get(key), ...correction });
  }

  /** A model as the core needs it to plan a request. */
  describe(
    vendor: Provider,
    { model, name, maxTools }: { readonly model: string; readonly name: string; readonly maxTools: number },
  ): ModelInfo {
    const capability = this.of(vendor, model);
    const native = nativeSearch(capability);
    // If a refusal has taught it, the user has read the refusal.
    const degraded = degradedSentence(name, tableCapability(vendor, model));
    return {
      id: model,
      vendor,
      name,
      maxInputTokens: capability.maxInputTokens,
      toolCalling: true,
      runsCode: capability.code,
      maxTools,
      ...(native ? { native: { ...native, describesServers: vendor === 'openai' } } : {}),
      ...(degraded ? { degraded } : {}),
    };
  }
}

/** A refusal of the service that the table didn't foresee: what to remember where it says that a model has no tool search. */
export const WITHOUT_SEARCH: Partial<Capability> = NO_SEARCH;

/** A capability as the core needs it to choose a delivery. */
export function nativeSearch(capability: Capability): NativeSearch | undefined {
  const { strategies, references } = capability;
  return strategies.length > 0 || references ? { strategies, references, maxDeferred: MAX_DEFERRED } : undefined;
}

/** What a user should know of a model without tool search whose provider's newer models have it. */
export function degradedSentence(name: string, capability: Capability): string | undefined {
  return nativeSearch(capability)
    ? undefined
    : `${name} has no tool search of its own, so found tools join the request and the provider's cache is written anew after each discovery. Newer models of this provider don't need that.`;
}
