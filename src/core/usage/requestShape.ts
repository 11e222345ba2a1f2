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
  /** Set for a reply of the model. */
  readonly reply?: boolean;
  /** The number of the provider's content blocks. */
  readonly blocks: number;
  readonly hash: string;
  readonly chars: number;
}

/** The hashes of definitions and entries, computed once: otherwise a turn's work for 10,000 tools is twice as much. */
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
 * Returns a request's segments. Tools that the provider holds deferred aren't among the definitions: those that were
 * found follow the entry of the conversation that found them.
 */
export function segmentsOf(request: Pick<ModelRequest, 'tools' | 'system' | 'transcript' | 'deferred'>): Segment[] {
  const { tools, system, transcript, deferred } = request;
  const searches = searchEntries(transcript);
  const found = new Map(deferred.map((tool) => [tool.id, tool]));
  const toolSegment = (kind: Segment['kind'], tool: ToolDefinition, blocks: number): Segment => ({
    kind,
    id: tool.id,
    own: tool.server === '',
    blocks,
    ...hashOf(tool, () => definitionText(tool)),
  });
  const expanded = (id: string): Segment[] => {
    const tool = found.get(id);
    found.delete(id);
    return tool ? [toolSegment('history', tool, 0)] : [];
  };
  return [
    ...tools.map((tool) => toolSegment('tool', tool, 1)),
    ...(system === '' ? [] : [{ kind: 'system' as const, blocks: 1, hash: shortHash(system), chars: system.length }]),
    ...transcript.flatMap((item): Segment[] => [
      {
        kind: 'history',
        blocks: blocksOf(item),
        ...(item.kind === 'assistant' ? { reply: true } : {}),
        ...hashOf(item, () => JSON.stringify(sentPart(item))),
        ...(searches.has(item) ? { search: true } : {}),
      },
      ...foundBy(item).flatMap(expanded),
    ]),
  ];
}

/** Returns the ids of the tools that the searches of an entry found. */
function foundBy(item: TranscriptItem): readonly string[] {
  if (item.kind === 'assistant') return item.searches?.flatMap(({ found }) => found) ?? [];
  return item.kind === 'results' ? item.results.flatMap(({ search }) => search?.found ?? []) : [];
}

function blocksOf(item: TranscriptItem): number {
  switch (item.kind) {
    case 'user':
      return (item.images?.length ?? 0) + (item.joined?.length ?? 0) + (item.left?.length ?? 0) + (item.text ? 1 : 0);
    case 'assistant':
      return (item.text ? 1 : 0) + item.calls.length + 2 * (item.searches?.length ?? 0);
    case 'results':
      return item.results.length;
  }
}

/** Returns what is sent of an entry. How a question ended isn't sent, nor is a reply's data for later requests. */
function sentPart(item: TranscriptItem): unknown {
  switch (item.kind) {
    case 'user':
      return [item.text, item.images, item.joined?.map(definitionText), item.left];
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

export function areSameSegments(one: readonly Segment[], other: readonly Segment[]): boolean {
  return one.length === other.length && sharedSegments(one, other) === one.length;
}

function isSame(a: Segment | undefined, b: Segment | undefined): boolean {
  return a !== undefined && b !== undefined && a.kind === b.kind && a.id === b.id && a.hash === b.hash;
}

export function charsOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { chars }) => sum + chars, 0);
}
