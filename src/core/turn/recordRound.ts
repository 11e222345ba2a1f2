// Records a model call when its tokens are counted. Belongs to the bundle that is loaded at the first model call.

import type { Tool, ToolDefinition } from '../catalog/tool';
import type { RecordEntry } from '../ledger/ledger';
import { usdOf } from '../models/listPrice';
import { modelPrices } from '../models/modelFacts';
import type { ModelPrices } from '../models/types';
import { type CountOptions, countTools } from '../usage/accounting';
import type { FollowedRequest, LastRequests } from '../usage/cacheMiss';
import { cacheMissRecord, cacheOf } from '../usage/cacheMissRecord';
import { costByPart, inputCost, reportedCacheUse } from '../usage/inputCost';
import { type CacheUse, PromptCaches } from '../usage/promptCache';
import type { Segment } from '../usage/requestShape';
import { NOTHING, roundTokens, type TokenCounts, withoutSaving } from '../usage/roundTokens';
import { onlySearched } from '../usage/twin';
import type { RoundTokens, Tokens } from '../usage/types';
import type { Reply } from './reply';
import { inputOf, outputTokens } from './replyTokens';

/** A finished model call. */
export interface AskedRound {
  readonly number: number;
  readonly reply: Reply;
  readonly counts: Promise<TokenCounts>;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly ended: number;
  /** The tokens of the discovered definitions at the reply's end, if the provider found more tools during the reply. */
  readonly expanded: Promise<Tokens> | undefined;
  /** Whether a service refused the request before it answered. */
  readonly refused: boolean;
  /** The tokens of the request, counted afterwards because its reply was cut before its usage was reported. */
  readonly counted: Promise<number | undefined> | undefined;
  /** Whether the last reply searched and called tools. The twin's model makes the calls of both replies in one. */
  readonly joins: boolean;
  /** Whether tools are deferred. Otherwise the request saves nothing, whatever its twin costs. */
  readonly defers: boolean;
  /** The number of the provider's own searches; undefined if the provider doesn't search. */
  readonly searches: number | undefined;
  /** The request's deferred tools. Set if a found tool's definition must stay as it was sent. */
  readonly deferred: readonly ToolDefinition[] | undefined;
  /** Names of the tools of which the model should have called one first. */
  readonly choice: readonly string[];
  /** The request and its twin, as a provider's cache reads them. */
  readonly cache: {
    readonly followed: FollowedRequest;
    readonly sent: Parameters<typeof costByPart>[1];
    /** Undefined if the request is its own twin. */
    readonly twin: readonly Segment[] | undefined;
    /** The servers' tools of the twin. */
    readonly all: readonly Tool[];
    readonly requests: LastRequests;
    /** Called with the request's tokens, for comparison with the next request. Absent if the request was refused. */
    readonly reportSent: ReturnType<FollowedRequest['read']> | undefined;
  };
}

/**
 * Records a round after its counts and all earlier rounds, and calls `reportSent`. The turn continues meanwhile.
 * @param taken resolves with how the turn goes on when the reply's calls are answered
 */
export async function recordRound(
  asked: AskedRound,
  { record, counting }: { readonly record: RecordEntry; readonly counting: CountOptions },
  before: Promise<void>,
  taken: Promise<string>,
): Promise<void> {
  const { number, reply, started, ended, searches = 0 } = asked;
  const [counts, expanded, counted] = await Promise.all([asked.counts, asked.expanded, asked.counted, before]);
  const prices = modelPrices(counting.port.info);
  const base = { type: 'roundEnded' as const, round: number, ms: ended - started };
  if (asked.refused) return record({ ...base, tokens: NOTHING }, ended);
  const searched = onlySearched(reply.calls);
  // If the turn is stopped while it searches, the twin has sent this request as well.
  const isStopped = searched && (await taken.catch(() => 'failed')) === 'cancelled';
  const isWhole = !reply.cut && reply.failure === undefined && !isStopped;
  const untwinned = isWhole && reply.calls.length > 0 && (asked.joins || searched);
  const isOwnTwin = !asked.cache.twin;
  const found = Math.max(0, (expanded?.value ?? 0) - counts.discovered.value);
  const usage = inputOf(reply, found, counting.counter, prices);
  const tokens = roundTokens(
    counts,
    { usage, cut: reply.cut, counted, searches: asked.searches, untwinned, isOwnTwin },
    expanded,
  );
  const uses = prices && (await cacheUses(asked, tokens, counts, { counting, prices }));
  // If the provider reported no use of its cache because its reply was cut, the simulated one counts.
  const simulated = tokens.cacheRead === undefined ? uses?.sent : undefined;
  const cache = cacheOf(
    { ...tokens, ...(simulated && { cacheRead: simulated.read, cacheWrite: simulated.write }) },
    { searches: counted === undefined ? searches : 0, first: reply.firstUsage },
    prices,
  );
  asked.cache.reportSent?.({ sent: tokens.sent, ...(cache ? { cached: cache.cached } : {}) });
  const prefix = cacheMissRecord(asked.cache.followed, cache, {
    estimate: (chars) => counting.counter.estimate(chars),
    lifeMs: prices?.lifeMs,
    said: reply.cacheMiss,
  });
  const output = outputTokens(reply, counting.counter);
  const figures = { ...tokens, ...(uses && costs(asked, tokens, uses, prices)) };
  record(
    {
      ...base,
      tokens: isWhole && asked.defers ? figures : withoutSaving(figures, uses?.sent),
      ...(prefix ? { prefix } : {}),
      ...(output ? { outputTokens: output } : {}),
    },
    ended,
  );
}

