/** Requests as a provider's prompt cache reads them: a list of segments, each identified by a hash. */
import type { ToolDefinition } from '../catalog/tool';
import type { TranscriptItem } from '../conversation/transcript';
import type { ModelRequest } from '../ports';
import { shortHash } from '../util/hash';
import { definitionText } from './tokens';
import { searchEntries } from './twin';

/** One piece of a request, in the order in which a provider reads it: definitions, instructions, conversation. */
export interface Segment {
  readonly kind: 'tool' | 'system' | 'history';
  /** A tool's id. */
  readonly id?: string;
  /** Set for one of our own tools. */
  readonly own?: boolean;
  /** Set for an entry of the conversation that exists because of searching. */
  readonly search?: boolean;
  readonly hash: string;
  readonly chars: number;
}

/**
 * The hashes of definitions and entries. Each is computed once, since rounds share these objects and their texts can be
 * megabytes.
 */
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
 * Returns a request's segments. Tools that the provider holds deferred aren't among them, since they enter the
 * conversation at the place of the search.
 */
export function segmentsOf({
  tools,
  system,
  transcript,
}: Pick<ModelRequest, 'tools' | 'system' | 'transcript'>): Segment[] {
  const searches = searchEntries(transcript);
  return [
    ...tools.map((tool): Segment => {
      const own = tool.server === '';
      return { kind: 'tool', id: tool.id, own, ...hashOf(tool, () => definitionText(tool)) };
    }),
    ...(system === '' ? [] : [{ kind: 'system' as const, hash: shortHash(system), chars: system.length }]),
    ...transcript.map(
      (item): Segment => ({
        kind: 'history',
        ...hashOf(item, () => JSON.stringify(sentPart(item))),
        ...(searches.has(item) ? { search: true } : {}),
      }),
    ),
  ];
}

/**
 * Returns the part of an entry that is sent. How a question ended isn't sent, nor is a reply's data for later requests.
 */
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

/** Returns the number of segments that two requests share from the start. */
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
