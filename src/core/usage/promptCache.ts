/**
 * Simulates the providers' prompt caches for requests that were never sent: computes how many tokens of a twin's
 * request would have been read from the cache and written to it. A cache belongs to a model and a request's beginning,
 * not to a conversation.
 */
import type { ModelPrices } from '../models/types';
import { charsOf, type Segment, sharedSegments } from './requestShape';

/** A request with its tokens. */
interface CountedRequest {
  /** `vendor/id`. A model can't read another model's cache. */
  readonly model: string;
  readonly segments: readonly Segment[];
  readonly tokens: {
    /** The tokens of the definitions, which are at the beginning of the request. */
    readonly tools: number;
    readonly total: number;
  };
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The tokens that a request reads from the cache and those that it writes to it. All other tokens are fresh. */
export interface CacheUse {
  readonly read: number;
  readonly write: number;
}

interface CacheEntry extends CountedRequest {
  /** The time at which a request last read this entry. */
  usedAt: number;
}

/** The maximum number of requests that are remembered. */
const MAX_ENTRIES = 32;
/** The number of segments before a mark in which a provider with marks looks for a cached entry. */
const LOOK_BACK = 20;

export class PromptCaches {
  #entries: readonly CacheEntry[] = [];

  /** Updates the cache as the provider would for this request, and returns the tokens read and written. */
  use(request: CountedRequest, rules: ModelPrices): CacheUse {
    const alive = this.#entries.filter(
      (entry) => request.at - entry.usedAt <= rules.lifeMs || entry.model !== request.model,
    );
    let read = 0;
    for (const entry of alive) {
      if (entry.model !== request.model) continue;
      const cached = cachedTokens(entry, request, rules);
      if (cached > 0) entry.usedAt = Math.max(entry.usedAt, request.at);
      read = Math.max(read, cached);
    }
    const entry = { ...request, segments: withSharedTools(request.segments, alive), usedAt: request.at };
    this.#entries = [entry, ...alive].slice(0, MAX_ENTRIES);
    return { read, write: Math.max(0, cacheable(request.tokens.total, rules) - read) };
  }
}

/** Returns the number of tokens at the start of a request that an entry has cached. */
function cachedTokens(entry: CacheEntry, { segments, tokens: { total } }: CountedRequest, rules: ModelPrices): number {
  const shared = sharedSegments(entry.segments, segments);
  if (rules.ends !== 'marks') return cacheable(Math.min(tokensUpTo(entry, shared), total), rules);
  // The marks are after the definitions, the instructions and the conversation.
  const tools = entry.segments.filter(({ kind }) => kind === 'tool').length;
  const head = entry.segments.filter(({ kind }) => kind !== 'history').length;
  const whole = entry.segments.length;
  const end = [segments.length - shared <= LOOK_BACK ? whole : head, head, tools].find((mark) => mark <= shared);
  return cacheable(tokensUpTo(entry, end ?? 0), rules);
}

/**
 * Returns the tokens of an entry's first segments. The tokens of all definitions are divided among them in proportion
 * to their characters, and so are the tokens of all other segments.
 */
function tokensUpTo({ segments, tokens }: CacheEntry, count: number): number {
  if (count === segments.length) return tokens.total;
  const isTool = ({ kind }: Segment) => kind === 'tool';
  const first = segments.slice(0, count);
  const share = (part: readonly Segment[], whole: readonly Segment[]) => charsOf(part) / Math.max(1, charsOf(whole));
  const tools = tokens.tools * share(first.filter(isTool), segments.filter(isTool));
  const rest = segments.filter((segment) => !isTool(segment));
  const shared = first.filter((segment) => !isTool(segment));
  return Math.round(tools + (tokens.total - tokens.tools) * share(shared, rest));
}

/**
 * Returns segments that share definitions with the newest entry, so that thousands of equal definitions are stored
 * once.
 */
function withSharedTools(segments: readonly Segment[], entries: readonly CacheEntry[]): readonly Segment[] {
  const [newest] = entries;
  if (!newest) return segments;
  const shared = sharedSegments(newest.segments, segments);
  return segments.map((segment, index) => (index < shared ? (newest.segments[index] ?? segment) : segment));
}

/** Returns the number of tokens that a provider caches of a request's beginning with `tokens` tokens. */
export function cacheable(tokens: number, { minimum, ends }: ModelPrices): number {
  const whole = ends === 'marks' ? tokens : tokens - (tokens % ends);
  return whole < minimum ? 0 : whole;
}
