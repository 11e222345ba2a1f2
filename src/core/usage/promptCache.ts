// Simulates the providers' prompt caches for requests that were never sent: computes how many tokens of a twin's
// request would have been read from the cache and written to it. A cache belongs to a model and a request's beginning,
// not to a conversation.

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
    /** The tokens of the first `count` definitions, if they were counted. */
    readonly first?: { readonly count: number; readonly tokens: number } | undefined;
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
  /** The beginnings that the cache holds, by their number of segments, and the time at which each was last used. */
  readonly usedAt: Map<number, number>;
}

/** The maximum number of requests that are remembered. */
const MAX_ENTRIES = 32;
/** A provider with marks looks for a cached beginning at the ends of this number of blocks, the marked one included. */
const LOOK_BACK = 20;

export class PromptCaches {
  #entries: readonly CacheEntry[] = [];

  /** Updates the cache as the provider would for this request, and returns the tokens read and written. */
  use(request: CountedRequest, rules: ModelPrices): CacheUse {
    const alive = this.#entries.filter(
      ({ model, usedAt }) => model !== request.model || request.at - Math.max(...usedAt.values()) <= rules.lifeMs,
    );
    const marks = marksOf(request.segments);
    let read = 0;
    for (const entry of alive) {
      if (entry.model !== request.model) continue;
      const shared = sharedSegments(entry.segments, request.segments);
      const cached = rules.ends === 'marks' ? heldAtMarks(entry, request, { marks, shared, rules }) : shared;
      const { first, total } = request.tokens;
      const tokens = Math.min(first?.count === cached ? first.tokens : tokensUpTo(entry, cached), total);
      read = Math.max(read, cacheable(tokens, rules));
    }
    const segments = withSharedTools(request.segments, alive);
    const usedAt = new Map(marks.map((end) => [end, request.at]));
    this.#entries = [{ ...request, segments, usedAt }, ...alive].slice(0, MAX_ENTRIES);
    return { read, write: Math.max(0, cacheable(request.tokens.total, rules) - read) };
  }

  /** Returns how many first segments a request shares with one that is remembered. */
  shared({ model, segments }: Pick<CountedRequest, 'model' | 'segments'>): number {
    const same = this.#entries.filter((entry) => entry.model === model);
    return Math.max(0, ...same.map((entry) => sharedSegments(entry.segments, segments)));
  }
}

/** Returns the marks of a request: after its definitions, its instructions, the last request and its end. */
function marksOf(segments: readonly Segment[]): readonly number[] {
  const tools = segments.filter(({ kind }) => kind === 'tool').length;
  const head = segments.filter(({ kind }) => kind !== 'history').length;
  const before = segments.findLastIndex(({ reply }) => reply);
  return [...new Set([segments.length, Math.max(before, head), head, tools])].filter((mark) => mark > 0);
}

/** Returns the number of segments of the longest held beginning that a request's marks find. It counts as used. */
function heldAtMarks(
  { usedAt }: CacheEntry,
  { segments, at }: CountedRequest,
  { marks, shared, rules }: { readonly marks: readonly number[]; readonly shared: number; readonly rules: ModelPrices },
): number {
  const blocks = (from: number, to: number) => segments.slice(from, to).reduce((sum, part) => sum + part.blocks, 0);
  const held = [...usedAt].filter(
    ([end, used]) =>
      end <= shared && at - used <= rules.lifeMs && marks.some((mark) => end <= mark && blocks(end, mark) < LOOK_BACK),
  );
  const longest = Math.max(0, ...held.map(([end]) => end));
  if (longest > 0) usedAt.set(longest, at);
  return longest;
}

/**
 * Returns the tokens of an entry's first segments. The tokens of all definitions are divided among them in proportion
 * to their characters, and so are the tokens of all other segments.
 */
function tokensUpTo({ segments, tokens }: Pick<CacheEntry, 'segments' | 'tokens'>, count: number): number {
  if (count === segments.length) return tokens.total;
  const isTool = ({ kind }: Segment) => kind === 'tool';
  const first = segments.slice(0, count);
  const share = (part: readonly Segment[], whole: readonly Segment[]) => charsOf(part) / Math.max(1, charsOf(whole));
  const tools = tokens.tools * share(first.filter(isTool), segments.filter(isTool));
  const rest = segments.filter((segment) => !isTool(segment));
  const shared = first.filter((segment) => !isTool(segment));
  return Math.round(tools + (tokens.total - tokens.tools) * share(shared, rest));
}

/** Returns segments that share definitions with the newest entry, so that thousands of equal ones are stored once. */
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
