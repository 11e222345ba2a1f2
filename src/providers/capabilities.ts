import { type ModelInfo, type NativeSearch, PROVIDER_STRATEGY } from '../core/ports';

/** The services that we speak to ourselves. */
type Provider = 'anthropic' | 'openai';

/** What one model can do, as far as requests depend on it. Limits are in tokens. */
export interface Capability {
  /** Strategies of the provider's own tool search; empty if the model has none. */
  readonly strategies: readonly string[];
  /** Whether found tools can be sent as references. */
  readonly references: boolean;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  /** Whether a request may demand that a tool be called. */
  readonly forcesTools: boolean;
  /** Whether code that the provider runs can call tools. */
  readonly code: boolean;
  /**
   * Whether tools can join in mid-conversation: by their definitions, or only by references to tools of the request's list.
   */
  readonly addsTools: false | 'definition' | 'reference';
  /** Whether a message in mid-conversation may have the role `system` (GPT: `developer`). */
  readonly systemMessages: boolean;
  /** Whether the model thinks unless it is told not to, and each thinking block is valid only after its own prefix. */
  readonly bindsThinking: boolean;
  /** Whether a request may say what becomes of thinking whose prefix has changed. A gateway may refuse that field. */
  readonly bindingControls: boolean;
  /** Whether the service says why it could not reuse its cache. */
  readonly diagnoses: boolean;
  /** Whether a request may name a key for its prompt cache. */
  readonly cacheKey: boolean;
  /** When the service switches the model off, as `2026-11-30`, if that has been announced. */
  readonly retires?: string;
}

/** Deferred tools in one request. Both services document it, or say so in an error. */
const MAX_DEFERRED = 10_000;

interface Row {
  readonly provider: Provider;
  /** Model lines that the row is for; without it all of them. */
  readonly lines?: RegExp;
  /** The first version that the row holds for. */
  readonly since: number;
  readonly capability: Capability;
}

const NO_SEARCH = { strategies: [], references: false } as const;
const CLAUDE_4_5: Capability = {
  strategies: ['bm25', 'regex'],
  references: true,
  maxInputTokens: 200_000,
  maxOutputTokens: 64_000,
  forcesTools: true,
  code: true,
  addsTools: false,
  systemMessages: false,
  bindsThinking: false,
  bindingControls: true,
  diagnoses: false,
  cacheKey: false,
};
const CLAUDE_5: Capability = { ...CLAUDE_4_5, maxInputTokens: 1_000_000, maxOutputTokens: 128_000 };
const CHANGES = { addsTools: 'definition', systemMessages: true, diagnoses: true } as const;
/** They think at every request, which a forced call would skip. */
const BOUND = { ...CHANGES, bindsThinking: true, forcesTools: false } as const;
const GPT_5: Capability = {
  ...NO_SEARCH,
  maxInputTokens: 272_000,
  maxOutputTokens: 128_000,
  forcesTools: true,
  code: false,
  addsTools: 'definition',
  systemMessages: true,
  bindsThinking: false,
  bindingControls: false,
  diagnoses: false,
  cacheKey: false,
};
const GPT_5_4: Capability = { ...GPT_5, strategies: [PROVIDER_STRATEGY], references: true };

/**
 * The one table of what models can do: the first row that fits holds. What the services answer corrects it. Sources, read in
 * November 2026: platform.claude.com (models/…/overview, tool search, prefix checks, mid-conversation system messages) and
 * developers.openai.com (models, tool search, prompt caching).
 */
