/** Compares each request with the previous one of its conversation, as a provider's prompt cache does. */
import type { Tool } from '../catalog/tool';
import { turnsOf } from '../conversation/keptHistory';
import type { DeliveryName, ModelRequest } from '../ports';
import { shortHash } from '../util/hash';
import type { PromptCaches } from './promptCache';
import { charsOf, type Segment, segmentsOf, sharedSegments } from './requestShape';
import type { CacheMissRecord, Tokens } from './types';

/** A request as a cache sees it. */
interface RequestShape {
  /** `vendor/id`. A model can't read another model's cache. */
  readonly model: string;
  readonly delivery: DeliveryName;
  readonly segments: readonly Segment[];
  /** Every tool that would be in the request if nothing were deferred. */
  readonly all: readonly Tool[];
  /** Ids of the discovered tools whose definitions are in the request. */
  readonly discovered: ReadonlySet<string>;
  /** The user's questions. They identify the next request of the same conversation. */
  readonly turns: readonly {
    /** A hash of the question. */
    readonly asked: string;
    /** The number of entries from this question to the next one, without our notes. */
    readonly entries: number;
  }[];
}

/** The comparison of a request with the previous one, in characters. `same` is the length of their shared beginning. */
interface CacheMissDetail {
  readonly same: number;
  /** The length of the previous request after the first difference; 0 if the new one only adds to it. */
  readonly lost: number;
  readonly broke?: CacheMissRecord['broke'];
}

export function shapeOf(
  request: ModelRequest,
  { discovered, ...rest }: Pick<RequestShape, 'model' | 'all'> & { readonly discovered: readonly Tool[] },
): RequestShape {
  return {
    ...rest,
    delivery: request.delivery,
    segments: segmentsOf(request),
    discovered: new Set(discovered.map(({ id }) => id)),
    turns: turnsOf(request.transcript).map((items) => ({
      asked: shortHash(items[0].text),
      entries: items.filter((item) => item.kind !== 'user' || !item.note).length,
    })),
  };
}

/** Compares a request with the previous one of its conversation. */
export function comparePrefix(before: RequestShape, now: RequestShape): CacheMissDetail {
  const total = charsOf(before.segments);
  if (before.model !== now.model) return { same: 0, lost: total, broke: { cause: 'model' } };
  const shared = sharedSegments(before.segments, now.segments);
  const same = charsOf(before.segments.slice(0, shared));
  if (shared === before.segments.length) return { same, lost: 0 };
  return { same, lost: total - same, broke: breakAt(before, now, shared) };
}

/** Whether a request lacks the definitions of some tools. */
function defers({ all, segments }: RequestShape): boolean {
  const ids = new Set(segments.map(({ id }) => id));
  return all.some(({ id }) => !ids.has(id));
}

function breakAt(before: RequestShape, now: RequestShape, index: number): CacheMissRecord['broke'] {
  if (before.delivery !== now.delivery) return { cause: defers(before) === defers(now) ? 'delivery' : 'deferral' };
  const was = before.segments[index];
  const is = now.segments[index];
  const holds = (shape: RequestShape, { id, kind }: Segment) =>
    shape.segments.some((segment) => segment.id === id && segment.kind === kind);
  const knows = (shape: RequestShape, id: string) => shape.all.some((tool) => tool.id === id);
  if (is?.id !== undefined && !holds(before, is)) {
    if (is.own) return { cause: 'deferral' };
    const cause = now.discovered.has(is.id) ? 'discovered' : knows(before, is.id) ? 'madeEager' : 'listed';
    return { cause, tool: is.id };
  }
  if (was?.id !== undefined) {
    if (was.own) return { cause: 'deferral' };
    if (holds(now, was)) return { cause: 'changed', tool: was.id };
    return { cause: knows(now, was.id) ? 'madeDeferred' : 'delisted', tool: was.id };
  }
  return { cause: was?.kind === 'history' && is?.kind !== 'system' ? 'history' : 'system' };
}

/** The figures of a sent request, in tokens. */
interface SentRequest {
  readonly sent: Tokens;
  /** The tokens of the request that the cache held afterwards; absent if the provider doesn't report its cache. */
  readonly cached?: Tokens;
}

/** A request, and the previous one of its conversation. */
export interface FollowedRequest {
  /** The difference from the previous request; undefined for the first one. */
  readonly change?: CacheMissDetail & { readonly sinceMs: number };
  /** Returns the previous request; undefined for the first one, and until the previous one is counted. */
  before(): SentRequest | undefined;
  /**
   * Called when the provider has read the request, so that the next request is compared with it. Returns a function
   * that reports the request's tokens.
   */
  read(): (sent: SentRequest) => void;
}

interface Last {
  readonly shape: RequestShape;
  /** Milliseconds since the epoch. */
  readonly at: number;
  sent?: SentRequest;
}

/** The number of requests that are remembered. */
const MAX_BEGINNINGS = 32;

/**
 * The last request of each conversation, and of each beginning that it had. A request doesn't name its chat, but it
 * repeats the user's earlier texts of that chat. If several match, one to the same model is chosen before others, and
 * the longest shared beginning that was cached before shorter ones.
 */
export class LastRequests {
  #last: readonly Last[] = [];
  /** The simulated caches for sent requests and for their twins. Created when the first round is recorded. */
  caches: { readonly sent: PromptCaches; readonly twin: PromptCaches } | undefined;

  /** Compares a request, sent at `at` (milliseconds since the epoch), with the last one of its conversation. */
  follow(shape: RequestShape, at: number): FollowedRequest {
    let own: { readonly last: Last; readonly change: CacheMissDetail; readonly near: number } | undefined;
    for (const last of this.#last) {
      if (!goesOn(last.shape, shape)) continue;
      const change = comparePrefix(last.shape, shape);
      // A request goes on from the newest one if it only adds to it. Of an earlier one that was too short to be cached,
      // nothing can be read.
      const goesOnFromNewest = !own && change.lost === 0;
      const near = goesOnFromNewest ? Number.POSITIVE_INFINITY : last.sent?.cached?.value === 0 ? 0 : change.same;
      const isNearer =
        own?.change.broke?.cause === 'model' ? change.broke?.cause !== 'model' : near > (own?.near ?? -1);
      if (isNearer) own = { last, change, near };
    }
    return {
      ...(own ? { change: { ...own.change, sinceMs: at - own.last.at } } : {}),
      before: () => own?.last.sent,
      read: () => {
        const read: Last = { shape, at };
        // A later request may begin like an earlier one: back at a model, or after a question with all tools.
        const kept = this.#last.filter((last) => last !== own?.last || own.change.broke !== undefined);
        this.#last = [read, ...kept].slice(0, MAX_BEGINNINGS);
        return (sent) => {
          read.sent = sent;
        };
      },
    };
  }
}

/** Whether `now` is a later request of the conversation of `before`. Its oldest turns may have been left out since. */
function goesOn(before: RequestShape, now: RequestShape): boolean {
  const last = before.turns.at(-1);
  if (!last) return false;
  // The same question may be asked again. Another chat with the same question may have fewer entries after it.
  const place = now.turns.findLastIndex(({ asked, entries }) => asked === last.asked && entries >= last.entries);
  // A new chat with the same question has no earlier entries yet.
  if (place < 0 || (now.turns.length === 1 && now.turns[0]?.entries === last.entries)) return false;
  const shared = Math.min(place + 1, before.turns.length);
  return now.turns
    .slice(place + 1 - shared, place + 1)
    .every(({ asked }, index) => asked === before.turns[before.turns.length - shared + index]?.asked);
}
