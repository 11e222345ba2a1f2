import type { ToolDefinition } from '../catalog/tool';
import type { ModelRequest } from '../ports';
import { shortHash } from '../text/hash';
import type { TranscriptItem } from '../transcript/transcript';
import { definitionText } from './tokens';

/** One piece of a request, in the order in which a provider reads it: definitions, instructions, conversation. */
interface Segment {
  readonly kind: 'tool' | 'system' | 'history';
  /** A tool's model name. */
  readonly name?: string;
  readonly hash: string;
  readonly chars: number;
}

/** A request as a cache sees it. */
export interface RequestShape {
  /** `vendor/id`: no model reads another's cache. */
  readonly model: string;
  readonly segments: readonly Segment[];
  /** Hashes of what the user said, by which the next request of a conversation is known. */
  readonly said: readonly string[];
  /** How many entries the conversation has. */
  readonly entries: number;
}

/** What of the request before could not be read from a cache again. */
export interface PrefixChange {
  /** Characters at the start that both requests share. */
  readonly same: number;
  /** Characters of the request before from the first difference on: 0 where the new one only adds to it. */
  readonly lost: number;
  readonly broke?: PrefixBreak;
}

/** The first difference, and what made it. `tool`: a model name. */
export type PrefixBreak =
  | { readonly cause: 'model' }
  | { readonly cause: 'toolAdded' | 'toolGone' | 'toolChanged'; readonly tool: string }
  | { readonly cause: 'system' }
  | { readonly cause: 'history' };

/** Texts of definitions and entries are hashed once: rounds hold the same objects, and they can be megabytes. */
const known = new WeakMap<object, { readonly hash: string; readonly chars: number }>();

function weigh(object: ToolDefinition | TranscriptItem, text: () => string): { readonly hash: string; readonly chars: number } {
  let weight = known.get(object);
  if (!weight) {
    const made = text();
    weight = { hash: shortHash(made), chars: made.length };
    known.set(object, weight);
  }
  return weight;
}

/**
 * A request as its provider's cache sees it. Tools that a provider holds deferred aren't part of the prefix: they enter the
 * conversation where they are found.
 */
export function shapeOf(request: ModelRequest, model: string): RequestShape {
  const tools = request.tools.map((tool): Segment => ({ kind: 'tool', name: tool.name, ...weigh(tool, () => definitionText(tool)) }));
  const system: Segment[] =
    request.system === '' ? [] : [{ kind: 'system', hash: shortHash(request.system), chars: request.system.length }];
  const history = request.transcript.map((item): Segment => ({ kind: 'history', ...weigh(item, () => JSON.stringify(item)) }));
  const said = request.transcript.flatMap((item) => (item.kind === 'user' ? [shortHash(item.text)] : []));
  return { model, segments: [...tools, ...system, ...history], said, entries: history.length };
}

/** Compares a request with the one before it in its conversation. */
export function comparePrefix(before: RequestShape, now: RequestShape): PrefixChange {
  const size = (segments: readonly Segment[]) => segments.reduce((sum, segment) => sum + segment.chars, 0);
  if (before.model !== now.model) return { same: 0, lost: size(before.segments), broke: { cause: 'model' } };
  let shared = 0;
  while (shared < before.segments.length && isSame(before.segments[shared], now.segments[shared])) shared++;
  const same = size(before.segments.slice(0, shared));
  if (shared === before.segments.length) return { same, lost: 0 };
  return { same, lost: size(before.segments) - same, broke: breakAt(before, now, shared) };
}

function isSame(a: Segment | undefined, b: Segment | undefined): boolean {
  return a !== undefined && b !== undefined && a.kind === b.kind && a.name === b.name && a.hash === b.hash;
}

function breakAt(before: RequestShape, now: RequestShape, index: number): PrefixBreak {
  const was = before.segments[index];
  const is = now.segments[index];
  const names = (shape: RequestShape) => new Set(shape.segments.flatMap(({ name }) => name ?? []));
  if (is?.kind === 'tool' && is.name !== undefined && !names(before).has(is.name)) return { cause: 'toolAdded', tool: is.name };
  if (was?.kind === 'tool' && was.name !== undefined)
    return { cause: names(now).has(was.name) ? 'toolChanged' : 'toolGone', tool: was.name };
  return was?.kind === 'history' && is?.kind !== 'system' ? { cause: 'history' } : { cause: 'system' };
}

/** How many conversations are remembered at once. */
const MAX_CONVERSATIONS = 32;

/**
 * The last request of each conversation. Nobody tells which chat a request is of, but one that goes on repeats what the user
 * said before; of several such, the one that begins alike for longest is its own.
 */
export class LastRequests {
  #last: readonly { readonly shape: RequestShape; readonly at: number }[] = [];

  /**
   * Takes a request in.
   * @returns what changed against the one before it, and the milliseconds between the two; undefined for a first one
   */
  follow(shape: RequestShape, at: number): (PrefixChange & { readonly sinceMs: number }) | undefined {
    const candidates = this.#last
      .filter((last) => goesOn(last.shape, shape))
      .map((last) => ({ last, change: comparePrefix(last.shape, shape) }));
    const own = candidates.reduce<(typeof candidates)[number] | undefined>(
      (best, next) => (best && best.change.same >= next.change.same ? best : next),
      undefined,
    );
    this.#last = [{ shape, at }, ...this.#last.filter((last) => last !== own?.last)].slice(0, MAX_CONVERSATIONS);
    return own && { ...own.change, sinceMs: at - own.last.at };
  }
}

/** Whether `now` is a later request of the conversation of `before`, whose oldest turns may have been left out since. */
function goesOn(before: RequestShape, now: RequestShape): boolean {
  const asked = now.said.lastIndexOf(before.said.at(-1) ?? '');
  if (asked < 0) return false;
  // The same question in a chat of its own has nothing behind it yet.
  if (asked === now.said.length - 1 && now.entries <= before.entries) return false;
  const shared = Math.min(asked + 1, before.said.length);
  return now.said.slice(asked + 1 - shared, asked + 1).every((hash, index) => hash === before.said[before.said.length - shared + index]);
}