/** The cache reads and writes of a request and of its twin; undefined if they aren't known. */
interface CacheUses {
  readonly sent: CacheUse | undefined;
  readonly baseline: CacheUse | undefined;
}

/**
 * Returns the use of the cache as the provider reports it, and the use by the twin as it is simulated. A reply that was
 * cut before its usage was reported has only simulated figures.
 */
async function cacheUses(
  { cache, started, reply }: AskedRound,
  tokens: RoundTokens,
  { all, twinPrompt, history, toolPrompt = 0 }: TokenCounts,
  { counting, prices }: { readonly counting: CountOptions; readonly prices: ModelPrices },
): Promise<CacheUses> {
  const { vendor, id } = counting.port.info;
  const model = `${vendor}/${id}`;
  cache.requests.caches ??= { sent: new PromptCaches(), twin: new PromptCaches() };
  const { caches } = cache.requests;
  const whole = cache.twin ?? cache.sent.segments;
  // Of a list that has changed, a cache without marks holds the tools before the change. Its steps need their count.
  const count = prices.ends === 'marks' ? 0 : caches.twin.shared({ model, segments: whole });
  const isCounted = count > 0 && whole[count - 1]?.kind === 'tool' && whole[count - 1]?.id === cache.all[count - 1]?.id;
  const first = isCounted
    ? { count, tokens: (await countTools(cache.all.slice(0, count), counting)).value }
    : undefined;
  const use = (cached: PromptCaches, segments: readonly Segment[], total: number, tools: number) =>
    cached.use(
      {
        model,
        segments,
        tokens: { tools: Math.min(tools + toolPrompt, total), total, first: segments === whole ? first : undefined },
        at: started,
      },
      prices,
    );
  const { sent, eager, discovered, baseline } = tokens;
  const simulated = use(caches.sent, cache.sent.segments, sent.value, eager.value + discovered.value);
  const used = reportedCacheUse(tokens, prices) ?? (reply.cut && !reply.usage ? simulated : undefined);
  // Some requests have no twin. If the provider's code continued after a request, the request's twin costs nothing, but
  // the cache holds it.
  const total = baseline.value || all.value + (twinPrompt ?? history).value;
  const twin = tokens.usualOverhead ? undefined : use(caches.twin, whole, total, cache.twin ? all.value : eager.value);
  if (!twin || baseline.value === 0) return { sent: used, baseline: { read: 0, write: 0 } };
  // If both caches held the same, the twin reads what was really read.
  return { sent: used, baseline: !cache.twin && twin.read === simulated.read ? used : twin };
}

/** Returns the cost of a round and of its twin; empty if a use of the cache isn't known. */
function costs(
  { cache }: AskedRound,
  tokens: RoundTokens,
  { sent: used, baseline: baselineCache }: CacheUses,
  prices: ModelPrices,
): Pick<RoundTokens, 'cost' | 'baselineCache'> {
  if (!used || !baselineCache) return {};
  const { sent, baseline } = tokens;
  const cost = {
    sent: inputCost(sent.value, used, prices),
    baseline: inputCost(baseline.value, baselineCache, prices),
  };
  const sentUsd = usdOf(cost.sent, sent.value, prices);
  const baselineUsd = usdOf(cost.baseline, baseline.value, prices);
  const isPriced = sentUsd !== undefined && baselineUsd !== undefined;
  const parts = costByPart(tokens, cache.sent, used, prices);
  return {
    cost: { ...cost, parts, ...(isPriced && { usd: { sent: sentUsd, baseline: baselineUsd } }) },
    baselineCache,
  };
}
