import type { Tool, ToolDefinition } from '../catalog/tool';
import type { TranscriptItem } from '../conversation/transcript';
import type { DeliveryName, ModelRequest } from '../ports';
import { shortHash } from '../util/hash';
import { definitionOf, definitionText } from './tokens';
import type { CacheMissCause, CacheMissRecord, RoundTokens, Tokens } from './types';

/** One piece of a request, in the order in which a provider reads it: definitions, instructions, conversation. */
interface Segment {
  readonly kind: 'tool' | 'system' | 'history';
  /** A tool's id. */
  readonly id?: string;
  /** One of our own tools. */
  readonly own?: boolean;
  readonly hash: string;
  readonly chars: number;
}

/** A request as a cache sees it. */
interface RequestShape {
  /** `vendor/id`: no model reads another's cache. */
  readonly model: string;
  readonly delivery: DeliveryName;
  readonly segments: readonly Segment[];
  /** Every tool that would be in the request if nothing were deferred. */
  readonly all: readonly Tool[];
  /** Ids of the discovered tools whose definitions are in it. */
  readonly discovered: ReadonlySet<string>;
  /** Hashes of what the user said, by which the next request of a conversation is known. */
  readonly said: readonly string[];
  /** How many entries the conversation has. */
  readonly entries: number;
}

/** The first difference between two requests. */
interface CacheMiss {
  readonly cause: CacheMissCause;
  /** The id of the tool that it is about. */
  readonly tool?: string;
}

/** What of the request before stands at the start of the new one. In characters, as all here. */
interface CacheMissDetail {
  readonly same: number;
  /** From the first difference on: 0 where the new one only adds to it. */
  readonly lost: number;
  readonly broke?: CacheMiss;
}

/** Texts of definitions and entries are hashed once: rounds hold the same objects, and they can be megabytes. */
const weighed = new WeakMap<object, { readonly hash: string; readonly chars: number }>();

function weigh(
  object: ToolDefinition | TranscriptItem,
  text: () => string,
): { readonly hash: string; readonly chars: number } {
  let weight = weighed.get(object);
  if (!weight) {
    const made = text();
    weight = { hash: shortHash(made), chars: made.length };
    weighed.set(object, weight);
  }
  return weight;
}

/**
 * A request as its provider's cache sees it. Tools that a provider holds deferred aren't part of the prefix: they enter the
 * conversation where they are found.
 */
export function shapeOf(
  request: ModelRequest,
  {
    model,
    all,
    discovered,
  }: { readonly model: string; readonly all: readonly Tool[]; readonly discovered: readonly Tool[] },
): RequestShape {
  const tools = request.tools.map(
    (tool): Segment => ({
      kind: 'tool',
      id: tool.id,
      own: tool.server === '',
      ...weigh(tool, () => definitionText(tool)),
    }),
  );
  const system: Segment[] =
    request.system === '' ? [] : [{ kind: 'system', hash: shortHash(request.system), chars: request.system.length }];
  const history = request.transcript.map(
    (item): Segment => ({ kind: 'history', ...weigh(item, () => JSON.stringify(said(item))) }),
  );
  return {
    model,
    delivery: request.delivery,
    segments: [...tools, ...system, ...history],
    all,
    discovered: new Set(discovered.map(({ id }) => id)),
    said: request.transcript.flatMap((item) => (item.kind === 'user' ? [shortHash(item.text)] : [])),
    entries: history.length,
  };
}

/** Of an item, what a request says: not what it keeps for later ones. */
function said(item: TranscriptItem): TranscriptItem {
  return item.kind === 'assistant' && item.opening ? { ...item, opening: undefined } : item;
}

/** Compares a request with the one before it in its conversation. */
export function comparePrefix(before: RequestShape, now: RequestShape): CacheMissDetail {
  const size = (segments: readonly Segment[]) => segments.reduce((sum, segment) => sum + segment.chars, 0);
  if (before.model !== now.model) return { same: 0, lost: size(before.segments), broke: { cause: 'model' } };
  let shared = 0;
  while (shared < before.segments.length && isSame(before.segments[shared], now.segments[shared])) shared++;
  const same = size(before.segments.slice(0, shared));
  if (shared === before.segments.length) return { same, lost: 0 };
  return { same, lost: size(before.segments) - same, broke: breakAt(before, now, shared) };
}

function isSame(a: Segment | undefined, b: Segment | undefined): boolean {
  return a !== undefined && b !== undefined && a.kind === b.kind && a.id === b.id && a.hash === b.hash;
}

function breakAt(before: RequestShape, now: RequestShape, index: number): CacheMiss {
  if (before.delivery !== now.delivery) return { cause: 'delivery' };
  const was = before.segments[index];
  const is = now.segments[index];
  const holds = (shape: RequestShape, id: string) => shape.segments.some((segment) => segment.id === id);
  const knows = (shape: RequestShape, id: string) => shape.all.some((tool) => tool.id === id);
  if (is?.id !== undefined && !holds(before, is.id)) {
    if (is.own) return { cause: 'deferral' };
    const cause = now.discovered.has(is.id) ? 'discovered' : knows(before, is.id) ? 'madeEager' : 'listed';
    return { cause, tool: is.id };
  }
  if (was?.id !== undefined) {
    if (was.own) return { cause: 'deferral' };
    if (holds(now, was.id)) return { cause: 'changed', tool: was.id };
    return { cause: knows(now, was.id) ? 'madeDeferred' : 'delisted', tool: was.id };
  }
  return { cause: was?.kind === 'history' && is?.kind !== 'system' ? 'history' : 'system' };
}

