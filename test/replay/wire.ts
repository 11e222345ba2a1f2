import type { Json } from '../../src/core/catalog/tool';
import type { Transcript, TranscriptItem } from '../../src/core/conversation/transcript';
import type { ModelPort, ModelRequest } from '../../src/core/ports';
import type { Body, Interaction } from './recording';

/** One entry of a recorded request's conversation: a message, or an input item. */
export type Entry = { readonly [key: string]: Json };

/** What a recorded request tells of the world that it was made in. */
export type Scene = Omit<ModelRequest, 'transcript'>;

/** What it takes to replay one service's exchanges: nothing of the adapter's own ways of making a request. */
export interface ReplayWire {
  readonly wire: 'anthropic' | 'openai';
  /** Whether an exchange is of this service. */
  speaks(url: string): boolean;
  /** Whether it only counts tokens. */
  counts(url: string): boolean;
  /** The adapter, answered by `fetch`. */
  createPort(model: string, fetch: typeof globalThis.fetch): ModelPort;
  /** The catalog and the system prompt of a request. */
  scene(body: Body): Scene;
  /** The conversation of a request, in order. */
  entries(body: Body): readonly Entry[];
  /** What of an entry matters. */
  essenceOf(entry: Entry): Json;
  /** Whether the model wrote an entry. */
  isReply(entry: Entry): boolean;
  /** What the user and the tools said: prompts and results. `calls`: names of the calls so far, by id. */
  said(entries: readonly Entry[], calls: ReadonlyMap<string, string>): readonly TranscriptItem[];
  /** A whole conversation, for one whose beginning isn't in the recording. */
  history(entries: readonly Entry[], body: Body): Transcript;
  /** The blocks or items of a request that a model or its service wrote, in order. */
  written(body: Body): readonly Entry[];
  /** A block or item that was written, as it must be sent back: whole, but for what its service doesn't take. */
  playedBack(part: Entry): readonly Json[];
  /** A recorded answer in the form that the adapter asks for: streamed. */
  answer(response: Interaction['response']): Response;
  /** What of a request matters beside the one that it is compared with; see the README beside the recordings. */
  essence(body: Body, other: Body): Json;
  /** What of a request isn't compared, since no adapter sends it. */
  ignored(body: Body): readonly string[];
}
