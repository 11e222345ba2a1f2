import { type ModelInfo, type NativeSearch, PROVIDER_STRATEGY } from '../core/ports';
import { l10n } from '../core/util/l10n';

// The abilities of each model: a table that is corrected when a service refuses a feature.

/** The services that we call directly. */
type Provider = 'anthropic' | 'openai';

/** The abilities of one model that determine how requests are built. Limits are in tokens. */
export interface Capability {
  /** The search strategies that the provider itself offers; empty if the model has no tool search. */
  readonly strategies: readonly string[];
  /** Whether found tools can be sent as references instead of definitions. */
  readonly references: boolean;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  /** Whether a request may demand a tool call. */
  readonly forcesTools: boolean;
  /** Whether code that the provider runs can call tools. */
  readonly code: boolean;
  /**
   * How tools can be added in mid-conversation: by definition, only by reference to a tool in the request's list, or
   * not at all (false).
   */
  readonly addsTools: false | 'definition' | 'reference';
  /** Whether a message in mid-conversation may have the role `system` (for GPT: `developer`). */
  readonly systemMessages: boolean;
  /** Whether the model thinks by default, and each thinking block is valid only after its own prefix. */
  readonly bindsThinking: boolean;
  /**
   * Whether a request may set how the service treats thinking whose prefix has changed. Gateways may refuse that field.
   */
  readonly bindingControls: boolean;
  /** Whether the service explains cache misses. */
  readonly diagnoses: boolean;
  /** Whether a request may name a key for its prompt cache. */
  readonly cacheKey: boolean;
  /** The date on which the service switches the model off, such as `2026-11-30`, if it has been announced. */
  readonly retires?: string;
}

/** The maximum number of deferred tools in one request. Both services document this limit or name it in an error. */
const MAX_DEFERRED = 10_000;

interface CapabilityRow {
  readonly provider: Provider;
  /** The names of the model lines in this row; all lines if left out. */
  readonly lines?: RegExp;
  /** The lowest model version in this row. */
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
/** Models that think at every request. The service refuses a forced tool call together with thinking. */
const THINKS = { bindsThinking: true, forcesTools: false } as const;
const BOUND = { ...CHANGES, ...THINKS } as const;
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
 * The table of abilities. The first row that matches a model applies. Sources, read in November 2026:
 * platform.claude.com (models/…/overview, tool search, prefix checks, mid-conversation system messages) and
 * developers.openai.com (models, tool search, prompt caching).
 */
const TABLE: readonly CapabilityRow[] = [
  { provider: 'anthropic', lines: /fable|mythos/, since: 5.1, capability: { ...CLAUDE_5, ...BOUND } },
  { provider: 'anthropic', lines: /opus|sonnet/, since: 5.5, capability: { ...CLAUDE_5, ...BOUND } },
  // This model accepts system messages in mid-conversation, but its tools can't change, and its code can't call tools.
  {
    provider: 'anthropic',
    lines: /haiku/,
    since: 5.5,
    capability: { ...CLAUDE_5, ...THINKS, systemMessages: true, code: false },
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
    capability: { ...GPT_5_4, maxInputTokens: 922_000, code: true, cacheKey: true, diagnoses: true },
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
 * Returns the table's row for a model. A Claude without a readable version is treated as version 4.5, which has tool
 * search but none of the newer features that gateways and older models refuse.
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

/**
 * Reads a model's version: `claude-sonnet-4-5-20250929` → 4.5, `claude-3-7-sonnet` → 3.7, `claude-opus-4-20250514` → 4,
 * `gpt-5.4-mini` → 5.4.
 */
function versionOf(name: string): number | undefined {
  const match = /(?:^|[a-z])-?(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/.exec(name);
  return match ? Number(`${match[1]}.${match[2] ?? 0}`) : undefined;
}

/** The abilities of models: the table, and the corrections from refusals in this session. */
export class Capabilities {
  readonly #learned = new Map<string, Partial<Capability>>();

  of(provider: Provider, model: string): Capability {
    return { ...tableCapability(provider, model), ...this.#learned.get(`${provider}/${model}`) };
  }

  learn(provider: Provider, model: string, correction: Partial<Capability>): void {
    const key = `${provider}/${model}`;
    this.#learned.set(key, { ...this.#learned.get(key), ...correction });
  }

  /** Returns a model's description, with which the core plans requests. */
  describe(
    vendor: Provider,
    { model, name, maxTools }: { readonly model: string; readonly name: string; readonly maxTools: number },
  ): ModelInfo {
    const capability = this.of(vendor, model);
    const native = nativeSearch(capability);
    // If the table was corrected after a refusal, the user has already seen that refusal.
    const degraded = degradedSentence(name, tableCapability(vendor, model));
    return {
      id: model,
      vendor,
      name,
      maxInputTokens: capability.maxInputTokens,
      toolCalling: true,
      runsCode: capability.code,
      addsTools: capability.addsTools !== false,
      forcesCalls: capability.forcesTools,
      removesTools: vendor === 'anthropic' && capability.addsTools !== false,
      maxTools,
      ...(capability.retires ? { retires: capability.retires } : {}),
      ...(native ? { native: { ...native, describesServers: vendor === 'openai' } } : {}),
      ...(degraded ? { degraded } : {}),
    };
  }
}

/** The correction for a model that turns out to have no tool search of its own. */
export const WITHOUT_SEARCH: Partial<Capability> = NO_SEARCH;

/** Returns the provider's own search as the core needs it to choose a delivery; undefined if the model has none. */
export function nativeSearch(capability: Capability): NativeSearch | undefined {
  const { strategies, references } = capability;
  return strategies.length > 0 || references ? { strategies, references, maxDeferred: MAX_DEFERRED } : undefined;
}

/** Returns a sentence for the user if a model has no tool search but newer models of its provider do. */
export function degradedSentence(name: string, capability: Capability): string | undefined {
  return nativeSearch(capability)
    ? undefined
    : l10n.t(
        '{0} has no tool search of its own. Found tools are added to the request. Each time, the provider writes its cache again, which costs more. Newer models of this provider avoid this.',
        name,
      );
}