/**
 * Milliseconds for which a provider keeps a prefix at least: five minutes at Anthropic ("Prompt caching", default lifetime), five to
 * ten at OpenAI ("Prompt caching", in memory).
 */
export const CACHE_LIFE_MS = 5 * 60_000;

/** What was sent of a request, once it is known. */
interface SentRequest {
  /** Tokens that it held. */
  readonly sent: number;
  /** Tokens that it would have held with every definition and no search. */
  readonly baseline: number;
}

/** A request beside the one before it in its conversation. */
export interface FollowedRequest {
  /** Undefined for the first one. */
  readonly change?: CacheMissDetail & { readonly sinceMs: number };
  /** What the one before held; undefined for the first, and while that isn't counted. */
  before(): SentRequest | undefined;
  /** Whether a request with every definition in it would have found the one before in the cache. */
  readonly baselineWarm: boolean;
  /** The provider has read it: the next one is compared with it. Returns what tells later what it held. */
  read(): (sent: SentRequest) => void;
}

interface Last {
  readonly shape: RequestShape;
  /** Milliseconds since the epoch. */
  readonly at: number;
  sent?: SentRequest;
}

/** How many conversations are remembered at once. */
const MAX_CONVERSATIONS = 16;

/**
 * The last request of each conversation. Nobody tells which chat a request is of, but one that goes on repeats what the user
 * said before; of several such, the one that begins alike for longest is its own.
 */
export class LastRequests {
  #last: readonly Last[] = [];

  /** Compares a request with the last one of its conversation. @param at milliseconds since the epoch */
  follow(shape: RequestShape, at: number): FollowedRequest {
    let own: { readonly last: Last; readonly change: CacheMissDetail } | undefined;
    for (const last of this.#last) {
      if (!goesOn(last.shape, shape)) continue;
      const change = comparePrefix(last.shape, shape);
      if (!own || change.same > own.change.same) own = { last, change };
    }
    const sinceMs = own ? at - own.last.at : 0;
    return {
      ...(own ? { change: { ...own.change, sinceMs } } : {}),
      before: () => own?.last.sent,
      baselineWarm:
        own !== undefined &&
        sinceMs <= CACHE_LIFE_MS &&
        own.last.shape.model === shape.model &&
        sameTools(own.last.shape, shape),
      read: () => {
        const read: Last = { shape, at };
        this.#last = [read, ...this.#last.filter((last) => last !== own?.last)].slice(0, MAX_CONVERSATIONS);
        return (sent) => {
          read.sent = sent;
        };
      },
    };
  }
}

/** Whether both would have the same definitions in sight, in the same words. */
function sameTools(before: RequestShape, now: RequestShape): boolean {
  return (
    before.all.length === now.all.length &&
    before.all.every((tool, index) => {
      const other = now.all[index];
      return tool === other || (other !== undefined && definitionOf(tool).text === definitionOf(other).text);
    })
  );
}

/** Whether `now` is a later request of the conversation of `before`, whose oldest turns may have been left out since. */
function goesOn(before: RequestShape, now: RequestShape): boolean {
  const asked = now.said.lastIndexOf(before.said.at(-1) ?? '');
  if (asked < 0) return false;
  // The same question in a chat of its own has nothing behind it yet.
  if (asked === now.said.length - 1 && now.entries <= before.entries) return false;
  const shared = Math.min(asked + 1, before.said.length);
  return now.said
    .slice(asked + 1 - shared, asked + 1)
    .every((hash, index) => hash === before.said[before.said.length - shared + index]);
}

/**
 * What a request's beginning was worth: by the provider's own figures where it gives them, else estimated from its
 * characters; undefined for the first request of a conversation.
 */
export function cacheMissRecord(
  { change, before }: FollowedRequest,
  tokens: RoundTokens,
  estimate: (chars: number) => Tokens,
): CacheMissRecord | undefined {
  if (!change) return undefined;
  const held = before()?.sent;
  const { cacheRead } = tokens;
  if (cacheRead === undefined || held === undefined) {
    return {
      same: estimate(change.same),
      lost: estimate(change.lost),
      ...(change.broke ? { broke: change.broke } : {}),
    };
  }
  const anew = Math.max(0, held - cacheRead);
  const expired = change.sinceMs > CACHE_LIFE_MS && anew > held / 2;
  const broke = change.broke ?? (expired ? { cause: 'expired' as const } : undefined);
  return {
    same: { value: cacheRead, certainty: 'measured' },
    // A cache begins at a size and grows in steps: what it missed at the end of a request that only grew is no loss.
    lost: { value: broke ? anew : 0, certainty: 'measured' },
    ...(broke ? { broke } : {}),
  };
}
