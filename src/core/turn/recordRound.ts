import type { Tool } from '../catalog/tool';
import type { RecordEntry } from '../ledger/ledger';
import { type CountOptions, countTools } from '../usage/accounting';
import { roundTokens, type TokenCounts } from '../usage/arithmetic';
import { cacheCost, cacheRatios } from '../usage/cacheCost';
import { cacheMissRecord, type FollowedRequest } from '../usage/cacheMiss';
import type { CacheMissRecord, RoundTokens } from '../usage/types';
import type { Reply } from './reply';
import { NOTHING, outputTokens, wasRefused } from './replyCost';

/** One model call and what is to be recorded of it. */
export interface AskedRound {
  readonly number: number;
  readonly reply: Reply;
  readonly prices: Promise<TokenCounts>;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly ended: number;
  /** All discovered tools at the reply's end, where the provider found more. */
  readonly found: readonly Tool[] | undefined;
  /** How often the provider searched, where it searches itself. */
  readonly searches: number | undefined;
  readonly followed: FollowedRequest | undefined;
}

/**
 * Records a round when its prices are there and those before it are recorded; what comes after it goes on meanwhile.
 * That it was sent is known at once.
 */
export async function recordRound(
  { number, reply, prices, started, ended, found, searches, followed }: AskedRound,
  { record, pricing }: { readonly record: RecordEntry; readonly pricing: CountOptions },
  before: Promise<void>,
): Promise<void> {
  const refused = wasRefused(reply);
  const tellSent = refused ? undefined : followed?.read();
  const expanding = found && countTools(found, pricing);
  const [priced, expanded] = await Promise.all([prices, expanding, before]);
  const tokens = refused ? NOTHING : roundTokens(priced, { usage: reply.usage, cut: reply.cut, searches }, expanded);
  const output = refused ? undefined : outputTokens(reply, pricing.counter);
  const cached = refused ? { tokens } : besideTheOneBefore(tokens, followed, pricing);
  tellSent?.({ sent: tokens.sent.value, baseline: tokens.baseline.value });
  record(
    { type: 'roundEnded', round: number, ms: ended - started, ...cached, ...(output ? { outputTokens: output } : {}) },
    ended,
  );
}

/** What a cache made of a request: its price, and what of the one before it was read again. */
function besideTheOneBefore(
  tokens: RoundTokens,
  followed: FollowedRequest | undefined,
  { port, counter }: CountOptions,
): { readonly tokens: RoundTokens; readonly prefix?: CacheMissRecord } {
  const warmth = { before: followed?.before()?.baseline, warm: followed?.baselineWarm ?? false };
  const price = cacheCost(tokens, cacheRatios(port.info), warmth);
  const prefix = followed && cacheMissRecord(followed, tokens, (chars) => counter.estimate(chars));
  return { tokens: price ? { ...tokens, price } : tokens, ...(prefix ? { prefix } : {}) };
}
