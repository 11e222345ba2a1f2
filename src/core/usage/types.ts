/**
 * The figures of a model call, as they are recorded. The types are inferred from the schemas that read them from files.
 */
import * as z from 'zod/mini';
import { once } from '../util/once';
import type { ReadonlyDeep } from '../util/readonlyDeep';

/** The reasons why a provider could not read all of the request before from its cache. */
const CACHE_MISS_CAUSES = [
  'model',
  'delivery',
  // Our own tools came or went: the first tool became deferred, or the last one no longer is.
  'deferral',
  // A found tool joined the definitions, which are before the conversation.
  'discovered',
  // A server lists a new tool, no longer lists one, or changed its wording.
  'listed',
  'delisted',
  'changed',
  // A setting or a pin put a tool into the request or took it out.
  'madeEager',
  'madeDeferred',
  'system',
  'history',
  // We know of no change, but the service names one.
  'reported',
  // Nothing changed, but the cache had expired.
  'expired',
] as const;

export const usageSchemas = /* @__PURE__ */ once(() => {
  const tokens = z.object({ value: z.number(), certainty: z.enum(['measured', 'estimated']) });
  return {
    tokens,
    roundTokens: z.object({
      /** The user's and the model's part, for which any system pays. */
      promptAndHistory: tokens,
      eager: tokens,
      discovered: tokens,
      /** The search tools' definitions, the guidance, and the search calls and results in the conversation. */
      searchOverhead: tokens,
      /** For a request that only searched: the overhead that an ordinary request in its place would have had. */
      usualOverhead: z.optional(tokens),
      /** The sum of the first four. */
      sent: tokens,
      /** The twin's request, with every definition and no search; 0 if this one only searched. */
      baseline: tokens,
      /** Input tokens that the provider read from its cache; absent if it doesn't report them. */
      cacheRead: z.optional(z.number()),
      cacheWrite: z.optional(z.number()),
      /** `sent` and `baseline` by cost, in units of one fresh input token; absent if the model's cache isn't known. */
      cost: z.optional(
        z.object({
          sent: z.number(),
          baseline: z.number(),
          /** The cost of each kind. They add up to `sent`. */
          parts: z.optional(
            z.object({
              promptAndHistory: z.number(),
              eager: z.number(),
              discovered: z.number(),
              searchOverhead: z.number(),
            }),
          ),
          /** The same in US dollars by the list price; absent if it isn't known. */
          usd: z.optional(z.object({ sent: z.number(), baseline: z.number() })),
        }),
      ),
      /** The twin's tokens that would have been read from the cache and written to it; present with `cost`. */
      baselineCache: z.optional(z.object({ read: z.number(), write: z.number() })),
    }),
    /** A request compared with the one before it in its conversation. */
    cacheMiss: z.object({
      /** The tokens that could be read from a cache again. */
      same: tokens,
      /** The tokens of the request before that had to be read again in full. */
      lost: tokens,
      /**
       * The first difference; absent if the request only adds to the one before. `tool` is its id, `said` the service's
       * own word for it.
       */
      broke: z.optional(
        z.object({
          cause: z.enum(CACHE_MISS_CAUSES),
          tool: z.optional(z.string()),
          said: z.optional(z.string()),
        }),
      ),
    }),
  };
});
type Schemas = ReturnType<typeof usageSchemas>;

/** A number of tokens, with how it is known. A sum with one estimated part is estimated. */
export type Tokens = ReadonlyDeep<z.infer<Schemas['tokens']>>;
export type Certainty = Tokens['certainty'];
/** The tokens of one model call by kind. */
export type RoundTokens = ReadonlyDeep<z.infer<Schemas['roundTokens']>>;
export type CacheMissRecord = ReadonlyDeep<z.infer<Schemas['cacheMiss']>>;
export type CacheMissCause = (typeof CACHE_MISS_CAUSES)[number];
