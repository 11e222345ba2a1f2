/** Requests as a provider's prompt cache reads them: segment after segment, each known by a hash. */
import type { ToolDefinition } from '../catalog/tool';
import type { TranscriptItem } from '../conversation/transcript';
import type { ModelRequest } from '../ports';
import { shortHash } from '../util/hash';
import { definitionText } from './tokens';

/** One piece of a request, in the order in which a provider reads it: definitions, instructions, conversation. */
export interface Segment {
  readonly kind: 'tool' | 'system' | 'history';
  /** A tool's id. */
  readonly id?: string;
  /** One of our own tools. */
  readonly own?: boolean;
  readonly hash: string;
  readonly chars: number;
}

/** Texts of definitions and entries are hashed once: rounds hold the same objects, and they can be megabytes. */
const hashed = new WeakMap<object, Pick<Segment, 'hash' | 'chars'>>();

function hashOf(object: ToolDefinition | TranscriptItem, text: () => string): Pick<Segment, 'hash' | 'chars'> {
  let known = hashed.get(object);
  if (!known) {
    const made = text();
    known = { hash: shortHash(made), chars: made.length };
    hashed.set(object, known);
  }
  return known;
}

/**
 * A request's segments. Tools that a provider holds deferred aren't among them: they enter the conversation where they are
 * found.
 */
export function segmentsOf({
  tools,
  system,
  transcript,
}: Pick<ModelRequest, 'tools' | 'system' | 'transcript'>): Segment[] {
  return [
    ...tools.map((tool): Segment => {
      const own = tool.server === '';
      return { kind: 'tool', id: tool.id, own, ...hashOf(tool, () => definitionText(tool)) };
    }),
    ...(system === '' ? [] : [{ kind: 'system' as const, hash: shortHash(system), chars: system.length }]),
    ...transcript.map((item): Segment => ({ kind: 'history', ...hashOf(item, () => JSON.stringify(sentPart(item))) })),
  ];
}

/** The part of an entry that is sent: how a question ended and what a reply keeps for later requests isn't. */
function sentPart(item: TranscriptItem): unknown {
  switch (item.kind) {
    case 'user':
      return [item.text, item.images];
    case 'assistant':
      return [item.text, item.calls, item.searches, item.opaque];
    case 'results':
      return item.results.map(({ callId, outcome, parts, remarks, search }) => [
        callId,
        outcome,
        parts,
        remarks,
        search?.found,
      ]);
  }
}

/** How many segments two requests share from the start. */
export function sharedSegments(before: readonly Segment[], now: readonly Segment[]): number {
  let shared = 0;
  while (shared < before.length && isSame(before[shared], now[shared])) shared++;
  return shared;
}

function isSame(a: Segment | undefined, b: Segment | undefined): boolean {
  return a !== undefined && b !== undefined && a.kind === b.kind && a.id === b.id && a.hash === b.hash;
}

export function charsOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { chars }) => sum + chars, 0);
}
