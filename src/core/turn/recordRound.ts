/** Records a model call in the ledger once its tokens are counted. */
import type { Tool } from '../catalog/tool';
import type { RecordEntry } from '../ledger/ledger';
import { type CountOptions, countTools } from '../usage/accounting';
import { NOTHING, roundTokens, type TokenCounts } from '../usage/arithmetic';
import { inputCost, reportedCacheUse } from '../usage/cacheCost';
import { cacheMissRecord, cacheOf, type FollowedRequest, type WindowCaches } from '../usage/cacheMiss';
import { cacheRules } from '../usage/cacheRules';
import type { PromptCaches } from '../usage/promptCache';
import type { Segment } from '../usage/requestShape';
import { onlySearched } from '../usage/twin';
import type { RoundTokens } from '../usage/types';
import type { Reply } from './reply';
import { outputTokens, wasRefused } from './replyCost';

/** A model call that is over. */
export interface AskedRound {
  readonly number: number;
  readonly reply: Reply;
  readonly counts: Promise<TokenCounts>;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly ended: number;
  /** All discovered tools at the reply's end, if the provider found more. */
  readonly found: readonly Tool[] | undefined;
  /** How often the provider searched, if it searches itself. */
  readonly searches: number | undefined;
  /** The request and its twin as a provider's cache reads them. */
  readonly cache: {
    readonly followed: FollowedRequest;
    readonly sent: readonly Segment[];
    readonly twin: readonly Segment[];
    readonly caches: WindowCaches;
  };
}

/**
 * Records a round when its counts are there and the rounds before it are recorded. The turn goes on meanwhile. That the
 * request was sent is known at once.
 */
export async function recordRound(
  asked: AskedRound,
  { record, counting }: { readonly record: RecordEntry; readonly counting: CountOptions },
  before: Promise<void>,
): Promise<void> {
  const { number, reply, started, ended, found, searches = 0 } = asked;
  const refused = wasRefused(reply);
  const reportSent = refused ? undefined : asked.cache.followed.read();
  const [counts, expanded] = await Promise.all([asked.counts, found && countTools(found, counting), before]);
  const rules = cacheRules(counting.port.info);
  const base = { type: 'roundEnded' as const, round: number, ms: ended - started };
  if (refused) return record({ ...base, tokens: NOTHING }, ended);
  const searchOnly = !reply.cut && reply.failure === undefined && onlySearched(reply.calls);
  const tokens = roundTokens(
    counts,
    { usage: reply.usage, cut: reply.cut, searches: asked.searches, onlySearched: searchOnly },
    expanded,
  );
  const cache = cacheOf(tokens, searches, rules);
  reportSent?.({ sent: tokens.sent, ...(cache ? { cached: cache.cached } : {}) });
  const prefix = cacheMissRecord(asked.cache.followed, cache, {
    estimate: (chars) => counting.counter.estimate(chars),
    lifeMs: rules?.lifeMs,
  });
  const output = outputTokens(reply, counting.counter);
  record(
    {
      ...base,
      tokens: { ...tokens, ...costs(asked, tokens, counts, counting) },
      ...(prefix ? { prefix } : {}),
      ...(output ? { outputTokens: output } : {}),
    },
    ended,
  );
}

/** The cost of a round and of its twin; empty if the model's cache isn't known, or the provider doesn't report it. */
function costs(
  { cache, started, reply }: AskedRound,
  tokens: RoundTokens,
  { all }: TokenCounts,
  { port: { info } }: CountOptions,
): Pick<RoundTokens, 'cost' | 'baselineCache'> {
  const rules = cacheRules(info);
  if (!rules) return {};
  const use = (caches: PromptCaches, segments: readonly Segment[], total: number, tools: number) =>
    caches.use(
      { model: `${info.vendor}/${info.id}`, segments, tokens: { tools: Math.min(tools, total), total }, at: started },
      rules,
    );
  const { sent, eager, discovered, baseline } = tokens;
  const modelled = use(cache.caches.sent, cache.sent, sent.value, eager.value + discovered.value);
  // A reply that was cut before its usage says nothing of its cache.
  const used = reportedCacheUse(tokens, rules) ?? (reply.cut && !reply.usage ? modelled : undefined);
  if (!used) return {};
  const cost = inputCost(sent.value, used, rules);
  if (baseline.value === 0) return { cost: { sent: cost, baseline: 0 }, baselineCache: { read: 0, write: 0 } };
  const baselineCache = use(cache.caches.twin, cache.twin, baseline.value, all.value);
  return { cost: { sent: cost, baseline: inputCost(baseline.value, baselineCache, rules) }, baselineCache };
}
