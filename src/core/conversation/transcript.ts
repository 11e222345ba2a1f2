import type { Json } from '../catalog/tool';

/** A search's lasting trace: all that discovery is read from. */
export interface SearchRecord {
  readonly queries: readonly string[];
  readonly strategy: string;
  /** Ids that the search returned, best first. */
  readonly found: readonly string[];
}

/** A search that a provider ran, under its id there. */
export interface ProviderSearchRecord extends SearchRecord {
  readonly callId?: string;
}

/** A tool call that a model made. */
export interface ToolCall {
  readonly callId: string;
  /** The model name that was called, which may name no tool. */
  readonly name: string;
  /** What the model sent: an object, or anything else where it sent no valid JSON object. */
  readonly input: unknown;
  /** The id of the provider's code that made the call; absent where the model did. */
  readonly caller?: string;
}

/** How a call ended. `refused`: the user chose Skip, or a limit said no. */
export type CallOutcome = 'ok' | 'failed' | 'refused' | 'cancelled';

/** One piece of a tool's result. Binary data is not kept in the transcript: only what it was. */
export type ResultPart =
  | { readonly type: 'text'; readonly text: string }
  /** For wires that show images, in the turn that it came in: {@link withoutMedia} makes it `omitted` when that ends. `data` is base64. */
  | { readonly type: 'image'; readonly mimeType: string; readonly bytes: number; readonly data: string }
  /** A PDF, for wires that read documents; as an image in all else. */
  | { readonly type: 'document'; readonly mimeType: string; readonly bytes: number; readonly data: string }
  | { readonly type: 'omitted'; readonly mimeType: string; readonly bytes: number };

export type ImagePart = Extract<ResultPart, { readonly type: 'image' }>;

export interface ToolResult {
  readonly callId: string;
  readonly outcome: CallOutcome;
  readonly parts: readonly ResultPart[];
  /** Set where the call was a search. */
  readonly search?: SearchRecord;
  /** What a search has to say besides what it found, for wires where that goes as references: `parts` has all of it. */
  readonly remarks?: string;
  /** Id of a deferred tool that was called without having been discovered: it counts as discovered from here on. */
  readonly loaded?: string;
  /** Set where the call was cancelled before it began: nothing came of it. */
  readonly notRun?: true;
}

/** The wires that have blocks of their own. */
export type Wire = 'anthropic' | 'openai';

/**
 * A whole reply as one wire wrote it, with what only that wire understands (thinking, encrypted content, its own
 * searches). Replayed to that wire alone; any other gets the neutral part.
 */
export interface OpaqueBlock {
  readonly wire: Wire;
  /** The model that wrote it: what it signed is replayed to it alone. */
  readonly model?: string;
  readonly value: Json;
  /** Claude's sandbox that code of this reply runs in. */
  readonly container?: string;
}

/**
 * What a conversation's first request decided for all that follow, so that their prefix stays the same. It is kept with the
 * reply to the request that decided it, and with later ones that changed it.
 */
export interface ConversationPlan {
  /** What it was decided on, in short forms: where one of them is another, it is decided anew. */
  readonly grounds: {
    readonly settings: string;
    readonly pins: string;
    readonly model: string;
    readonly servers: string;
  };
  /** What mode `auto` came to; undefined where another rule decides. */
  readonly auto?: KeptDecision;
  /** Whether VS Code's core tools are too many for the model; undefined while there are none. */
  readonly core?: KeptDecision;
  /** What the model was told of the deferred tools, and by which delivery they are found. */
  readonly guidance?: { readonly delivery: string; readonly text: string };
  /** How many deferred tools of which server it was told of, there or since. */
  readonly told: { readonly [server: string]: number };
  /** Names of the tools of servers with deferred ones, for a provider to whose model each server is described by them. */
  readonly names?: { readonly [server: string]: readonly string[] };
}

/** How a set of tools is loaded, with the reason in short and whole. */
export interface KeptDecision {
  readonly loading: 'eager' | 'deferred';
  readonly reason: string;
  readonly reasonLong: string;
}

/** What a model said in one round. */
export interface AssistantItem {
  readonly kind: 'assistant';
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** What the provider itself searched while it said this. */
  readonly searches?: readonly ProviderSearchRecord[];
  readonly opaque?: readonly OpaqueBlock[];
  readonly opening?: ConversationPlan;
}

/** One entry of the conversation, in a form that belongs to no provider. */
export type TranscriptItem =
  | {
      readonly kind: 'user';
      readonly text: string;
      readonly images?: readonly ImagePart[];
      /** Said by us, not by the user: which tools have come. */
      readonly note?: true;
      /** How a question ended that got no answer. */
      readonly unanswered?: 'failed' | 'cancelled';
    }
  | AssistantItem
  | { readonly kind: 'results'; readonly results: readonly ToolResult[] };

export type Transcript = readonly TranscriptItem[];

/** A part as it is kept: what it was, without its data. */
export function withoutData(part: ResultPart): ResultPart {
  return part.type === 'image' || part.type === 'document'
    ? { type: 'omitted', mimeType: part.mimeType, bytes: part.bytes }
    : part;
}

/** A transcript as it is kept: what images and documents there were is said, their data is gone. */
export function withoutMedia(transcript: Transcript): Transcript {
  return transcript.map((item) =>
    item.kind === 'results'
      ? { ...item, results: item.results.map((result) => ({ ...result, parts: result.parts.map(withoutData) })) }
      : item,
  );
}

/** Characters that an item takes in a request, roughly: what its texts hold. */
function itemLength(item: TranscriptItem): number {
  switch (item.kind) {
    case 'user':
      return item.text.length;
    case 'assistant':
      return item.text.length + item.calls.reduce((sum, call) => sum + (JSON.stringify(call.input)?.length ?? 0), 0);
    case 'results':
      return item.results.reduce(
        (sum, result) =>
          sum + result.parts.reduce((inner, part) => inner + (part.type === 'text' ? part.text.length : 0), 0),
        0,
      );
  }
}

/**
 * The newest whole turns that fit into `maxChars`. What a lost turn had discovered is simply searched for again.
 * A turn is never cut in the middle: a call without its result is rejected by every provider.
 */
export function newestTurns(transcript: Transcript, maxChars: number): Transcript {
  let start = transcript.length;
  let length = 0;
  for (let index = transcript.length - 1; index >= 0; index--) {
    const item = transcript[index];
    if (!item) break;
    length += itemLength(item);
    if (length > maxChars) break;
    if (item.kind === 'user' && !item.note) start = index;
  }
  return transcript.slice(start);
}
