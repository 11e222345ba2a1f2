/** The features and limits of one model, which determine how requests are built. Limits are in tokens. */
export interface ModelFeatures {
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
  /** How tools can be added in mid-conversation: by definition, only by reference to a listed tool, or not at all. */
  readonly addsTools: false | 'definition' | 'reference';
  /** Whether a message in mid-conversation may have the role `system` (for GPT: `developer`). */
  readonly systemMessages: boolean;
  /** Whether the model thinks by default, and each thinking block is valid only after its own prefix. */
  readonly bindsThinking: boolean;
  /** Whether a request may set the treatment of thinking whose prefix has changed. Gateways may refuse the field. */
  readonly bindingControls: boolean;
  /** Whether the service returns the model's reasoning in encrypted form, so that later requests can contain it. */
  readonly encryptsReasoning: boolean;
  /** Whether the service explains cache misses. */
  readonly diagnoses: boolean;
  /** Whether a request may name a key for its prompt cache. */
  readonly cacheKey: boolean;
  /** The date on which the service switches the model off, such as `2026-11-30`, if it has been announced. */
  readonly retires?: string;
}

/** The prices of a model's input tokens, and the rules of its prompt cache. */
export interface ModelPrices {
  /** The costs of reading a token from the cache and of writing it there, as shares of a fresh input token. */
  readonly read: number;
  readonly write: number;
  /** The minimum length of a request's beginning that is cached, in tokens. */
  readonly minimum: number;
  /** The possible ends of a cached beginning: marked parts of the request, or multiples of this number of tokens. */
  readonly ends: 'marks' | number;
  /** The time for which a beginning stays cached after its last use, in milliseconds. */
  readonly lifeMs: number;
  /** The list price of a million fresh input tokens in US dollars; absent if only the shares are known. */
  readonly usd?: number;
  /** The list price for requests with more than `above` input tokens. It applies to all their tokens. */
  readonly long?: { readonly above: number; readonly usd: number };
  /** The pages that these figures are from, and the date on which they were read. */
  readonly source: string;
  readonly readOn: string;
}
