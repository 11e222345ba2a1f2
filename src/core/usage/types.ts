// The figures of a model call, as recorded. The types are inferred from the schemas that read them from files.

import * as z from 'zod/mini';
import { once } from '../util/once';
import type { ReadonlyDeep } from '../util/readonlyDeep';

/** The reasons why a provider's cache didn't hold the whole previous request. */
const CACHE_MISS_CAUSES = [
  'model',
  'delivery',
  // Our own tools joined or left the request, because the first tool became deferred or none is deferred any longer.
  'deferral',
  // A found tool joined the definitions, which precede the conversation.
  'discovered',
  // A server added, removed or reworded a tool.
  'listed',
  'delisted',
  'changed',
  // A setting or a pin moved a tool into the request or out of it.
  'madeEager',
  'madeDeferred',
  'system',
  'history',
  // The service reports a change that we don't know of.
  'reported',
  // Nothing changed, but the cache had expired.
  'expired',
  // Nothing that we know of changed, and the cache can't have expired.
  'unknown',
] as const;

export const usageSchemas = /* @__PURE__ */ once(() => {
  const tokens = z.object({ value: z.number(), certainty: z.enum(['measured', 'estimated']) });
  return {
    tokens,
    roundTokens: z.object({
      /** The user's and the model's part of the conversation. It has the same tokens with and without deferring. */
      promptAndHistory: tokens,
      eager: tokens,
      discovered: tokens,
      /** The search tools' definitions, the guidance, and the search calls and results in the conversation. */
      searchOverhead: tokens,
      /** For a request that only searched: the overhead that an ordinary request in its place would have. */
      usualOverhead: z.optional(tokens),
      /** The sum of the four fields before, from `promptAndHistory` to `searchOverhead`. */
      sent: tokens,
      /** The tokens of the twin's request, with every definition and no search; 0 if this request only searched. */
      baseline: tokens,
      /** Input tokens that the provider read from its cache; absent if the provider doesn't report them. */
      cacheRead: z.optional(z.number()),
      cacheWrite: z.optional(z.number()),
      /** `sent` and `baseline` as costs, in units of one fresh input token; absent if the model's cache isn't known. */
      cost: z.optional(
        z.object({
          sent: z.number(),
          baseline: z.number(),
          /** The cost of each kind of tokens. Their sum is the cost of `sent`. */
          parts: z.optional(
            z.object({
              promptAndHistory: z.number(),
              eager: z.number(),
              discovered: z.number(),
              searchOverhead: z.number(),
            }),
          ),
          /** The same costs in US dollars by the list price; absent if that isn't known. */
          usd: z.optional(z.object({ sent: z.number(), baseline: z.number() })),
        }),
      ),
      /** The twin's tokens that would have been read from the cache and written to it; present with `cost`. */
      baselineCache: z.optional(z.object({ read: z.number(), write: z.number() })),
    }),
    /** A request compared with the previous one of its conversation. */
    cacheMiss: z.object({
      /** The tokens that could be read from a cache again. */
      same: tokens,
      /** The tokens of the previous request that had to be read again at full cost. */
      lost: tokens,
      /**
       * The first difference; absent if the request only adds to the previous one. `tool` is the id of the tool that
       * caused the difference, and `said` the cause in the service's own word.
       */
      broke: z.optional(
        z.object({ cause: z.enum(CACHE_MISS_CAUSES), tool: z.optional(z.string()), said: z.optional(z.string()) }),
      ),
    }),
  };
});
type UsageSchemas = ReturnType<typeof usageSchemas>;

/** A number of tokens, and whether it was measured or estimated. A sum with one estimated part is estimated. */
export type Tokens = ReadonlyDeep<z.infer<UsageSchemas['tokens']>>;
export type Certainty = Tokens['certainty'];
/** The tokens of one model call by kind. */
export type RoundTokens = ReadonlyDeep<z.infer<UsageSchemas['roundTokens']>>;
export type CacheMissRecord = ReadonlyDeep<z.infer<UsageSchemas['cacheMiss']>>;
export type CacheMissCause = (typeof CACHE_MISS_CAUSES)[number];
