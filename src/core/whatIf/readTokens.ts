/**
 * Counts the tokens that a model would read of a replayed request. The recorded prompt is known, so only the difference
 * between the request and its twin is counted: the definitions, and the texts that exist because of searching.
 */
import type { Catalog } from '../catalog/catalog';
import { RUN_CODE } from '../catalog/modelNames';
import type { ToolDefinition } from '../catalog/tool';
import { calledNames } from '../conversation/calledNames';
import { EMPTY_REQUEST, type ModelInfo, type ModelRequest } from '../ports';
import { charsOf, type Segment, segmentsOf } from '../usage/requestShape';
import { definitionOf } from '../usage/tokens';
import { twinTranscript } from '../usage/twin';
import { shortHash } from '../util/hash';
import { foundIn } from './inTranscript';

/** A request as its model reads it. */
export interface RequestView {
  /** The characters of the servers' definitions in the request's list of tools. */
  readonly definitions: number;
  /** The other entries of the request's list of tools: our own tools, the provider's tools, and namespaces. */
  readonly head: readonly string[];
  /** The characters of the request's conversation. */
  readonly chars: number;
  /** The names of the tools whose definitions the conversation refers to, once for each reference. */
  readonly references: readonly string[];
}

/** Returns the view of a request to a model. */
export type ViewRequest = (request: ModelRequest, model: ModelInfo) => RequestView;

/** A request in characters. */
export interface RequestChars {
  /** The parts of the request as a provider's cache reads them. */
  readonly segments: readonly Segment[];
  /** The characters of the servers' definitions that the request contains, or that its conversation refers to. */
  readonly definitions: number;
  /** The characters of the definitions that are in the request's list of tools. */
  readonly listed: number;
  /** The characters of all other texts that the request's twin doesn't have. */
  readonly searching: number;
}

interface ReadDeps {
  readonly catalog: Catalog;
  readonly info: ModelInfo;
  readonly viewRequest: ViewRequest;
  /** Whether scripts were offered with every definition too, so that the recorded prompt contains them. */
  readonly twinHasScripts: boolean;
}

/** Returns the characters of a request. */
export function readRequest(
  request: ModelRequest,
  { catalog, info, viewRequest, twinHasScripts }: ReadDeps,
): RequestChars {
  const seen = withoutUnseen(request);
  const view = viewRequest(seen, info);
  const twin = viewRequest(twinOf(seen, catalog, twinHasScripts), info);
  const listed = segmentsOf({ ...request, system: '', transcript: [] }).filter(({ own }) => !own);
  const head = view.head.map((text): Segment => {
    const hash = shortHash(text);
    return { kind: 'tool', id: hash, own: true, hash, chars: text.length };
  });
  return {
    segments: [...head, ...listed, ...conversationOf(request)],
    listed: charsOf(listed),
    definitions: charsOf(listed) + definitionChars(view.references, catalog),
    searching: charsOf(head) - twin.head.join('').length + request.system.length + view.chars - twin.chars,
  };
}

/** Returns the conversation's segments. A tool that joined or left there is a part of its entry. */
function conversationOf(request: ModelRequest): readonly Segment[] {
  const segments = segmentsOf({ ...request, tools: [] });
  const before = segments.length - request.transcript.length;
  return segments.map((segment, index) => {
    const item = request.transcript[index - before];
    if (item?.kind !== 'user' || (item.joined ?? item.left) === undefined) return segment;
    const { joined = [], left = [] } = item;
    return {
      ...segment,
      hash: shortHash(JSON.stringify([segment.hash, joined.map(({ name }) => name), left])),
      chars: segment.chars + charsOf(segmentsOf({ ...EMPTY_REQUEST, tools: joined })),
    };
  });
}

/** Returns the characters of these tools' definitions. */
function definitionChars(names: readonly string[], { byModelName }: Catalog): number {
  return names.reduce((sum, name) => {
    const tool = byModelName.get(name);
    return tool ? sum + definitionOf(tool).text.length : sum;
  }, 0);
}

/** Returns a request without the definitions that its conversation doesn't need, since there may be thousands. */
function withoutUnseen(request: ModelRequest): ModelRequest {
  const { tools, deferred, transcript } = request;
  const found = foundIn(transcript);
  const called = calledNames(transcript);
  const isSeen = ({ id, name, server }: ToolDefinition) => server === '' || found.has(id) || called.has(name);
  const held = deferred.filter(isSeen);
  // At least one tool stays deferred, since a request without deferred tools has another form.
  return { ...request, tools: tools.filter(isSeen), deferred: held.length > 0 ? held : deferred.slice(0, 1) };
}

/**
 * Returns the request as its twin would have it, with the tools that the conversation calls. The request itself doesn't
 * have them if `call_tool` called them.
 */
function twinOf(request: ModelRequest, { byModelName }: Catalog, hasScripts: boolean): ModelRequest {
  const { opened: _, code: __, ...rest } = request;
  const transcript = twinTranscript(request.transcript);
  const called = [...calledNames(transcript)].flatMap((name) => byModelName.get(name) ?? []);
  return {
    ...rest,
    system: '',
    transcript,
    tools: [
      ...request.tools.filter(({ name }) => hasScripts && name === RUN_CODE),
      ...called.map((tool) => definitionOf(tool).definition),
    ],
    deferred: [],
    delivery: 'local',
  };
}