const TABLE: readonly Row[] = [
  { provider: 'anthropic', lines: /fable|mythos/, since: 5.1, capability: { ...CLAUDE_5, ...BOUND } },
  { provider: 'anthropic', lines: /opus|sonnet/, since: 5.5, capability: { ...CLAUDE_5, ...BOUND } },
  // It takes system messages, but no changes of tools, and its code calls no tools.
  {
    provider: 'anthropic',
    lines: /haiku/,
    since: 5.5,
    capability: { ...CLAUDE_5, systemMessages: true, bindsThinking: true, code: false },
  },
  { provider: 'anthropic', lines: /opus|fable|mythos/, since: 4.8, capability: { ...CLAUDE_5, ...CHANGES } },
  { provider: 'anthropic', lines: /sonnet/, since: 5, capability: CLAUDE_5 },
  { provider: 'anthropic', lines: /sonnet-4-5/, since: 4.5, capability: { ...CLAUDE_4_5, retires: '2026-11-30' } },
  { provider: 'anthropic', lines: /opus|sonnet|fable|mythos/, since: 4.5, capability: CLAUDE_4_5 },
  { provider: 'anthropic', since: 4.5, capability: { ...CLAUDE_4_5, code: false } },
  {
    provider: 'anthropic',
    lines: /opus/,
    since: 4,
    capability: { ...CLAUDE_4_5, ...NO_SEARCH, code: false, maxOutputTokens: 32_000 },
  },
  { provider: 'anthropic', since: 3.7, capability: { ...CLAUDE_4_5, ...NO_SEARCH, code: false } },
  {
    provider: 'anthropic',
    since: 0,
    capability: { ...CLAUDE_4_5, ...NO_SEARCH, code: false, maxOutputTokens: 4_096 },
  },
  {
    provider: 'openai',
    lines: /^gpt/,
    since: 5.6,
    capability: { ...GPT_5_4, maxInputTokens: 922_000, code: true, cacheKey: true },
  },
  { provider: 'openai', lines: /^gpt/, since: 5.4, capability: GPT_5_4 },
  { provider: 'openai', lines: /^gpt/, since: 5, capability: GPT_5 },
  {
    provider: 'openai',
    since: 0,
    capability: { ...GPT_5, addsTools: false, maxInputTokens: 128_000, maxOutputTokens: 16_384 },
  },
];

/**
 * The table's row for a model. A Claude whose version can't be read from its name counts as one of version 4.5: that has tool
 * search, and nothing that an older model or a gateway refuses in every request.
 */
export function tableCapability(provider: Provider, model: string): Capability {
  const name = model.toLowerCase().slice(model.lastIndexOf('/') + 1);
  const version = versionOf(name) ?? (provider === 'anthropic' ? 4.5 : 0);
  const row = TABLE.find(
    (candidate) =>
      candidate.provider === provider && version >= candidate.since && (candidate.lines?.test(name) ?? true),
  );
  return row?.capability ?? { ...CLAUDE_4_5, ...NO_SEARCH };
}

/** `claude-sonnet-4-5-20250929`, `claude-3-7-sonnet`, `claude-opus-4-20250514`, `gpt-5.4-mini` → 4.5, 3.7, 4, 5.4. */
function versionOf(name: string): number | undefined {
  const match = /(?:^|[a-z])-?(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/.exec(name);
  return match ? Number(`${match[1]}.${match[2] ?? 0}`) : undefined;
}

/** What models can do: the table, corrected by what the services answered in this session. */
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
      addsTools: capability.addsTools !== false,
      maxTools,
      ...(capability.retires ? { retires: capability.retires } : {}),
      ...(native ? { native: { ...native, describesServers: vendor === 'openai' } } : {}),
      ...(degraded ? { degraded } : {}),
    };
  }
}

/** The correction for a model that turns out to have no tool search. */
export const WITHOUT_SEARCH: Partial<Capability> = NO_SEARCH;

/** A capability as the core needs it to choose a delivery. */
export function nativeSearch(capability: Capability): NativeSearch | undefined {
  const { strategies, references } = capability;
  return strategies.length > 0 || references ? { strategies, references, maxDeferred: MAX_DEFERRED } : undefined;
}

/** A sentence for the user about a model without tool search whose provider's newer models have it. */
export function degradedSentence(name: string, capability: Capability): string | undefined {
  return nativeSearch(capability)
    ? undefined
    : `${name} has no tool search of its own, so found tools join the request and the provider's cache is written again after each discovery. Newer models of this provider don't need that.`;
}
